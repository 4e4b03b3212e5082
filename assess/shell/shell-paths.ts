/** The paths that a command line names (C11.3): redirect targets, operands, folders that it enters. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import type { PathPolicy } from '../../core/execution.ts';
import { judgeIn } from '../paths.ts';
import { placesOf } from '../places.ts';
import { type Arg, UNKNOWN } from './types.ts';

export type PathWish = {
  arg: Arg;
  access: 'read' | 'write';
  redirect?: boolean;
  /** `cd`: later relative paths may start from there. */
  enters?: boolean;
};

export type Touched = {
  paths: { path: string; access: 'read' | 'write' }[];
  blocked: string[];
  alarms: string[];
  /** A file is written by a redirect. */
  writes: boolean;
};

type Context = { workspace: string; policy: { paths: PathPolicy }; ownState: readonly string[]; directory?: string };

const MOST_PATHS = 200;
const MOST_FOLDERS = 8;
/** Streams that lead nowhere or to what the command has anyway; their links are different in every process. */
const STREAM = /^\/dev\/(?:null|zero|u?random|stdin|stdout|stderr|tty|fd\/\d+)$/;

export async function judgeShellPaths(wishes: readonly PathWish[], context: Context): Promise<Touched> {
  const touched: Touched = { paths: [], blocked: [], alarms: [], writes: false };
  if (wishes.length > MOST_PATHS) touched.alarms.push('more paths than can be judged');
  const places = await placesOf(context);
  let folders = [resolve(places.workspace, context.directory ?? '.')];
  for (const wish of wishes.slice(0, MOST_PATHS)) {
    for (const text of spellingsOf(wish.arg)) {
      if (STREAM.test(text)) continue;
      if (wish.redirect && wish.access === 'write') touched.writes = true;
      const path = knownPart(text, wish.arg);
      if (path === undefined) {
        unknown(wish, touched);
        continue;
      }
      for (const full of isAbsolute(path) || wish.arg.tilde ? [path] : folders.map((folder) => `${folder}/${path}`)) {
        if (isAbsolute(path) && !wish.redirect && !mayExist(path)) continue;
        const judged = await judgeIn(full, wish.access, places);
        if (judged.kind === 'blocked') touched.blocked.push(judged.reason);
        else touched.paths.push({ path: judged.resolved, access: wish.access });
        if (wish.enters && judged.kind === 'ok') folders = [...new Set([...folders, judged.resolved])];
      }
      if (folders.length > MOST_FOLDERS) {
        touched.alarms.push('enters more folders than can be judged');
        return touched;
      }
    }
  }
  return touched;
}

function unknown({ redirect, access, enters }: PathWish, touched: Touched): void {
  if (redirect && access === 'write') touched.alarms.push('writes to a file that is only known when it runs');
  if (enters) touched.alarms.push('enters a folder that is only known when it runs');
}

/** The part of a word that is fixed, when that is enough to judge it. */
function knownPart(text: string, { expands, tilde }: Arg): string | undefined {
  const quoted = !tilde && text.startsWith('~') ? `./${text}` : text;
  const home = tilde && (quoted === '~' || quoted.startsWith('~/')) ? `${homedir()}${quoted.slice(1)}` : quoted;
  const end = home.search(expands ? /[*?[\ufffc]/ : UNKNOWN);
  if (end === -1) return home;
  const folder = home.slice(0, end).lastIndexOf('/');
  const rest = home.slice(end);
  // Beyond the fixed part it may still climb out.
  if (rest.includes(UNKNOWN)) return folder > 0 && isAbsolute(home) ? home.slice(0, folder) : undefined;
  return folder === -1 ? '.' : home.slice(0, folder + 1) + (rest.includes('/..') ? '../'.repeat(8) : '');
}

/** `{a,b}` written out; what is too much to write out is judged by its fixed beginning. */
function spellingsOf({ text, expands }: Arg): string[] {
  if (!expands || !text.includes('{')) return [text];
  let open = [text];
  for (let round = 0; round < 5; round += 1) {
    const next = open.flatMap((each) => {
      const found = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(each);
      return found ? (found[2] as string).split(',').map((part) => `${found[1]}${part}${found[3]}`) : [each];
    });
    if (next.length > 64) return [UNKNOWN];
    open = next;
  }
  return open;
}

/** `/api/v1` as an operand is hardly a path when there is no `/api`. */
function mayExist(path: string): boolean {
  const first = path.split('/').find((part) => part !== '');
  return first === undefined || existsSync(`/${first}`);
}
