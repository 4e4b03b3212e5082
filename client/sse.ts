/** Reads server-sent events from the bytes of a response, in whatever pieces they arrive. */

export type SseMessage = { id: string; data: string };

/**
 * Yields one message per blank line; comments and unknown fields are passed over. Ends when the bytes end.
 * @throws Error when nothing at all comes for `idleMs`: the server sends a comment now and then, so the line is dead
 */
export async function* readSse(body: ReadableStream<Uint8Array>, idleMs: number): AsyncGenerator<SseMessage> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await within(idleMs, reader.read());
      if (done) return;
      const text = rest + decoder.decode(value, { stream: true });
      const blocks = text.replace(/\r\n/g, '\n').split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const message = messageOf(block);
        if (message) yield message;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function messageOf(block: string): SseMessage | undefined {
  let id = '';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const value = line.slice(colon + 1).replace(/^ /, '');
    if (line.startsWith('id:')) id = value;
    if (line.startsWith('data:')) data.push(value);
  }
  return data.length === 0 ? undefined : { id, data: data.join('\n') };
}

function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`nothing came for ${ms} ms`)), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
