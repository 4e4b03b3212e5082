// A throw-away folder with a configuration in it, and what came of loading it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Loaded } from '../../config/check.ts';
import { type ConfigError, formatConfigError } from '../../config/errors.ts';
import { type LoadOptions, loadConfig } from '../../config/load.ts';

export function makeFolder(files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'everturn-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** The least that is a configuration. */
export const SMALL = `providers:
  local:
    kind: openai-compatible
    base_url: http://127.0.0.1:11434/v1
    models: { small: {}, large: { context_tokens: 1000 } }
agents:
  main: { model: local/small }
`;

type Options = Omit<LoadOptions, 'cwd'> & { folder?: string };

export async function load(text: string, options: Options = {}): Promise<Loaded & { folder: string }> {
  const folder = options.folder ?? makeFolder();
  writeFileSync(join(folder, 'everturn.yaml'), text);
  const result = await loadConfig({ env: {}, ...options, cwd: folder });
  if (result.kind === 'errors') throw new Error(result.errors.map(formatConfigError).join('\n'));
  if (result.kind === 'missing') throw new Error(result.message);
  return { ...result, folder };
}

export async function errorsOf(text: string, options: Options = {}): Promise<ConfigError[]> {
  const folder = options.folder ?? makeFolder();
  writeFileSync(join(folder, 'everturn.yaml'), text);
  const result = await loadConfig({ env: {}, ...options, cwd: folder });
  return result.kind === 'errors' ? result.errors : [];
}
