/** Keeps the beginning and the end of a stream while all of it is read: a full pipe would stop the command. */

const NEWLINE = 10;

export class CappedOutput {
  readonly #headCap: number;
  readonly #tailCap: number;
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #dropped = 0;

  /** @param cap bytes kept in all: half from the beginning, half from the end */
  constructor(cap: number) {
    this.#headCap = Math.ceil(cap / 2);
    this.#tailCap = cap - this.#headCap;
  }

  add(chunk: Buffer): void {
    const room = Math.min(this.#headCap - this.#headBytes, chunk.length);
    if (room > 0) {
      this.#head.push(chunk.subarray(0, room));
      this.#headBytes += room;
    }
    if (room < chunk.length) this.#addTail(chunk.subarray(room));
  }

  #addTail(chunk: Buffer): void {
    this.#tail.push(chunk);
    this.#tailBytes += chunk.length;
    // Cut now and then, not for every chunk: a chunk of one byte must not cost a copy of the whole.
    if (this.#tailBytes > 2 * this.#tailCap + 65536) this.#cutTail();
  }

  #cutTail(): void {
    const surplus = this.#tailBytes - this.#tailCap;
    if (surplus <= 0) return;
    this.#tail = [Buffer.from(Buffer.concat(this.#tail).subarray(surplus))];
    this.#tailBytes = this.#tailCap;
    this.#dropped += surplus;
  }

  /** Bytes that were left out, once the stream has ended. */
  get dropped(): number {
    return this.#dropped + Math.max(0, this.#tailBytes - this.#tailCap);
  }

  text(): string {
    this.#cutTail();
    if (this.#dropped === 0) return Buffer.concat([...this.#head, ...this.#tail]).toString('utf8');
    const head = wholeCharacters(Buffer.concat(this.#head));
    const tail = fromCharacter(Buffer.concat(this.#tail));
    const newline = head.at(-1) === NEWLINE ? '' : '\n';
    return `${head.toString('utf8')}${newline}[… ${this.#dropped} bytes left out …]\n${tail.toString('utf8')}`;
  }
}

/** Without the first bytes of a character whose rest was left out. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) return back < lengthOf(byte) ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

function lengthOf(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}

/** Without the last bytes of a character whose beginning was left out. */
function fromCharacter(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && start < bytes.length && ((bytes[start] as number) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start);
}
