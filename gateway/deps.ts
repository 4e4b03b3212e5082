/** What the gateway needs of the rest of the program. Put together in `main.ts`, by the CLI, or by a test. */
import type { TemporalDesk } from '../client/temporal.ts';
import type { JsonObject } from '../core/json.ts';
import type { DecisionBody } from '../core/question.ts';
import type { QuestionRow, SignedDecision, Store } from '../store/api.ts';
import type { DecisionTexts } from '../store/seals.ts';
import type { Messenger } from './messenger.ts';
import type { Log, Renderer } from './ports.ts';
import type { Reconciler } from './reconcile/types.ts';

export type EditVerdict =
  | { ok: true; canonical: string; argumentHash: string }
  /** By path: what is wrong with the new arguments, or why policy blocks them. */
  | { ok: false; errors: string[] };

export type OnBusy = 'queue' | 'steer' | 'interrupt';

export type GatewayDeps = {
  store: Store;
  desk: TemporalDesk;
  reconciler: Pick<Reconciler, 'turn' | 'status'>;
  messenger: Messenger;
  agents: { names: readonly string[]; default: string | undefined };
  /** What a message does to a session whose turn is running. */
  onBusy: OnBusy;
  render: Renderer;
  /** Seals a decision with the deployment key (C5.5). */
  sign(body: DecisionBody, texts: DecisionTexts): SignedDecision;
  /** Validates, assesses and access-checks edited arguments (C5.3); the engine does it again before it believes them. */
  checkEdit(question: QuestionRow, args: JsonObject): Promise<EditVerdict>;
  version: string;
  /** Milliseconds since the epoch. */
  now(): number;
  newId(): string;
  log: Log;
  /** Milliseconds between comments on a quiet stream. */
  heartbeatMs: number;
};
