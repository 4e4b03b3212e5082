// The view for screen readers: whole sentences, no pictures, no colour, nothing that has to be seen.
import { elapsedWords, plural } from '../durations.ts';
import { visible, visibleLine } from '../printable.ts';
import { between, hintOf, RESULT_LINES, reasonOf, type Wording } from './wording.ts';

export const plainWording: Wording = {
  started: (event) => `Turn ${visibleLine(event.turnId)} started, agent ${visibleLine(event.agent)}.`,
  reset: () => 'The text of this step is taken back. The model begins it again.',
  toolCall: (event) => `Tool ${visibleLine(event.tool)} started: ${visibleLine(hintOf(event.summary))}`,
  toolProgress: () => undefined,
  toolResult: (event) => {
    const head = `Tool ${visibleLine(event.tool)}`;
    const after = `after ${elapsedWords(event.durationMs)}`;
    if (event.status === 'replaced') return `${head} was not run; its result was replaced.`;
    if (!event.success) {
      const word = event.status === 'failed' ? `failed ${after}` : event.status.replaceAll('_', ' ');
      return `${head} ${word}: ${visibleLine(reasonOf(event.text))}`;
    }
    const lines = visible(event.text).trimEnd().split('\n');
    const more = lines.length - RESULT_LINES;
    return [
      `${head} finished ${after}. Result, ${plural(lines.length, 'line')}:`,
      ...lines.slice(0, RESULT_LINES),
      ...(more > 0 ? [`${plural(more, 'more line')}.`] : []),
    ].join('\n');
  },
  asked: (event) => {
    const reasons = event.risk.reasons.length ? ` (${event.risk.reasons.join('; ')})` : '';
    const head = {
      tool: `Approval needed for tool ${event.tool}, risk ${event.risk.level}${reasons}: ${event.summary}`,
      question: `Question: ${event.summary}`,
      budget: `Budget reached: ${event.summary}`,
      unknown: `The outcome of tool ${event.tool} is unknown: ${event.summary}`,
    }[event.kind];
    const left = elapsedWords(between(event.at, event.expiresAt));
    return `${visibleLine(head)}\nId ${visibleLine(event.approvalId)}. Open for ${left}.`;
  },
  resolved: (event, asked) => {
    const what = asked ? `${asked.kind === 'tool' ? 'Approval' : 'Question'} for ${asked.tool}` : 'Question';
    const note = event.note ? ` Note: ${event.note}` : '';
    return visibleLine(`${what}: ${event.choice ?? event.state} by ${event.by}.${note}`);
  },
  steering: (event) => {
    const word = { taken: 'taken', handed_on: 'kept for the next turn', refused: 'refused' }[event.state];
    return `Steering message ${word}: ${visibleLine(event.text)}`;
  },
  trimmed: (event) => `${plural(event.dropped, 'older message')} left out of what the model sees.`,
  plan: (event) =>
    ['Plan:', ...event.items.map((item, at) => `${at + 1}. ${visibleLine(`${item.text}, ${item.state}`)}`)].join('\n'),
  childStarted: (event) => `Child turn ${visibleLine(event.turnId)} started.`,
  childEnded: (event) => `Child turn ${visibleLine(event.turnId)} ended: ${visibleLine(event.status)}.`,
  control: (event) => `The engine is ${event.state} by ${visibleLine(event.by)}.`,
  ended: (event, ms) => {
    const { usage } = event;
    return [
      `Turn ${event.status}${ms === undefined ? '' : ` after ${elapsedWords(ms)}`}.`,
      `Reason: ${visibleLine(event.error ? `${event.stopReason}, ${event.error.message}` : event.stopReason)}.`,
      `${usage.inputTokens} tokens in, ${usage.outputTokens} out${usage.costUsd > 0 ? `, ${usage.costUsd.toFixed(4)} dollars` : ''}.`,
      ...(event.note ? [visible(event.note)] : []),
    ].join(' ');
  },
};
