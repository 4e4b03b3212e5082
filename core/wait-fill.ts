/** How a `wait` ends: the workflow's own clock carried it out (C1.6). */
import type { CallNotice, Fill } from './slot.ts';

export function waitFill(call: CallNotice): Fill {
  const seconds = Math.round((call.waitMs ?? 0) / 1000);
  return { callId: call.callId, status: 'done', reason: `Waited ${seconds} s.`, began: true };
}
