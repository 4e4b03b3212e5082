/** Every tool of a worker, by name: the built-in ones first, then those of users' modules (C2.2). */
import { type BuiltInOptions, builtInTools } from './built-in/index.ts';
import { loadToolModules, type ToolProblem } from './load-modules.ts';
import type { Tool, ToolRegistry } from './types.ts';

export type { ToolProblem } from './load-modules.ts';

export type RegistryOptions = BuiltInOptions & {
  /** Absolute paths of users' tool modules. */
  modules?: readonly string[];
};

/** @returns never throws for a bad module: it is listed under `problems`, and everything else is there */
export async function createRegistry(
  options: RegistryOptions = {},
): Promise<{ registry: ToolRegistry; problems: ToolProblem[] }> {
  const registry = new Map<string, Tool>(builtInTools(options).map((tool) => [tool.name, tool]));
  const problems: ToolProblem[] = [];
  // One module at a time, so that a clash is reported with its file.
  for (const file of options.modules ?? []) {
    const loaded = await loadToolModules([file]);
    problems.push(...loaded.problems);
    for (const tool of loaded.tools) {
      if (registry.has(tool.name)) {
        const message = `${file}: a tool named "${tool.name}" exists already; rename this one. The first one is used.`;
        problems.push({ file, message });
      } else {
        registry.set(tool.name, tool);
      }
    }
  }
  return { registry, problems };
}
