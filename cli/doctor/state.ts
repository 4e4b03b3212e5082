// The state of a deployment: its folder, its store, its keys and secrets.
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config, SecretRef } from '../../config/config.ts';
import { loadSecrets } from '../../config/secrets.ts';
import { tokenFile } from '../dev/local-token.ts';
import { openGround } from '../ground.ts';
import { type Finding, fault, ok, reasonOf, warning } from './finding.ts';
import { nearestFolder } from './machine.ts';

export function dataFolder(config: Config): Finding {
  const folder = nearestFolder(config.data);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return ok(
      'data',
      existsSync(config.data) ? `${config.data} can be written` : `${config.data} is made at the first start`,
    );
  } catch {
    return fault('data', `${folder} cannot be written`, {
      effect: 'start is blocked',
      fix: `make it writable for this user, or name another folder with \`data\``,
    });
  }
}

export async function store(config: Config): Promise<Finding> {
  if (!existsSync(config.store.path)) return ok('store', `${config.store.path} is made at the first start`);
  try {
    const ground = await openGround(config);
    try {
      await ground.store.check();
      const open = (await ground.store.turns.open()).length;
      return ok('store', `${config.store.path} opens, is up to date and can be written; ${open} open turns`);
    } finally {
      await ground.store.close();
    }
  } catch (error) {
    return fault('store', reasonOf(error), { effect: 'start is blocked', fix: 'as the message says' });
  }
}

/** Keys, tokens and secrets that lie in files are for their owner alone. */
export function fileModes(config: Config): Finding {
  const refs: SecretRef[] = [
    config.security.deploymentKey,
    ...config.security.retiredKeys,
    ...Object.values(config.providers).flatMap((each) =>
      each.kind !== 'scripted' && each.apiKey ? [each.apiKey] : [],
    ),
  ];
  const files = [
    ...refs.flatMap((ref) => ('file' in ref ? [ref.file] : [])),
    tokenFile(config.data),
    join(config.data, 'dev.json'),
  ];
  const open = files.filter((file) => existsSync(file) && (statSync(file).mode & 0o077) !== 0);
  if (process.platform === 'win32' || open.length === 0) return ok('file-modes', 'key files are for their owner alone');
  return fault('file-modes', `others may read ${open.join(', ')}`, {
    effect: 'whoever reads the deployment key can sign decisions',
    fix: `chmod 600 ${open.join(' ')}`,
  });
}

export async function secrets(config: Config): Promise<Finding[]> {
  const { problems } = await loadSecrets(config);
  if (problems.length === 0) return [ok('secrets', 'every secret that is referred to can be read')];
  return problems.map(({ path, kind, message }) => {
    const what = `${path}: ${message}`;
    if (kind === 'short')
      return warning('secrets', what, { effect: 'it may show in events and logs', fix: 'use a longer one' });
    if (kind === 'open_mode') return warning('secrets', what, { effect: 'others can read it', fix: 'chmod 600 it' });
    return warning('secrets', what, {
      effect: 'calls to this provider fail',
      fix: 'set it, or take the reference out',
    });
  });
}
