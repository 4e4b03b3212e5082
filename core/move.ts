/** What a turn may need next, as values; the workflow performs them (style: ask the core, let a driver do it). */
import type { Outcome } from './outcome.ts';
import type { AnnounceInput, ProviderInput, RecordInput, ResolveInput, SettleInput, ToolInput } from './ports.ts';
import type { CallNotice } from './slot.ts';

export type Move =
  | { kind: 'begin' }
  | { kind: 'call-provider'; request: ProviderInput }
  | { kind: 'announce'; request: AnnounceInput }
  | { kind: 'settle'; request: SettleInput }
  | { kind: 'run-tools'; calls: { request: ToolInput; call: CallNotice }[] }
  | { kind: 'resolve'; request: ResolveInput; call: CallNotice }
  | { kind: 'record'; request: RecordInput }
  | { kind: 'wait'; until: number | null }
  | { kind: 'hand-over' }
  | { kind: 'finish' }
  | { kind: 'return'; outcome: Outcome };
