// Texts that are given as a file, as `-` for stdin, or as they are.
import { readFile } from 'node:fs/promises';
import { usageError } from './exit.ts';

/** `-` reads stdin to its end. @throws CliError (usage) when the file cannot be read */
export async function textFrom(file: string, flag: string): Promise<string> {
  if (file === '-') return readStdin();
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = (error as { code?: string }).code ?? 'unknown fault';
    throw usageError(`${flag}: ${file} cannot be read (${code}).`);
  }
}

/** A text on the command line; `-` reads stdin. @throws CliError (usage) when it is empty */
export async function wordsFrom(given: string, what: string): Promise<string> {
  const text = given === '-' ? await readStdin() : given;
  if (text.trim() === '') throw usageError(`The ${what} is empty.`);
  return text;
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
