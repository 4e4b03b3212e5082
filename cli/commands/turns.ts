// Looking at turns and talking to them.
import { ulid } from 'ulid';
import type { TranscriptMessage, Turn, TurnQuery } from '../../client/types.ts';
import { type ReachOptions, reachGateway } from '../api/reach.ts';
import type { Context } from '../context.ts';
import { elapsed } from '../durations.ts';
import { visible, visibleLine } from '../printable.ts';
import { table } from '../table.ts';
import { wordsFrom } from '../text-source.ts';

type ListOptions = ReachOptions & { status?: string; agent?: string; session?: string; q?: string; limit: number };

export async function list(context: Context, options: ListOptions): Promise<void> {
  const { client } = await reachGateway(context, options);
  const { status, agent, session, q } = options;
  const query: TurnQuery = {
    ...(status === undefined ? {} : { status: status.split(',') as NonNullable<TurnQuery['status']> }),
    ...(agent === undefined ? {} : { agent }),
    ...(session === undefined ? {} : { session }),
    ...(q === undefined ? {} : { q }),
  };
  const items: Turn[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTurns(cursor === undefined ? query : { ...query, cursor });
    items.push(...page.items);
    cursor = page.next;
  } while (cursor !== undefined && items.length < options.limit);
  const shown = items.slice(0, options.limit);
  if (context.json) return context.emit({ items: shown, ...(cursor === undefined ? {} : { next: cursor }) });
  if (shown.length === 0) return context.note('No turns.');
  const rows = shown.map((turn) => [turn.turnId, turn.status, turn.agent, age(turn), turn.text]);
  context.print(table(['TURN', 'STATUS', 'AGENT', 'TOOK', 'MESSAGE'], rows, look(context)));
  if (cursor !== undefined) context.note('There are more; see --limit.');
}

export async function show(context: Context, turnId: string, options: ReachOptions): Promise<void> {
  const { client } = await reachGateway(context, options);
  const turn = await client.getTurn(turnId);
  if (context.json) return context.emit(turn);
  const lines = [
    `${turn.turnId}  ${turn.status}${turn.stopReason ? ` (${turn.stopReason})` : ''}`,
    `agent ${turn.agent}${turn.session ? `, session ${turn.session}` : ''}, iteration ${turn.iteration}, ${age(turn)}`,
    `${turn.usage.inputTokens} tokens in, ${turn.usage.outputTokens} out`,
    ...(turn.error ? [`error: ${turn.error.type}: ${turn.error.message}`] : []),
    ...(turn.note ? [turn.note] : []),
  ];
  for (const line of lines) context.print(visibleLine(line));
  context.print(`\n> ${visible(turn.text)}`);
  for (const slot of turn.slots)
    context.print(visibleLine(`  ${slot.callId}  ${slot.status}  ${slot.tool}: ${slot.summary}`));
  if (turn.answer !== undefined) context.print(`\n${visible(turn.answer)}`);
}

export async function transcript(context: Context, turnId: string, options: ReachOptions): Promise<void> {
  const { client } = await reachGateway(context, options);
  const whole = await client.transcript(turnId);
  if (context.json) return context.emit(whole);
  for (const message of whole.messages) context.print(`${messageText(message, context)}\n`);
}

function messageText(message: TranscriptMessage, { colours }: Context): string {
  const parts = [colours.bold(message.role)];
  if (message.text) parts.push(visible(message.text));
  for (const call of message.calls ?? []) {
    parts.push(visible(`→ ${call.callId} ${call.name} ${JSON.stringify(call.arguments)}`));
  }
  for (const result of message.results ?? []) parts.push(visible(`← ${result.callId} ${result.name}\n${result.text}`));
  return parts.join('\n');
}

export async function steer(context: Context, turnId: string, text: string, options: ReachOptions): Promise<void> {
  const words = await wordsFrom(text, 'message');
  const { client } = await reachGateway(context, options);
  const outcome = await client.steer(turnId, { text: words, id: ulid() });
  if (context.json) return context.emit(outcome);
  context.print(STEERED[outcome.state]);
}

const STEERED = {
  accepted: 'Taken; it is answered from the next step on.',
  queued: 'Stored; it is taken as soon as a worker is there.',
  taken: 'Taken.',
  handed_on: "The turn is ending; the session's next turn takes it.",
} as const;

export async function cancel(
  context: Context,
  turnId: string,
  options: ReachOptions & { reason?: string },
): Promise<void> {
  const { client } = await reachGateway(context, options);
  const outcome = await client.cancel(turnId, options.reason);
  if (context.json) return context.emit(outcome);
  context.print(outcome.state === 'cancelled' ? 'Cancelled.' : 'Cancelling.');
}

function age({ startedAt, endedAt }: Turn): string {
  if (startedAt === undefined) return '';
  return elapsed((endedAt === undefined ? Date.now() : Date.parse(endedAt)) - Date.parse(startedAt));
}

const look = (context: Context) => ({
  colours: context.colours,
  width: process.stdout.isTTY ? process.stdout.columns : undefined,
});
