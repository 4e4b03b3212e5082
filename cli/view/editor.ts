// Lets a person change a text: in their editor when they have named one, else on one line.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askLine } from './line-input.ts';

export type Edited = { kind: 'text'; text: string } | { kind: 'stopped'; draft: string };

export type EditRequest = {
  question: string;
  initial: string;
  /** For the editor's highlighting, for example `json`. */
  extension: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
};

export async function editText(request: EditRequest): Promise<Edited> {
  const editor = request.env.VISUAL || request.env.EDITOR;
  if (editor) return editInEditor(editor, request);
  const line = await askLine(request.question, {
    initial: request.initial.replace(/\s*\n\s*/g, ' '),
    signal: request.signal,
  });
  return line.kind === 'line' ? { kind: 'text', text: line.text } : line;
}

async function editInEditor(editor: string, { initial, extension, signal }: EditRequest): Promise<Edited> {
  const folder = await mkdtemp(join(tmpdir(), 'everturn-edit-'));
  const file = join(folder, `text.${extension}`);
  try {
    await writeFile(file, initial, { mode: 0o600 });
    const code = await runEditor(editor, file, signal);
    const text = await readFile(file, 'utf8');
    return code === 0 && !signal.aborted ? { kind: 'text', text } : { kind: 'stopped', draft: text };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Through the shell, since people write arguments into `EDITOR` (`code --wait`). */
function runEditor(editor: string, file: string, signal: AbortSignal): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit', signal });
    child.once('error', () => resolve(1));
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
