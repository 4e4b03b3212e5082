/** Which tool a written name means (C2.8, C3.4): the exact name, a unique suffix after `__`, then a usual spelling. */
import type { ToolShape } from './types.ts';

/** Spellings that models bring from elsewhere. Never a search or a browser: those do something else than a shell. */
const ALIASES: Record<string, readonly string[]> = {
  shell: ['bash', 'sh', 'zsh', 'exec', 'cmd', 'command', 'run_command', 'execute_command', 'shell_exec', 'run_shell'],
  file_read: ['read', 'read_file', 'readfile'],
  file_write: ['write', 'write_file', 'writefile'],
  file_edit: ['edit', 'edit_file'],
  file_list: ['list', 'ls', 'list_files', 'list_dir', 'list_directory'],
  memory_recall: ['recall', 'recall_memory'],
  memory_store: ['store', 'store_memory'],
  memory_forget: ['forget', 'forget_memory'],
  http_request: ['fetch', 'curl', 'wget', 'http'],
};

const MEANT = new Map(Object.entries(ALIASES).flatMap(([name, spelt]) => spelt.map((alias) => [alias, name] as const)));

export type FindTool = (written: string) => ToolShape | undefined;

/** @param tools the effective set: nothing else can be meant */
export function toolFinder(tools: readonly ToolShape[]): FindTool {
  const exact = new Map(tools.map((tool) => [tool.name, tool]));
  const suffixes = new Map<string, ToolShape | undefined>();
  for (const tool of tools) {
    const cut = tool.name.indexOf('__');
    if (cut === -1) continue;
    const suffix = tool.name.slice(cut + 2);
    suffixes.set(suffix, suffixes.has(suffix) ? undefined : tool);
  }
  return (written) => {
    const name = written.trim();
    return exact.get(name) ?? suffixes.get(name) ?? exact.get(MEANT.get(name.toLowerCase()) ?? '');
  };
}
