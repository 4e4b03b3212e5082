/** In which folders the parts of a line may work: `cd` moves a process and those it starts, never the one that started it. */
import { statSync } from 'node:fs';
import type { Scope, Where } from './types.ts';

const MOST = 8;

type State = { now: string[]; seen: string[]; lost: boolean };

export class Folders {
  readonly #start: string;
  readonly #states = new Map<Scope, State>();

  constructor(start: string) {
    this.#start = start;
  }

  /** Every folder it may be in. */
  of(scope: Scope): string[] {
    return this.#state(scope).now;
  }

  /** Whether that can still be told. */
  isLost(scope: Scope): boolean {
    return this.#state(scope).lost;
  }

  lose(scope: Scope): void {
    this.#state(scope).lost = true;
  }

  /** A `cd` that surely happens leaves the old folder; one that may fail or be passed over may leave it. */
  enter(folder: string, { scope, conditional }: Where): void {
    const state = this.#state(scope);
    state.now = conditional || !isFolder(folder) ? unique([...state.now, folder]) : [folder];
    state.seen = unique([...state.seen, folder]);
    if (state.now.length > MOST) state.lost = true;
  }

  /** `cd -` and `popd`: back to any folder it was in. */
  goBack({ scope }: Where): void {
    const state = this.#state(scope);
    state.now = state.seen;
  }

  /** A new process begins where the one that starts it is at that moment. */
  #state(scope: Scope): State {
    const known = this.#states.get(scope);
    if (known) return known;
    const from = scope.parent && this.#state(scope.parent);
    const state = from ? { ...from } : { now: [this.#start], seen: [this.#start], lost: false };
    this.#states.set(scope, state);
    return state;
  }
}

function unique(folders: readonly string[]): string[] {
  return [...new Set(folders)];
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
