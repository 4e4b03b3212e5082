// Finds the gateway that a command talks to: named by flags, else by what runs on the data folder.
import { createClient, type EverturnClient } from '../../client/client.ts';
import { configured } from '../configuration.ts';
import type { Context } from '../context.ts';
import { type DevRecord, isLive, readDevRecord } from '../dev/dev-record.ts';
import { readLocalToken } from '../dev/local-token.ts';
import { CliError, EXIT, usageError } from '../exit.ts';

/** The options that `reaching` adds to a command. */
export type ReachOptions = { url?: string; token?: string; data?: string };

export type Reached = { client: EverturnClient; url: string };

/** @throws CliError when nothing answers, or it is not said which token to use */
export async function reachGateway(context: Context, options: ReachOptions): Promise<Reached> {
  if (options.url !== undefined)
    return connected(urlOf(options.url), options.token ?? (await anyToken(context, options)));
  const { config } = await configured({ path: context.flags.config, flags: { data: options.data } });
  const found = await runningOn(config.data, { host: config.gateway.host, port: config.gateway.port });
  if (found === undefined) throw nothingRuns(config.data);
  const token = options.token ?? (await readLocalToken(config.data));
  if (token === undefined) throw noToken();
  return connected(found.url, token);
}

/** What serves a data folder on this machine; undefined when nothing answers. `record` is missing for `everturn gateway`. */
export async function runningOn(
  data: string,
  gateway: { host: string; port: number },
): Promise<{ url: string; record: DevRecord | undefined } | undefined> {
  const record = readDevRecord(data);
  if (record?.ready && isLive(record) && (await answers(record.ready.gateway)))
    return { url: record.ready.gateway, record };
  // Without a token of this folder it cannot be ours; the usual port may well belong to another folder.
  const url = `http://${gateway.host}:${gateway.port}`;
  const token = gateway.port === 0 ? undefined : await readLocalToken(data);
  if (token === undefined || !(await accepts(url, token))) return undefined;
  return { url, record: undefined };
}

async function answers(url: string): Promise<boolean> {
  return (await look(`${url}/api/v1/health`, {}))?.ok === true;
}

async function accepts(url: string, token: string): Promise<boolean> {
  return (await look(`${url}/api/v1/status`, { authorization: `Bearer ${token}` }))?.ok === true;
}

async function look(url: string, headers: Record<string, string>): Promise<Response | undefined> {
  try {
    return await fetch(url, { headers, signal: AbortSignal.timeout(2_000) });
  } catch {
    return undefined;
  }
}

const connected = (url: string, token: string): Reached => ({
  client: createClient({ url, token, surface: 'cli' }),
  url,
});

function urlOf(text: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '');
  throw usageError(`--url ${JSON.stringify(text)} is no address.`, 'It looks like http://127.0.0.1:7410.');
}

/** For `--url` alone: the token of the data folder, when there is a configuration that names one. */
async function anyToken(context: Context, options: ReachOptions): Promise<string> {
  const { config } = await configured({ path: context.flags.config, flags: { data: options.data } });
  const token = await readLocalToken(config.data);
  if (token === undefined) throw noToken();
  return token;
}

const noToken = () =>
  new CliError(EXIT.denied, 'There is no token to call the gateway with.', {
    code: 'no_token',
    hint: 'Give one with --token; `everturn tokens create` makes them.',
  });

const nothingRuns = (data: string) =>
  new CliError(EXIT.failed, `Nothing answers for the data folder ${data}.`, {
    code: 'not_running',
    hint: 'Start `everturn dev` (or `everturn gateway`), or name a gateway with --url and --token.',
  });
