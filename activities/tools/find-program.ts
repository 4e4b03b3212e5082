/** Which programs this machine has, looked up once. */
import { existsSync } from 'node:fs';

let shellPath: string | undefined;

/** bash where there is one (it is what models write for), else sh. */
export function shellProgram(): string {
  shellPath ??= ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find((path) => existsSync(path)) ?? '/bin/sh';
  return shellPath;
}
