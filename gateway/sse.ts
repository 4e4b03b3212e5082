/** A turn's events as a stream of server-sent events. The reader's pace sets the pace: nothing is read ahead of it. */
import type { TurnEvent } from '../core/events.ts';
import type { Tail } from './tail.ts';

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Without it the server would wait for more before it sends the first bytes.
  'transfer-encoding': 'chunked',
  'x-accel-buffering': 'no',
};

const COMMENT = ': still here\n\n';

export type SseOptions = {
  tail: Tail;
  render(event: TurnEvent): unknown;
  heartbeatMs: number;
  /** Ends the stream, for example when the gateway closes. */
  signal: AbortSignal;
};

export function streamEvents({ tail, render, heartbeatMs, signal }: SseOptions): Response {
  const encoder = new TextEncoder();
  let opened = false;
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!opened) {
          opened = true;
          signal.addEventListener('abort', () => tail.close(), { once: true });
          controller.enqueue(encoder.encode('retry: 500\n\n'));
          return;
        }
        const next = signal.aborted ? 'ended' : await untilAborted(signal, tail.next(heartbeatMs));
        if (next === 'ended') {
          tail.close();
          controller.close();
        } else controller.enqueue(encoder.encode(next === 'quiet' ? COMMENT : next.map(frame).join('')));
      },
      cancel: () => tail.close(),
    },
    { highWaterMark: 0 },
  );
  const frame = (event: TurnEvent) => `id: ${event.number}\ndata: ${JSON.stringify(render(event))}\n\n`;
  return new Response(stream, { headers: HEADERS });
}

function untilAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T | 'ended'> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve('ended');
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
