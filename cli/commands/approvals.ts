// What waits for a decision, and deciding it.
import { ulid } from 'ulid';
import type { Approval, DecisionRequest } from '../../client/types.ts';
import { type ReachOptions, reachGateway } from '../api/reach.ts';
import type { Context } from '../context.ts';
import { elapsed } from '../durations.ts';
import { CliError, EXIT, type ExitCode, usageError } from '../exit.ts';
import { visibleLine } from '../printable.ts';
import { table } from '../table.ts';
import { textFrom } from '../text-source.ts';
import { argumentsFrom } from '../view/asker.ts';
import { wholeQuestion, whyAsked } from '../view/question-text.ts';

type ListOptions = ReachOptions & { turn?: string; decided?: boolean; limit: number };

export async function list(context: Context, options: ListOptions): Promise<void> {
  const { client } = await reachGateway(context, options);
  const query = {
    state: options.decided ? ('decided' as const) : ('open' as const),
    ...(options.turn ? { turn: options.turn } : {}),
  };
  const items: Approval[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.approvals.list(cursor === undefined ? query : { ...query, cursor });
    items.push(...page.items);
    cursor = page.next;
  } while (cursor !== undefined && items.length < options.limit);
  const shown = items.slice(0, options.limit);
  if (context.json) return context.emit({ items: shown, ...(cursor === undefined ? {} : { next: cursor }) });
  if (shown.length === 0)
    return context.note(options.decided ? 'Nothing was decided yet.' : 'Nothing waits for a decision.');
  const width = process.stdout.isTTY ? process.stdout.columns : undefined;
  const rows = shown.map((approval) => [
    approval.approvalId,
    approval.kind,
    approval.risk.level,
    options.decided
      ? `${approval.decision?.choice ?? approval.state} by ${approval.decision?.by ?? '-'}`
      : left(approval),
    `${approval.tool}: ${approval.summary}`,
  ]);
  const head = ['APPROVAL', 'KIND', 'RISK', options.decided ? 'DECISION' : 'LEFT', 'WHAT'];
  context.print(table(head, rows, { colours: context.colours, width }));
  if (cursor !== undefined) context.note('There are more; see --limit.');
}

const left = ({ expiresAt }: Approval): string => elapsed(Date.parse(expiresAt) - Date.now());

export async function show(context: Context, approvalId: string, options: ReachOptions): Promise<void> {
  const { client } = await reachGateway(context, options);
  const approval = await client.approvals.get(approvalId);
  if (context.json) return context.emit(approval);
  context.print(wholeQuestion(approval));
  if (approval.state === 'open') {
    context.print(`\n${whyAsked(approval)}`);
    context.print(visibleLine(`Answers: ${approval.choices.join(', ')}.`));
  } else {
    const { decision } = approval;
    const note = decision?.note ? ` — ${decision.note}` : '';
    context.print(visibleLine(`\n${decision?.choice ?? approval.state} by ${decision?.by ?? '-'}${note}`));
  }
}

type DecideOptions = ReachOptions & { note?: string; args?: string; text?: string; remember?: string };

const decider =
  (choice: string) =>
  (context: Context, approvalId: string, options: DecideOptions): Promise<ExitCode> =>
    decide(context, approvalId, choice, options);

export const approve = decider('approve');
export const deny = decider('deny');
export const edit = decider('edit');
export const replace = decider('replace');

export async function answer(
  context: Context,
  approvalId: string,
  choice: string | undefined,
  options: DecideOptions,
): Promise<ExitCode> {
  const choices = ['continue', 'stop', 'done', 'not_done', 'retry'];
  if (choice === undefined && options.text === undefined)
    throw usageError(`Give a choice (${choices.join(', ')}) or --text FILE.`);
  if (choice !== undefined && !choices.includes(choice)) {
    throw usageError(
      `${JSON.stringify(choice)} is no choice; there are ${choices.join(', ')}.`,
      'A text goes with --text FILE.',
    );
  }
  return decide(context, approvalId, choice ?? 'answer', options);
}

async function decide(context: Context, approvalId: string, choice: string, options: DecideOptions): Promise<ExitCode> {
  if (options.remember !== undefined) {
    throw new CliError(EXIT.usage, 'Remembering a decision is not built yet; decide this call alone.', {
      code: 'not_built',
    });
  }
  const given = await partsOf(options);
  const { client } = await reachGateway(context, options);
  const { argumentHash } = await client.approvals.get(approvalId);
  const outcome = await client.approvals.decide(approvalId, { argumentHash, choice, decisionId: ulid(), ...given });
  if (context.json) context.emit(outcome);
  if (outcome.state === 'already_decided') {
    if (!context.json) context.print(visibleLine(`Already decided by ${outcome.by} at ${outcome.at}.`));
    return EXIT.failed;
  }
  if (!context.json)
    context.print(outcome.state === 'accepted' ? 'Accepted.' : 'Stored; it is taken as soon as a worker is there.');
  return EXIT.ok;
}

async function partsOf({
  note,
  args,
  text,
}: DecideOptions): Promise<Pick<DecisionRequest, 'note' | 'arguments' | 'text'>> {
  const parsed = args === undefined ? undefined : argumentsFrom(await textFrom(args, '--args'));
  if (parsed?.ok === false) throw usageError(parsed.fault);
  return {
    ...(note === undefined ? {} : { note }),
    ...(parsed === undefined ? {} : { arguments: parsed.arguments }),
    ...(text === undefined ? {} : { text: await textFrom(text, '--text') }),
  };
}
