/** Which chain entries rest after a 429 (C3.7). One per process, shared by all its turns. */
export class Cooldowns {
  readonly #until = new Map<string, number>();

  /** Milliseconds that the entry still rests; 0 when it may be asked. */
  restMs(name: string, now: number): number {
    const rest = (this.#until.get(name) ?? 0) - now;
    if (rest > 0) return rest;
    this.#until.delete(name);
    return 0;
  }

  /** A longer rest that is already running stays. */
  cool(name: string, until: number): void {
    if (until > (this.#until.get(name) ?? 0)) this.#until.set(name, until);
  }
}
