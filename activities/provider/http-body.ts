/** The body of an answer as it comes: read with the pace of its reader, left at any point without losing the connection. */
import type { IncomingMessage } from 'node:http';

export type BodyWatch = { waits: () => void; rests: () => void };

/** Bytes that may lie unread before the other side is slowed down. */
const UNREAD = 256 * 1024;

export class HttpBody {
  readonly #response: IncomingMessage;
  readonly #watch: BodyWatch;
  #chunks: Uint8Array[] = [];
  #unread = 0;
  #ended = false;
  #error: unknown;
  #wake: () => void = () => {};

  constructor(response: IncomingMessage, watch: BodyWatch) {
    this.#response = response;
    this.#watch = watch;
    response.on('data', (chunk: Buffer) => this.#arrived(chunk));
    response.on('end', () => this.#over());
    response.on('error', (error) => this.#over(error));
    // A connection that was cut does not always say so.
    response.on('close', () => this.#over(response.complete ? undefined : CUT));
  }

  /** @throws what broke the connection, after everything that came before */
  async *chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      for (let chunk = this.#chunks.shift(); chunk; chunk = this.#chunks.shift()) {
        this.#unread -= chunk.length;
        yield chunk;
      }
      if (this.#error !== undefined) throw this.#error;
      if (this.#ended) return;
      if (this.#response.isPaused()) {
        this.#watch.waits();
        this.#response.resume();
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** What still comes is thrown away. */
  leave(): void {
    this.#response.removeAllListeners('data').resume();
    this.#chunks = [];
  }

  #arrived(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#unread += chunk.length;
    if (this.#unread < UNREAD) this.#watch.waits();
    else {
      this.#watch.rests();
      this.#response.pause();
    }
    this.#wake();
  }

  #over(error?: unknown): void {
    if (this.#ended || this.#error !== undefined) return;
    if (error === undefined) this.#ended = true;
    else this.#error = error;
    this.#wake();
  }
}

const CUT = Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' });
