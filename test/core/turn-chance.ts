// Chance for played turns: a seed, and how long it lasts. Afterwards every choice is the first one, which is the calm one,
// so that each play ends, and a failing one shrinks to the shortest stormy beginning that still fails.

export type Storm = { seed: number; draws: number };

export class Chance {
  private state: number;
  private left: number;

  constructor({ seed, draws }: Storm) {
    this.state = seed >>> 0;
    this.left = draws;
  }

  get calm(): boolean {
    return this.left <= 0;
  }

  /** 0 … n-1; 0 once the storm is over. */
  below(n: number): number {
    if (this.left <= 0 || n <= 1) return 0;
    this.left -= 1;
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n;
  }

  /** True in so many of 100 cases; never once the storm is over. */
  in100(percent: number): boolean {
    return !this.calm && this.below(100) < percent;
  }

  /** The first is the calm choice. */
  of<T>(...choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }
}
