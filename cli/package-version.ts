// The version of this very program.
import { readFileSync } from 'node:fs';
import { packageFile } from './package-file.ts';

export function packageVersion(): string {
  return (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version;
}
