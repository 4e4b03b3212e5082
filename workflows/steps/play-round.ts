/** The moves of a round: each is started, and folds its answer in when it comes. None waits for another. */
import type { Move } from '../../core/move.ts';
import {
  withAnnounced,
  withFate,
  withRecorded,
  withRecording,
  withResolving,
  withStarted,
  withToolAnswer,
} from '../../core/round-fold.ts';
import { withSettled, withSettling } from '../../core/settle-fold.ts';
import { executionOf } from '../../core/turn-state.ts';
import { type Desk, safely } from '../desk.ts';
import { announce, recordResults, resolveCall, settleQuestion } from '../ports.ts';
import { runCall } from '../run-call.ts';

type Of<K extends Move['kind']> = Extract<Move, { kind: K }>;

export function announceMove(desk: Desk, { request }: Of<'announce'>): void {
  desk.fold((state) => withAnnounced(state, request));
  desk.track(
    safely(() => announce(request)),
    (state) => state,
  );
}

export function settleMove(desk: Desk, { request }: Of<'settle'>): void {
  desk.fold((state) => withSettling(state, request));
  desk.track(
    safely(() => settleQuestion(request)),
    (state, settled) => withSettled(state, request, settled),
  );
}

export function runToolsMove(desk: Desk, { calls }: Of<'run-tools'>): void {
  const { cancelGraceMs } = executionOf(desk.state).knobs;
  const places = calls.map(({ call }) => call.slot);
  desk.fold((state) => withStarted(state, places, Date.now()));
  for (const { request, call } of calls) {
    if (call.executor !== 'activity') continue;
    const { slot, attempt } = request;
    desk.follow(runCall(request, call, cancelGraceMs), (state, answer) =>
      withToolAnswer(state, { slot, attempt, now: Date.now() }, answer),
    );
  }
}

export function resolveMove(desk: Desk, { request }: Of<'resolve'>): void {
  desk.fold((state) => withResolving(state, request.slot));
  desk.track(
    safely(() => resolveCall(request)),
    (state, fate) => withFate(state, request.slot, fate, Date.now()),
  );
}

export function recordMove(desk: Desk, { request }: Of<'record'>): void {
  const ids = request.fills.map((fill) => fill.callId);
  desk.fold((state) => withRecording(state, ids));
  desk.track(
    safely(() => recordResults(request)),
    (state, results) => withRecorded(state, ids, results),
  );
}
