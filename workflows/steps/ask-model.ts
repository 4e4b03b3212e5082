/** One provider call: asked, awaited, folded in. A cancel cuts it; what it showed is kept by the end of the turn (C8.4). */
import { isCancellation } from '@temporalio/workflow';
import { withAsked, withCutReply, withLostReply, withReply } from '../../core/loop-control.ts';
import type { ProviderInput } from '../../core/ports.ts';
import type { Desk } from '../desk.ts';
import { callProvider } from '../ports.ts';

export async function askModel(desk: Desk, request: ProviderInput): Promise<void> {
  desk.fold((state) => withAsked(state, request));
  try {
    const reply = await callProvider(request);
    desk.fold((state) => withReply(state, { request, now: Date.now() }, reply));
  } catch (error) {
    if (desk.state.cancel || isCancellation(error)) desk.fold((state) => withCutReply(state, request));
    else desk.fold((state) => withLostReply(state, request, lostWords(error)));
  }
}

function lostWords(error: unknown): string {
  const cause = (error as { cause?: { message?: string } }).cause;
  return `The model could not be asked: ${(cause?.message ?? String(error)).slice(0, 300)}`;
}
