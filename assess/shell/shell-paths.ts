/** The paths that a command line names (C11.3): redirect targets, operands, and the folders that it enters on its way. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import type { PathPolicy } from '../../core/execution.ts';
import { judgeIn, type PathJudgement } from '../paths.ts';
import { isVersionControl, type Places, placesOf } from '../places.ts';
import { Folders } from './folders.ts';
import { type Arg, UNKNOWN, type Where } from './types.ts';

export type PathWish = {
  arg: Arg;
  access: 'read' | 'write';
  where: Where;
  redirect?: boolean;
  /** `cd`: later relative paths start from there. */
  enters?: boolean;
};

export type Touched = {
  paths: { path: string; access: 'read' | 'write' }[];
  blocked: string[];
  /** High by themselves. */
  alarms: string[];
  /** At least medium. */
  doubts: string[];
  /** A file is written by a redirect. */
  writes: boolean;
};

type Context = { workspace: string; policy: { paths: PathPolicy }; ownState: readonly string[]; directory?: string };

const MOST_PATHS = 200;
/** Streams that lead nowhere or to what the command has anyway; their links are different in every process. */
const STREAM = /^\/dev\/(?:null|zero|u?random|stdin|stdout|stderr|tty|fd\/\d+)$/;

export async function judgeShellPaths(wishes: readonly PathWish[], context: Context): Promise<Touched> {
  const touched: Touched = { paths: [], blocked: [], alarms: [], doubts: [], writes: false };
  if (wishes.length > MOST_PATHS) touched.alarms.push('more paths than can be judged');
  const places = await placesOf(context);
  const folders = new Folders(resolve(places.workspace, context.directory ?? '.'));
  for (const wish of wishes.slice(0, MOST_PATHS)) {
    for (const text of spellingsOf(wish.arg)) await judgeOne(wish, text, { touched, places, folders });
  }
  return touched;
}

type State = { touched: Touched; places: Places; folders: Folders };

async function judgeOne(wish: PathWish, text: string, state: State): Promise<void> {
  const { touched, folders } = state;
  if (STREAM.test(text)) return;
  if (wish.redirect && wish.access === 'write') touched.writes = true;
  const path = knownPart(text, wish.arg);
  const relative = path !== undefined && !isAbsolute(path) && !path.startsWith('~');
  const climbs = relative && wish.where.repeats && /(?:^|\/)\.\.(?:\/|$)/.test(path);
  const lost = relative && folders.isLost(wish.where.scope);
  if (path === undefined || climbs || lost) return unknown(wish, state);
  if (isAbsolute(path) && !wish.redirect && !mayExist(path)) return;
  const from = relative ? folders.of(wish.where.scope) : [''];
  const judged = await Promise.all(
    from.map((folder) => judgeIn(relative ? `${folder}/${path}` : path, wish.access, state.places)),
  );
  take(wish, judged, state);
}

/** From several possible folders a path may be fine or not: then somebody must look, unless what is closed is touched. */
function take(wish: PathWish, judged: readonly PathJudgement[], { touched, folders }: State): void {
  const fine = judged.filter((each) => each.kind === 'ok');
  const refused = judged.filter((each) => each.kind === 'blocked');
  const [worst] = refused.filter(({ closed }) => closed);
  if (worst) touched.blocked.push(worst.reason);
  else if (refused[0] && fine.length === 0) touched.blocked.push(refused[0].reason);
  else if (refused[0]) touched.doubts.push(`may touch what is closed: ${refused[0].reason}`);
  for (const { resolved } of fine) {
    touched.paths.push({ path: resolved, access: wish.access });
    if (wish.access === 'write' && isVersionControl(resolved))
      touched.alarms.push('writes into the version control folder');
    if (wish.enters) folders.enter(resolved, wish.where);
  }
}

function unknown({ redirect, access, enters, where }: PathWish, { touched, folders }: State): void {
  if (redirect && access === 'write') touched.alarms.push('writes to a file that is only known when it runs');
  else touched.doubts.push('touches a path that is only known when it runs');
  if (enters) folders.lose(where.scope);
}

/** The part of a word that is fixed, when that is enough to judge it. */
function knownPart(text: string, { expands, tilde }: Arg): string | undefined {
  const quoted = !tilde && text.startsWith('~') ? `./${text}` : text;
  const home = tilde && (quoted === '~' || quoted.startsWith('~/')) ? `${homedir()}${quoted.slice(1)}` : quoted;
  if (home.includes(UNKNOWN)) return undefined;
  const end = expands ? home.search(/[*?[]|[@!+]\(/) : -1;
  if (end === -1) return home;
  // Behind a pattern it may still climb out.
  if (/\/\.\.(?:\/|$)/.test(home.slice(end))) return undefined;
  return home.slice(0, home.slice(0, end).lastIndexOf('/') + 1) || '.';
}

/** Variables and `{a,b}` written out; what is too much to write out is unknown. */
function spellingsOf({ text, values, expands }: Arg): string[] {
  const texts = values ?? [text];
  if (!expands || !texts.some((each) => each.includes('{'))) return texts;
  let open = texts;
  for (let round = 0; round < 6; round += 1) {
    open = open.flatMap(writtenOut);
    if (open.length > 64) return [UNKNOWN];
  }
  return open;
}

function writtenOut(text: string): string[] {
  const found = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(text);
  return found ? (found[2] as string).split(',').map((part) => `${found[1]}${part}${found[3]}`) : [text];
}

/** `/api/v1` as an operand is hardly a path when there is no `/api`. */
function mayExist(path: string): boolean {
  const first = path.split('/').find((part) => part !== '');
  return first === undefined || existsSync(`/${first}`);
}
