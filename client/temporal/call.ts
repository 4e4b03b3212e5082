/** One call to Temporal: a deadline over all of it (a call to a server that is gone takes 21 s by itself), quick own retry. */
import { isGrpcServiceError } from '@temporalio/client';
import type { TemporalLine } from './connection.ts';

const CANCELLED = 1;
const UNKNOWN = 2;
const DEADLINE_EXCEEDED = 4;
const RESOURCE_EXHAUSTED = 8;
const ABORTED = 10;
const INTERNAL = 13;
const UNAVAILABLE = 14;
/** What passes by itself: a server that restarts, a busy one, more updates in flight than a turn may have. */
const PASSING = [UNKNOWN, RESOURCE_EXHAUSTED, ABORTED, INTERNAL, UNAVAILABLE];

/** Everything that is sent this way may be sent twice: ids make a second start, update or message the same one. */
export async function withDeadline<T>(line: TemporalLine, ms: number, call: () => Promise<T>): Promise<T> {
  const until = Date.now() + ms;
  for (;;) {
    try {
      return await line.client.withDeadline(until, call);
    } catch (error) {
      const code = grpcCodeOf(error);
      if (code === undefined || !PASSING.includes(code)) throw error;
      if (!(await pause(line, until))) throw error;
    }
  }
}

/** 60–120 ms; false when there is no time left for another try. */
export async function pause(line: TemporalLine, until: number): Promise<boolean> {
  const ms = 60 + Math.random() * 60;
  if (line.closed.aborted || Date.now() + ms >= until) return false;
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      line.closed.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    line.closed.addEventListener('abort', done);
  });
  return !line.closed.aborted;
}

/** The SDK wraps some errors of the server and hands others on as they are. */
export function grpcCodeOf(error: unknown): number | undefined {
  if (isGrpcServiceError(error)) return error.code;
  const cause = (error as { cause?: unknown } | null | undefined)?.cause;
  return cause === undefined ? undefined : grpcCodeOf(cause);
}

/** Nobody answered within the deadline. */
export function isLate(error: unknown): boolean {
  const code = grpcCodeOf(error);
  return code === DEADLINE_EXCEEDED || code === CANCELLED;
}
