// Holds a write of the worker back until the test lets it go: that is how a test stands at one exact point of a turn.
import type { Store } from '../../../store/api.ts';

export type Gated =
  | 'turns.begin'
  | 'turns.end'
  | 'transcript.openStep'
  | 'transcript.closeStep'
  | 'ledger.begin'
  | 'ledger.outcome'
  | 'questions.open'
  | 'questions.settle'
  | 'questions.discard';

export type Gate = {
  /** Resolves when the worker stands at it. */
  reached: Promise<void>;
  /** The write goes on, and every later one of this gate. */
  open(): void;
};

type Held = Gate & { arrive(): Promise<void> };

export class Gates {
  readonly #held = new Map<string, Held>();

  /** Keep it shorter than 5 s: a store activity that takes longer is tried again. */
  hold(method: Gated, turnId: string): Gate {
    let arrived: () => void = () => {};
    let release: () => void = () => {};
    const reached = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const opened = new Promise<void>((resolve) => {
      release = resolve;
    });
    const arrive = () => {
      arrived();
      return opened;
    };
    const held = { reached, open: release, arrive };
    this.#held.set(`${method} ${turnId}`, held);
    return held;
  }

  /** The same store, with these gates before its writes. */
  around(store: Store): Store {
    return {
      ...store,
      turns: this.#guarded('turns', store.turns),
      transcript: this.#guarded('transcript', store.transcript),
      ledger: this.#guarded('ledger', store.ledger),
      questions: this.#guarded('questions', store.questions),
    };
  }

  #guarded<Room extends object>(name: string, room: Room): Room {
    return new Proxy(room, {
      get: (target, key) => {
        const method: unknown = Reflect.get(target, key);
        if (typeof method !== 'function') return method;
        return async (...args: unknown[]) => {
          await this.#held.get(`${name}.${String(key)} ${turnOf(args[0])}`)?.arrive();
          return Reflect.apply(method, target, args) as unknown;
        };
      },
    });
  }
}

function turnOf(first: unknown): string {
  if (typeof first === 'string') return first;
  const { turnId, question } = first as { turnId?: string; question?: { turnId: string } };
  return turnId ?? question?.turnId ?? '';
}
