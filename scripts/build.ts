// `npm run build`: JavaScript and declarations in `dist/`, for publishing only; nothing here needs it to run.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

rmSync(join(root, 'dist'), { recursive: true, force: true });
const tsc = join(root, 'node_modules/typescript/bin/tsc');
const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.publish.json'], { cwd: root, stdio: 'inherit' });
process.exitCode = status ?? 1;
