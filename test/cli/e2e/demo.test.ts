import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const DEMO = fileURLToPath(new URL('../../../scripts/demo.ts', import.meta.url));

describe('npm run demo', () => {
  it('kills a worker in mid-tool, goes on, decides by itself, and counts one effect each', async () => {
    const { code, stdout } = await new Promise<{ code: number; stdout: string }>((resolve) => {
      execFile(process.execPath, [DEMO, '--yes'], (error, said) =>
        resolve({ code: Number(error?.code ?? 0), stdout: said }),
      );
    });
    expect(stdout).toContain('kill -9');
    expect(stdout).toMatch(/✔ book_invoice began: 2 times, on 2 workers/);
    expect(stdout).toMatch(/✔ book_invoice took effect: once/);
    expect(stdout).toMatch(/✔ send_mail took effect: once/);
    expect(stdout).not.toContain('✘');
    expect(code).toBe(0);
  });
});
