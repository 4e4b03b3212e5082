/** Loads users' tool modules. One that fails is named with its reason and a next step; the others still load. */
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nameFault } from './tool-name.ts';
import type { Tool } from './types.ts';

export type ToolProblem = { file: string; message: string };

export type LoadedTools = { tools: Tool[]; problems: ToolProblem[] };

/** Milliseconds a module may take to load; a top-level `await` that never ends must not hold up the worker. */
const LOAD_MS = 15_000;

/**
 * @param paths absolute paths of JavaScript or TypeScript modules whose exports are tools, or lists of tools
 * @returns in the order of `paths`, by name within one module; of two tools with one name the first stays
 */
export async function loadToolModules(paths: readonly string[]): Promise<LoadedTools> {
  const loaded: LoadedTools = { tools: [], problems: [] };
  for (const file of paths) {
    try {
      for (const value of candidates(await importModule(file))) take(loaded, file, value);
    } catch (error) {
      loaded.problems.push({ file, message: messageOf(file, error) });
    }
  }
  return loaded;
}

async function importModule(file: string): Promise<Record<string, unknown>> {
  if (isAbsolute(file) && !existsSync(file)) {
    throw new LoadFault('there is no such file. Correct the path under tools.modules, or remove it there.');
  }
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const why = `it did not finish loading within ${LOAD_MS / 1000} s; look for a top-level await that never ends`;
    timer = setTimeout(() => reject(new Error(why)), LOAD_MS);
  });
  try {
    const url = isAbsolute(file) ? pathToFileURL(file).href : file;
    return await Promise.race([import(url) as Promise<Record<string, unknown>>, late]);
  } finally {
    clearTimeout(timer);
  }
}

function candidates(module: Record<string, unknown>): unknown[] {
  const values = [...new Set(Object.values(module))].flatMap((value) => (Array.isArray(value) ? value : [value]));
  const tools = values.filter((value) => typeof value === 'object' && value !== null);
  const named = (tool: unknown) => String((tool as { name?: unknown }).name);
  tools.sort((a, b) => (named(a) < named(b) ? -1 : 1));
  if (tools.length === 0) throw new Error('it exports no tool; export what defineTool gives back');
  return tools;
}

function take(loaded: LoadedTools, file: string, value: unknown): void {
  const tool = value as Tool;
  const fault = shapeFault(tool);
  const twice = loaded.tools.some(({ name }) => name === tool.name);
  if (fault) {
    loaded.problems.push({ file, message: `${file}: ${fault}. Make tools with defineTool and export them.` });
  } else if (twice) {
    const message = `${file}: a tool named "${tool.name}" exists already; rename this one. The first one is used.`;
    loaded.problems.push({ file, message });
  } else {
    // Whatever it says of itself: what comes from a module is an extension, run by an activity.
    loaded.tools.push({ ...tool, provenance: 'extension', executor: 'activity' });
  }
}

function shapeFault(tool: Tool): string | undefined {
  const { name, description, parameters, execute, assess, effect, timeoutMs } = tool;
  if (typeof execute !== 'function' || typeof assess !== 'function') return 'it exports an object that is no tool';
  const named = nameFault(name);
  if (named) return `it exports a tool with the name ${JSON.stringify(name)}: ${named}`;
  if (typeof description !== 'string' || typeof parameters !== 'object' || parameters === null) {
    return `the tool "${name}" has no description or no parameters`;
  }
  if (!['none', 'idempotent', 'once'].includes(effect) || !(timeoutMs > 0)) {
    return `the tool "${name}" has no valid effect or timeoutMs`;
  }
  return undefined;
}

class LoadFault extends Error {}

function messageOf(file: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof LoadFault) return `${file}: ${message}`;
  return `${file}: it could not be loaded: ${message}. Correct the module, or remove it under tools.modules.`;
}
