// Follows one turn to its end: shows it, puts its questions, hears Ctrl-C. The same for `run` and `turns tail`.
import { ulid } from 'ulid';
import type { EverturnClient } from '../../client/client.ts';
import type { TurnEvent } from '../../core/events.ts';
import type { Context } from '../context.ts';
import { visibleLine } from '../printable.ts';
import { openDesk } from '../view/desk.ts';
import { openLiveView } from '../view/live.ts';

export type Follower = {
  /**
   * Follows from where it last was. `ended` with the last event; `stopped` when `signal` fired.
   * @throws ApiError when the gateway refuses
   */
  follow: (client: EverturnClient, signal: AbortSignal) => Promise<'ended' | 'stopped'>;
  /** A line of ours between the turn's own; on stderr where stdout is for programs. */
  say: (line: string) => void;
  close: () => void;
  /** Everything seen so far that the exit code depends on. */
  seen: Seen;
};

export type Seen = { ended: Extract<TurnEvent, { type: 'turn_ended' }> | undefined; denied: boolean; expired: boolean };

export type FollowOptions = {
  turnId: string;
  after: number;
  /** Put questions here, where a person can be asked. */
  ask: boolean;
  onInterrupt: () => void;
  bell: boolean;
};

export function openFollower(context: Context, options: FollowOptions): Follower {
  const seen: Seen = { ended: undefined, denied: false, expired: false };
  const shown = context.json ? jsonView(context) : openLiveView(context, options.onInterrupt, options);
  let last = options.after;
  return {
    seen,
    say: shown.say,
    close: shown.close,
    follow: async (client, signal) => {
      const { asker } = shown;
      const desk =
        asker && options.ask
          ? openDesk({ approvals: client.approvals, asker, say: shown.say, newId: () => ulid() })
          : undefined;
      try {
        for await (const event of client.events(options.turnId, { after: last, signal })) {
          last = event.number;
          shown.event(event);
          notice(seen, event);
          desk?.event(event);
          if (event.type === 'approval_requested' && !desk && !context.json && !context.quiet) {
            shown.say(visibleLine(`  Decide with: everturn approvals approve ${event.approvalId}`));
          }
        }
      } finally {
        desk?.close();
      }
      return seen.ended ? 'ended' : 'stopped';
    },
  };
}

function notice(seen: Seen, event: TurnEvent): void {
  if (event.type === 'turn_ended') seen.ended = event;
  if (event.type !== 'tool_result') return;
  if (event.status === 'denied') seen.denied = true;
  if (event.status === 'expired') seen.expired = true;
}

type Shown = Pick<ReturnType<typeof openLiveView>, 'event' | 'say' | 'asker' | 'close'>;

const jsonView = (context: Context): Shown => ({
  event: (event) => context.emit(event),
  say: (line) => context.note(line),
  asker: undefined,
  close: () => {},
});
