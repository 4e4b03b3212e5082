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

  /**
   * Keep it shorter than 5 s: a store activity that takes longer is tried again.
   * @param step only this one, of a turn with several
   * @param when `after`: it is written, and nobody has heard of it
   */
  hold(method: Gated, turnId: string, step?: number, when: 'before' | 'after' = 'before'): Gate {
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
    this.#held.set(`${when} ${method} ${turnId} ${step ?? ''}`, held);
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
          const { turnId, step } = placeOf(args[0]);
          const at = `${name}.${String(key)} ${turnId}`;
          const gate = (when: string) => this.#held.get(`${when} ${at} `) ?? this.#held.get(`${when} ${at} ${step}`);
          await gate('before')?.arrive();
          const answer: unknown = await Reflect.apply(method, target, args);
          await gate('after')?.arrive();
          return answer;
        };
      },
    });
  }
}

type Place = { turnId?: string; step?: number; question?: { turnId: string } };

function placeOf(first: unknown): { turnId: string; step: number | undefined } {
  if (typeof first === 'string') return { turnId: first, step: undefined };
  const { turnId, step, question } = (first ?? {}) as Place;
  return { turnId: turnId ?? question?.turnId ?? '', step };
}
