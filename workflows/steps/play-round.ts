/** The moves of a round: each is started, and folds its answer in when it comes. None waits for another. */
import type { Move } from '../../core/move.ts';
import {
  withAnnounced,
  withFate,
  withRecorded,
  withRecording,
  withResolving,
  withSettled,
  withSettling,
  withStarted,
  withToolAnswer,
} from '../../core/round-fold.ts';
import { executionOf } from '../../core/turn-state.ts';
import type { Desk } from '../desk.ts';
import { announce, recordResults, resolveCall, settleQuestion } from '../ports.ts';
import { runCall } from '../run-call.ts';

type Of<K extends Move['kind']> = Extract<Move, { kind: K }>;

export function announceMove(desk: Desk, { request }: Of<'announce'>): void {
  desk.fold((state) => withAnnounced(state, request));
  desk.spawn(() => announce(request));
}

export function settleMove(desk: Desk, { request }: Of<'settle'>): void {
  desk.fold((state) => withSettling(state, request));
  desk.spawn(async () => {
    const settled = await settleQuestion(request);
    desk.fold((state) => withSettled(state, request, settled));
  });
}

export function runToolsMove(desk: Desk, { calls }: Of<'run-tools'>): void {
  const { cancelGraceMs } = executionOf(desk.state).knobs;
  desk.fold((state) =>
    withStarted(
      state,
      calls.map(({ call }) => call.slot),
      Date.now(),
    ),
  );
  for (const { request, call } of calls) {
    if (call.executor !== 'activity') continue;
    desk.spawn(async () => {
      const answer = await desk.cancellable(() => runCall(request, call, cancelGraceMs));
      const at = { slot: request.slot, attempt: request.attempt, now: Date.now() };
      desk.fold((state) => withToolAnswer(state, at, answer));
    });
  }
}

export function resolveMove(desk: Desk, { request }: Of<'resolve'>): void {
  desk.fold((state) => withResolving(state, request.slot));
  desk.spawn(async () => {
    const fate = await resolveCall(request);
    desk.fold((state) => withFate(state, request.slot, fate, Date.now()));
  });
}

export function recordMove(desk: Desk, { request }: Of<'record'>): void {
  const ids = request.fills.map((fill) => fill.callId);
  desk.fold((state) => withRecording(state, ids));
  desk.spawn(async () => {
    const results = await recordResults(request);
    desk.fold((state) => withRecorded(state, ids, results));
  });
}
