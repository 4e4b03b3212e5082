// The view for people who see: one card a tool, progress lines as C9.4 words them.
import type { Colours } from '../colour.ts';
import { elapsed } from '../durations.ts';
import { visible, visibleLine } from '../printable.ts';
import { between, hintOf, RESULT_LINES, reasonOf, type Wording } from './wording.ts';

export function cardWording(colours: Colours): Wording {
  const { dim, bold, red, yellow, green, cyan } = colours;
  return {
    started: (event) => dim(`turn ${visibleLine(event.turnId)} · ${visibleLine(event.agent)}`),
    reset: () => yellow('↺ the text above of this step is taken back; the model begins it again'),
    toolCall: (event) => `${cyan('⏳')} ${bold(visibleLine(event.tool))}: ${visibleLine(hintOf(event.summary))}`,
    toolProgress: () => undefined,
    toolResult: (event) => [resultHead(event, colours), ...resultBody(event).map((line) => dim(line))].join('\n'),
    asked: (event) => {
      const left = elapsed(between(event.at, event.expiresAt));
      const risk = `${event.risk.level} risk${event.risk.reasons.length ? `: ${event.risk.reasons.join('; ')}` : ''}`;
      const what = event.kind === 'tool' ? `Approval needed: ${event.tool}` : `${QUESTION[event.kind]}: ${event.tool}`;
      return [
        `${yellow('⏸')} ${bold(visibleLine(what))}  ${event.kind === 'tool' ? dim(`[${visibleLine(risk)}]`) : ''}`.trimEnd(),
        `  ${visibleLine(event.summary)}`,
        dim(`  ${visibleLine(event.approvalId)} · open for ${left}`),
      ].join('\n');
    },
    resolved: (event, asked) => {
      const tool = asked ? `${asked.tool}: ` : '';
      const note = event.note ? ` — ${event.note}` : '';
      const said = `${tool}${event.choice ?? event.state} by ${event.by}${note}`;
      return `${event.choice === 'deny' || event.state !== 'decided' ? red('✘') : green('✔')} ${visibleLine(said)}`;
    },
    steering: (event) => dim(`↪ ${visibleLine(`${STEERING[event.state]}: ${event.text}`)}`),
    trimmed: (event) => dim(`✂ ${event.dropped} older messages are left out of what the model sees`),
    plan: (event) => event.items.map((item) => `${MARK[item.state] ?? '○'} ${visibleLine(item.text)}`).join('\n'),
    childStarted: (event) => dim(`▸ child turn ${visibleLine(event.turnId)} started`),
    childEnded: (event) => dim(`▸ child turn ${visibleLine(event.turnId)} ${visibleLine(event.status)}`),
    control: (event) => yellow(`⏸ ${event.state} by ${visibleLine(event.by)}`),
    ended: (event, ms) => {
      const colour = event.status === 'completed' ? green : event.status === 'cancelled' ? yellow : red;
      const why = event.error ? `${event.stopReason} — ${event.error.message}` : event.stopReason;
      const { usage } = event;
      const parts = [
        colour(event.status),
        visibleLine(why),
        `${usage.inputTokens} in, ${usage.outputTokens} out`,
        ...(usage.costUsd > 0 ? [`$${usage.costUsd.toFixed(4)}`] : []),
        ...(ms === undefined ? [] : [elapsed(ms)]),
      ];
      const note = event.note ? `\n${dim(visible(event.note))}` : '';
      return `${parts.join(dim(' · '))}${note}`;
    },
  };
}

export const QUESTION = {
  tool: 'Approval needed',
  question: 'Question',
  budget: 'Budget reached',
  unknown: 'Outcome unknown',
} as const;

const STEERING = { taken: 'steering taken', handed_on: 'kept for the next turn', refused: 'refused' } as const;

const MARK: Record<string, string> = { done: '●', completed: '●', in_progress: '◐', active: '◐' };

function resultHead(event: Parameters<Wording['toolResult']>[0], { bold, red, green, yellow, dim }: Colours): string {
  const tool = bold(visibleLine(event.tool));
  const took = dim(`(${elapsed(event.durationMs)})`);
  if (event.status === 'replaced') return `${yellow('✏')} ${tool}: replaced`;
  if (event.success) return `${green('✅')} ${tool} ${took}`;
  const word = event.status === 'failed' ? '' : `${event.status.replaceAll('_', ' ')}: `;
  return `${red('❌')} ${tool} ${took}: ${word}${visibleLine(reasonOf(event.text))}`;
}

/** The first lines of a result, indented; a failed one's first line is in the head already. */
function resultBody({ text, success, status }: Parameters<Wording['toolResult']>[0]): string[] {
  const lines = visible(text).trimEnd().split('\n');
  if ((!success && status !== 'replaced') || lines[0] === '') lines.shift();
  const shown = lines.slice(0, RESULT_LINES).map((line) => `   ${line}`);
  return lines.length > RESULT_LINES ? [...shown, `   … ${lines.length - RESULT_LINES} more lines`] : shown;
}
