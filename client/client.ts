/** The client for programs: everything that the HTTP interface offers, typed. */
import type { TurnEvent } from '../core/events.ts';
import { errorFrom } from './errors.ts';
import { type EventsOptions, turnEvents } from './events.ts';
import { type ConnectOptions, createRequest, type Request } from './request.ts';
import type {
  Approval,
  ApprovalQuery,
  CallResult,
  CancelOutcome,
  DecisionOutcome,
  DecisionRequest,
  EstopOutcome,
  Held,
  Page,
  StartedTurn,
  StartTurn,
  Status,
  SteerOutcome,
  Turn,
  TurnQuery,
  TurnTranscript,
} from './types.ts';

/** Every method rejects with `ApiError`: `status` (0: not reached), `code`, `message`, `hint`. */
export type EverturnClient = {
  /** The same `idempotencyKey` with the same content gives the same turn. */
  startTurn(input: StartTurn, options?: { idempotencyKey?: string }): Promise<StartedTurn>;
  getTurn(turnId: string): Promise<Turn>;
  /** Newest first, a page at a time; `next` is the cursor of the following page. */
  listTurns(query?: TurnQuery): Promise<Page<Turn>>;
  /** Live and resumable; ends after `turn_ended`. */
  events(turnId: string, options?: EventsOptions): AsyncGenerator<TurnEvent>;
  transcript(turnId: string): Promise<TurnTranscript>;
  /** The whole stored result of one call. */
  result(turnId: string, callId: string): Promise<CallResult>;
  /** A message into the running turn. The same `id` is taken once. */
  steer(turnId: string, message: { text: string; id?: string }): Promise<SteerOutcome>;
  cancel(turnId: string, reason?: string): Promise<CancelOutcome>;
  approvals: {
    /** Oldest first, 100 a page. */
    list(query?: ApprovalQuery): Promise<Page<Approval>>;
    get(approvalId: string): Promise<Approval>;
    /** Somebody else was first: `already_decided` (no error). Expired or withdrawn: `ApiError` with status 410. */
    decide(approvalId: string, decision: DecisionRequest): Promise<DecisionOutcome>;
  };
  /** Running calls end, the next step of every turn waits for `resume`. */
  pause(reason?: string): Promise<Held>;
  resume(reason?: string): Promise<{ state: 'running' }>;
  /** Cancels every open turn and lets nothing run until `resume`. */
  estop(reason?: string): Promise<EstopOutcome>;
  status(): Promise<Status>;
};

/** @throws TypeError when `url` is no http address */
export function createClient(options: ConnectOptions): EverturnClient {
  if (!/^https?:$/.test(new URL(options.url).protocol)) throw new TypeError(`${options.url} is no http address.`);
  const request = createRequest(options);
  const ofTurn = (turnId: string) => `/turns/${encodeURIComponent(turnId)}`;
  return {
    startTurn: (input, { idempotencyKey } = {}) =>
      request({
        method: 'POST',
        path: '/turns',
        body: input,
        ...(idempotencyKey === undefined ? {} : { headers: { 'idempotency-key': idempotencyKey } }),
      }),
    getTurn: (turnId) => request({ method: 'GET', path: ofTurn(turnId) }),
    listTurns: (query = {}) => request({ method: 'GET', path: '/turns', query }),
    events: (turnId, events) => turnEvents(options, turnId, events),
    transcript: (turnId) => request({ method: 'GET', path: `${ofTurn(turnId)}/transcript` }),
    result: (turnId, callId) =>
      request({ method: 'GET', path: `${ofTurn(turnId)}/results/${encodeURIComponent(callId)}` }),
    steer: (turnId, message) => request({ method: 'POST', path: `${ofTurn(turnId)}/steer`, body: message }),
    cancel: (turnId, reason) =>
      request({ method: 'POST', path: `${ofTurn(turnId)}/cancel`, body: reason === undefined ? {} : { reason } }),
    approvals: approvalsOf(request),
    ...controlOf(request),
    status: () => request({ method: 'GET', path: '/status' }),
  };
}

function approvalsOf(request: Request): EverturnClient['approvals'] {
  const of = (approvalId: string) => `/approvals/${encodeURIComponent(approvalId)}`;
  return {
    list: (query = {}) => request({ method: 'GET', path: '/approvals', query }),
    get: (approvalId) => request({ method: 'GET', path: of(approvalId) }),
    decide: async (approvalId, decision) => {
      const path = `${of(approvalId)}/decision`;
      const answer = await request<DecisionOutcome>({ method: 'POST', path, body: decision, alsoGood: [409] });
      if ('state' in answer) return answer;
      // 409 for another reason: the decision id was used for something else.
      throw errorFrom(409, answer);
    },
  };
}

function controlOf(request: Request): Pick<EverturnClient, 'pause' | 'resume' | 'estop'> {
  const bodyOf = (reason: string | undefined) => (reason === undefined ? {} : { reason });
  return {
    pause: (reason) => request({ method: 'POST', path: '/pause', body: bodyOf(reason) }),
    resume: (reason) => request({ method: 'POST', path: '/resume', body: bodyOf(reason) }),
    estop: (reason) => request({ method: 'POST', path: '/estop', body: bodyOf(reason) }),
  };
}
