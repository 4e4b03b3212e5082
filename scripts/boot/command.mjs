// Runs another program to its end and keeps what it said.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Never rejects: a program that cannot be started has code -1 and says why.
 * @returns {Promise<{ code: number, out: string, said: string }>} `said` is both streams, in order
 */
export function run(program, args, options = {}) {
  return new Promise((resolve) => {
    let out = '';
    let said = '';
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    child.stdout.on('data', (chunk) => {
      out += chunk;
      said += chunk;
    });
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    child.once('error', (error) => resolve({ code: -1, out, said: error.message }));
    child.once('close', (code, signal) =>
      resolve({ code: code ?? -1, out, said: signal ? `${said}\n${signal}` : said }),
    );
  });
}

/** First file of that name on PATH. */
export function onPath(name, env = process.env) {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

export function lastLines(text, count = 15) {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
