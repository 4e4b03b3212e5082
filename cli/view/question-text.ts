// The whole of a question, for `v` and `?`: everything a person needs, nothing that can move the cursor.
import type { Approval } from '../../client/types.ts';
import { visible, visibleLine } from '../printable.ts';

/** Every argument in full, values with line ends as blocks. */
export function wholeQuestion({ tool, arguments: args, approvalId, turnId, path }: Approval): string {
  const lines = [`${visibleLine(tool)}  ${visibleLine(approvalId)}  turn ${visibleLine(turnId)}`];
  if (path.length > 1) lines.push(`asked by ${path.map(visibleLine).join(' ▸ ')}`);
  if (args === null || typeof args !== 'object' || Array.isArray(args))
    return [...lines, visible(JSON.stringify(args, null, 2))].join('\n');
  for (const [name, value] of Object.entries(args)) {
    const text = typeof value === 'string' ? visible(value) : visible(JSON.stringify(value, null, 2));
    if (!text.includes('\n')) lines.push(`  ${visibleLine(name)}: ${text}`);
    else lines.push(`  ${visibleLine(name)}:`, ...text.split('\n').map((line) => `    ${line}`));
  }
  return lines.join('\n');
}

export function whyAsked({ risk, kind, expiresAt }: Approval): string {
  const reasons = risk.reasons.length ? risk.reasons.join('; ') : 'no reason was recorded';
  const risky = kind === 'tool' ? `Risk ${risk.level}: ${reasons}.` : `${reasons}.`;
  return visibleLine(`${risky} Without an answer by ${expiresAt} it is not run.`);
}
