// Reading a stream of events from bytes in any pieces; a silent line is dead.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSse } from '../../client/sse.ts';

function bytesOf(pieces: Uint8Array[], end = true): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      if (end) controller.close();
    },
  });
}

async function read(stream: ReadableStream<Uint8Array>, idleMs = 5_000) {
  const messages = [];
  for await (const message of readSse(stream, idleMs)) messages.push(message);
  return messages;
}

const TEXT = 'retry: 500\n\n: a comment\n\nid: 1\ndata: {"a":"ü€😀"}\n\nid: 2\r\ndata: one\r\ndata: two\r\n\r\n';
const MESSAGES = [
  { id: '1', data: '{"a":"ü€😀"}' },
  { id: '2', data: 'one\ntwo' },
];

describe('server-sent events', () => {
  it('are the same in any cut of the bytes', async () => {
    const bytes = new TextEncoder().encode(TEXT);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 12 }), async (cuts) => {
        const at = [0, ...new Set(cuts.sort((a, b) => a - b)), bytes.length];
        const pieces = at.slice(1).map((end, i) => bytes.slice(at[i], end));
        expect(await read(bytesOf(pieces))).toEqual(MESSAGES);
      }),
      { numRuns: 300 },
    );
  });

  it('what is cut off at the end is no message', async () => {
    expect(await read(bytesOf([new TextEncoder().encode('id: 1\ndata: x')]))).toEqual([]);
  });

  it('a line on which nothing comes is given up', async () => {
    await expect(read(bytesOf([new TextEncoder().encode(TEXT)], false), 20)).rejects.toThrow('nothing came for 20 ms');
  });
});
