/** What is known of a command line before it runs (C11.2). */
import type { Assessment } from '../../core/assessment.ts';
import type { PathPolicy, ShellPolicy } from '../../core/execution.ts';

export type ShellContext = {
  workspace: string;
  policy: { shell: ShellPolicy; paths: PathPolicy };
  ownState: readonly string[];
  directory?: string;
};

export async function assessShell(command: string, _context: ShellContext): Promise<Assessment> {
  return { effect: 'once', risk: { level: 'medium', reasons: [`runs ${command.slice(0, 40)}`] }, assessed: true };
}
