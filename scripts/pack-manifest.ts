// In a clone the package's entry points are TypeScript; Node refuses that under `node_modules`. While npm packs,
// `package.json` names what was built instead: `to-dist` before, `restore` after (npm runs both).
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Manifest = { exports: Record<string, string | { types: string; default: string }> };

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = join(root, 'package.json');
const kept = join(root, '.cache/package.json');

const built = (path: string) => ({
  types: path.replace(/^\.\/(.*)\.ts$/, './dist/$1.d.ts'),
  default: path.replace(/^\.\/(.*)\.ts$/, './dist/$1.js'),
});

function toDist(): void {
  mkdirSync(dirname(kept), { recursive: true });
  copyFileSync(manifest, kept);
  const text = JSON.parse(readFileSync(manifest, 'utf8')) as Manifest;
  text.exports = Object.fromEntries(
    Object.entries(text.exports).map(([name, path]) => [
      name,
      typeof path === 'string' && path.endsWith('.ts') ? built(path) : path,
    ]),
  );
  writeFileSync(manifest, `${JSON.stringify(text, null, 2)}\n`);
}

function restore(): void {
  if (existsSync(kept)) renameSync(kept, manifest);
}

const step = process.argv[2];
if (step === 'to-dist') toDist();
else if (step === 'restore') restore();
else throw new Error('Usage: pack-manifest.ts to-dist|restore');
