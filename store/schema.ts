/**
 * The tables, as Kysely sees them. One schema for every database: text, integers and JSON as text; times are
 * milliseconds; flags are 0 or 1. Long texts stand apart from rows that are written often.
 */

export interface Schema {
  schema_version: { version: number; at: number };
  meta: { key: string; value: string };
  blobs: { ref: string; text: string; size: number; at: number };
  executions: { hash: string; body: string; key_id: string; signature: string; at: number };
  sessions: SessionTable;
  turns: TurnTable;
  turn_texts: { turn_id: string; text: string; answer: string | null };
  entries: EntryTable;
  steps: { turn_id: string; step: number; reply: string; head: string; n: number };
  calls: CallTable;
  results: { turn_id: string; step: number; slot: number; call_id: string; result: string };
  events: { seq: number | null; turn_id: string; number: number; key: string; type: string; at: number; body: string };
  attempts: AttemptTable;
  questions: QuestionTable;
  decisions: DecisionTable;
  steering: SteeringTable;
  control: { name: string; flag: string };
  audit: { seq: number; kind: string; body: string; at: number; hash: string };
  tokens: { id: string; name: string; scopes: string; hash: string; created_at: number; revoked_at: number | null };
  leases: { name: string; holder: string; expires_at: number };
}

interface SessionTable {
  session_id: string;
  agent: string;
  head: string;
  /** The turn that began last; its head is what the next turn stands on. */
  last_turn: string | null;
  created_at: number;
}

export interface TurnTable {
  turn_id: string;
  workflow_id: string;
  agent: string;
  session_id: string | null;
  parent: string | null;
  allowed_tools: string | null;
  approvals: string | null;
  surface: string;
  by_whom: string;
  idempotency_key: string | null;
  content_hash: string;
  status: string;
  iteration: number;
  execution_hash: string | null;
  /** The earlier turn that this one stands on, and its head then. */
  base_turn: string | null;
  base_head: string;
  head: string;
  entry_count: number;
  event_count: number;
  epoch: number;
  closed: number;
  usage: string;
  cancel: string | null;
  outcome: string | null;
  note: string | null;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
}

interface EntryTable {
  turn_id: string;
  n: number;
  kind: string;
  step: number | null;
  parent_head: string;
  head: string;
  body: string;
}

export interface CallTable {
  turn_id: string;
  call_id: string;
  /** 1, then one more for each edit; the highest holds. */
  version: number;
  step: number;
  slot: number;
  tool: string;
  summary: string;
  argument_hash: string;
  execution_hash: string;
  /** Canonical: arguments, assessment, repaired. */
  body: string;
  key_id: string;
  signature: string;
}

export interface AttemptTable {
  turn_id: string;
  step: number;
  slot: number;
  attempt: number;
  worker: string | null;
  activity_id: string | null;
  began_at: number | null;
  voided_at: number | null;
  process_group: string | null;
  /** A `SlotResult`; `late` when it changed nothing shown. */
  outcome: string | null;
  late: number;
  outcome_at: number | null;
}

export interface QuestionTable {
  approval_id: string;
  turn_id: string;
  call_id: string;
  kind: string;
  tool: string;
  summary: string;
  arguments: string;
  argument_hash: string;
  policy_hash: string;
  risk: string;
  path: string;
  asked_at: number;
  expires_at: number;
  agent: string;
  session_id: string | null;
  state: string;
  decision_id: string | null;
  /** JSON of the decision as rows show it. */
  decision: string | null;
  settled_by: string | null;
  settled_at: number | null;
  answer: string | null;
}

export interface DecisionTable {
  decision_id: string;
  approval_id: string;
  turn_id: string;
  body: string;
  key_id: string;
  signature: string;
  text: string | null;
  note: string | null;
  new_arguments: string | null;
  /** The store's own seal over the whole row. */
  row_key_id: string;
  row_signature: string;
  stored_at: number;
  settled_at: number | null;
  fate: string | null;
}

export interface SteeringTable {
  id: string;
  turn_id: string;
  text: string;
  by_whom: string;
  state: string;
  at: number;
  /** Order of arrival within the turn. */
  place: number;
  adopted_by: string | null;
}
