// `everturn doctor`: looks at everything that a start depends on; changes nothing but what a start itself would.

import type { Config } from '../../config/config.ts';
import { formatConfigError } from '../../config/errors.ts';
import { loadConfig } from '../../config/load.ts';
import { agentTools } from '../agent-tools.ts';
import type { Context } from '../context.ts';
import { engine, isEmbedded } from '../doctor/engine.ts';
import { type Finding, fault, ok, reasonOf, warning } from '../doctor/finding.ts';
import { diskSpace, nodeVersion, sandbox, temporalCli } from '../doctor/machine.ts';
import { providers } from '../doctor/providers.ts';
import { dataFolder, fileModes, secrets, store } from '../doctor/state.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { visible } from '../printable.ts';

type Options = { data?: string; providers?: boolean };

export async function doctor(context: Context, options: Options): Promise<ExitCode> {
  const loaded = await loadConfig({ path: context.flags.config, flags: { data: options.data } });
  const findings = [nodeVersion(), ...configFindings(loaded)];
  if (loaded.kind === 'ok')
    findings.push(...(await deployment(loaded.config, { env: context.env, ask: options.providers === true })));
  else findings.push(await temporalCli(true), await sandbox());
  const faults = findings.filter(({ state }) => state === 'fault').length;
  if (context.json) context.emit({ ok: faults === 0, findings });
  else for (const finding of findings) show(context, finding);
  if (loaded.kind !== 'ok') return EXIT.configuration;
  return faults === 0 ? EXIT.ok : EXIT.failed;
}

async function deployment(config: Config, { env, ask }: { env: NodeJS.ProcessEnv; ask: boolean }): Promise<Finding[]> {
  const groups = await Promise.all([
    temporalCli(isEmbedded(config)),
    dataFolder(config),
    diskSpace(config.data),
    store(config),
    fileModes(config),
    secrets(config),
    engine(config, env),
    tools(config),
    sandbox(),
    ask ? providers(config) : [],
  ]);
  return groups.flat();
}

function configFindings(loaded: Awaited<ReturnType<typeof loadConfig>>): Finding[] {
  const more = { effect: 'start is blocked', fix: 'everturn config validate' };
  if (loaded.kind === 'errors') return loaded.errors.map((error) => fault('config', formatConfigError(error), more));
  if (loaded.kind === 'missing') return [fault('config', loaded.message, { ...more, fix: 'everturn init' })];
  return [
    ok('config', `${loaded.file} is valid`),
    ...loaded.notes.map((note) =>
      warning('encryption', note, {
        effect: 'who may read the Temporal server sees summaries, hashes and ids of turns; texts are in the store',
        fix: 'keep the server and its file to yourself until encryption is built',
      }),
    ),
  ];
}

async function tools(config: Config): Promise<Finding[]> {
  try {
    const { problems, registry } = await agentTools(config, Object.keys(config.agents)[0]);
    if (problems.length === 0) return [ok('tools', `${registry.size} tools load`)];
    return problems.map(({ message }) =>
      fault('tools', message, {
        effect: 'its tools are missing; everything else works',
        fix: 'mend the module, or take it out of tools.modules',
      }),
    );
  } catch (error) {
    return [fault('tools', reasonOf(error), { effect: 'turns cannot start', fix: 'as the message says' })];
  }
}

function show(context: Context, { state, check, what, effect, fix }: Finding): void {
  const { green, yellow, red, dim } = context.colours;
  const word = { ok: green('ok     '), warning: yellow('warning'), fault: red('fault  ') }[state];
  context.print(`${word}  ${check}: ${visible(what)}`);
  if (effect) context.print(dim(`         effect: ${visible(effect)}`));
  if (fix) context.print(dim(`         fix: ${visible(fix)}`));
}
