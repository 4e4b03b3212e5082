import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { deployment, everturn, type Folder, folderWith } from './everturn.ts';

const folders: Folder[] = [];
async function place(files: Record<string, string> = {}): Promise<Folder> {
  const folder = await folderWith(files);
  folders.push(folder);
  return folder;
}
afterEach(async () => {
  for (const folder of folders.splice(0)) await folder.remove();
});

describe('exit codes (I3)', () => {
  it('0 for help, which names every command', async () => {
    const { path } = await place();
    const { code, stdout } = await everturn(['--help'], { cwd: path });
    expect(code).toBe(0);
    for (const name of [
      'dev',
      'worker',
      'gateway',
      'run',
      'turns',
      'approvals',
      'tokens',
      'pause',
      'resume',
      'estop',
      'doctor',
      'config',
      'init',
      'tools',
    ]) {
      expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
    }
  });

  it.each([
    [['nonsense'], "unknown command 'nonsense'"],
    [['run'], "missing required argument 'text'"],
    [['dev', '--port', '99999'], 'A port is a number from 0 to 65535.'],
    [['run', 'x', '--on-approval', 'maybe'], 'Allowed choices are ask, deny, park.'],
    [['backup'], '`everturn backup` is not built yet.'],
    [['receipts', 'verify'], '`everturn receipts verify` is not built yet.'],
    [['mcp', 'list'], '`everturn mcp list` is not built yet.'],
    [['run', '  '], 'The text is empty.'],
  ])('2 for %j', async (words, message) => {
    const { path } = await place(deployment('responses: []'));
    const { code, stderr, stdout } = await everturn(words, { cwd: path });
    expect(stderr).toContain(message);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  it('2 as JSON on stdout with --json', async () => {
    const { path } = await place();
    const { code, stdout } = await everturn(['--json', 'nonsense'], { cwd: path });
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'usage', message: "unknown command 'nonsense'" } });
    expect(code).toBe(2);
  });

  it.each([['dev'], ['run', 'x'], ['worker'], ['gateway'], ['turns', 'list'], ['tokens', 'list'], ['doctor']])(
    '3 for %s without a configuration, with what to do',
    async (...words) => {
      const { path } = await place();
      const { code, stderr, stdout } = await everturn(words, { cwd: path });
      expect(stderr + stdout).toMatch(/everturn init/);
      expect(code).toBe(3);
    },
  );

  it('3 for a broken configuration: nothing is started, every mistake is named', async () => {
    const { path } = await place({ 'everturn.yaml': 'version: 1\nagnets: {}\ngateway: { port: many }\n' });
    const { code, stderr } = await everturn(['dev'], { cwd: path });
    expect(code).toBe(3);
    expect(stderr).toContain('nothing was started');
    expect(stderr).toMatch(/everturn\.yaml:2:\d+ .*did you mean agents/);
    expect(stderr).toMatch(/everturn\.yaml:3:\d+ gateway\.port/);
    await expect(stat(`${path}/.everturn`)).rejects.toThrow();
  });

  it('1 when nothing runs, with what to start', async () => {
    const { path } = await place(deployment('responses: []'));
    const { code, stdout } = await everturn(['approvals', 'list', '--json'], { cwd: path });
    expect(code).toBe(1);
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'not_running',
      hint: expect.stringContaining('everturn dev'),
    });
  });
});

describe('init', () => {
  it('writes a configuration that is valid, and never over another', async () => {
    const { path, file } = await place();
    expect((await everturn(['init'], { cwd: path })).code).toBe(0);
    expect((await everturn(['config', 'validate'], { cwd: path })).code).toBe(0);
    const written = await readFile(file('everturn.yaml'), 'utf8');
    const again = await everturn(['init', '--model', 'other'], { cwd: path });
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('--reset');
    expect(await readFile(file('everturn.yaml'), 'utf8')).toBe(written);
  });

  it('shows what it would write with --dry-run', async () => {
    const { path, file } = await place();
    const { stdout } = await everturn(['init', '--dry-run', '--no-api-key'], { cwd: path });
    expect(stdout).toContain('version: 1');
    await expect(stat(file('everturn.yaml'))).rejects.toThrow();
  });
});

describe('config', () => {
  it('validate --json names each mistake with its place', async () => {
    const { path } = await place({ 'everturn.yaml': 'version: 1\nagnets: {}\n' });
    const { code, stdout } = await everturn(['config', 'validate', '--json'], { cwd: path });
    expect(code).toBe(3);
    const { valid, errors } = JSON.parse(stdout);
    expect(valid).toBe(false);
    expect(errors).toContainEqual(expect.objectContaining({ line: 2, nearest: 'agents' }));
  });

  it('show --origin tells where each value comes from', async () => {
    const { path } = await place(deployment('responses: []'));
    const env = { EVERTURN_GATEWAY__PORT: '7999' };
    const { stdout } = await everturn(['config', 'show', '--origin'], { cwd: path, env });
    expect(stdout).toMatch(/^gateway\.port = 7999 +# env EVERTURN_GATEWAY__PORT$/m);
    expect(stdout).toMatch(/^gateway\.host = "127\.0\.0\.1" +# default$/m);
  });

  it('schema prints a JSON Schema', async () => {
    const { path } = await place();
    const { stdout } = await everturn(['config', 'schema'], { cwd: path });
    expect(JSON.parse(stdout)).toMatchObject({ title: 'Everturn configuration' });
  });
});

describe('doctor', () => {
  type Findings = {
    ok: boolean;
    findings: { check: string; state: string; what: string; effect?: string; fix?: string }[];
  };

  it('gives effect and fix with everything that is not well', async () => {
    const { path, file } = await place(deployment('responses: []'));
    await mkdir(file('.everturn'));
    await writeFile(file('.everturn/deployment.key'), `${Buffer.alloc(32, 1).toString('base64')}\n`);
    await chmod(file('.everturn/deployment.key'), 0o644);
    const { code, stdout } = await everturn(['doctor', '--json'], { cwd: path });
    const { ok, findings } = JSON.parse(stdout) as Findings;
    expect([code, ok]).toEqual([1, false]);
    expect(findings.find(({ check }) => check === 'file-modes')).toMatchObject({
      state: 'fault',
      fix: expect.stringContaining('chmod 600'),
    });
    for (const finding of findings.filter(({ state }) => state !== 'ok')) {
      expect(finding).toMatchObject({ effect: expect.any(String), fix: expect.any(String) });
    }
  });

  it('says plainly that history is not encrypted yet', async () => {
    const { path } = await place(deployment('responses: []'));
    const { stdout } = await everturn(['doctor'], { cwd: path });
    expect(stdout).toContain('history is not encrypted yet');
  });

  it('names a tool module that cannot be loaded', async () => {
    const files = deployment('responses: []', 'tools: { modules: [./bad.ts] }\n');
    const { path } = await place({ ...files, 'bad.ts': "throw new Error('out of paper');\n" });
    const { code, stdout } = await everturn(['doctor', '--json'], { cwd: path });
    expect(code).toBe(1);
    const tools = (JSON.parse(stdout) as Findings).findings.filter(({ check }) => check === 'tools');
    expect(tools).toMatchObject([{ state: 'fault', what: expect.stringMatching(/bad\.ts.*out of paper/s) }]);
  });

  it('names a secret that is too short to be scrubbed, not the secret', async () => {
    const yaml = deployment('responses: []')['everturn.yaml']?.replace(
      'agents:',
      '  far:\n    kind: openai-compatible\n    base_url: http://127.0.0.1:1/v1\n    api_key: { env: FAR_KEY }\n    models: { m: {} }\nagents:',
    );
    const { path } = await place({ 'script.yaml': 'responses: []', 'everturn.yaml': yaml ?? '' });
    const { stdout } = await everturn(['doctor'], { cwd: path, env: { FAR_KEY: 'zq7' } });
    expect(stdout).toContain('providers.far.api_key: shorter than 8 characters');
    expect(stdout).not.toContain('zq7');
  });

  it('says that Temporal cannot be reached, and what to do', async () => {
    const { path } = await place(deployment('responses: []', 'temporal: { address: "127.0.0.1:1" }\n'));
    const { code, stdout } = await everturn(['doctor', '--json'], { cwd: path });
    expect(code).toBe(1);
    const temporal = (JSON.parse(stdout) as Findings).findings.find(({ check }) => check === 'temporal');
    expect(temporal).toMatchObject({ state: 'fault', what: expect.stringContaining('127.0.0.1:1') });
  });
});

describe('a start that cannot be', () => {
  it('names a port that is in use, and the flag for another', async () => {
    const { path } = await place(deployment('responses: []'));
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const port = String((taken.address() as { port: number }).port);
    const { code, stderr } = await everturn(['dev', '--port', port, '--temporal-port', '0'], { cwd: path });
    taken.close();
    expect(code).toBe(1);
    expect(stderr).toContain(`Port ${port} on 127.0.0.1 is in use`);
    expect(stderr).toContain('--port');
  });

  it('names a data folder that is no folder', async () => {
    const { path } = await place({ ...deployment('responses: []'), '.everturn': 'a file' });
    const { code, stderr } = await everturn(['dev', '--port', '0'], { cwd: path });
    expect(code).toBe(1);
    expect(stderr).toMatch(/data folder .*cannot be written/);
  });

  it('worker: says that Temporal cannot be reached, and where to look', async () => {
    const { path } = await place(deployment('responses: []', 'temporal: { address: "127.0.0.1:1" }\n'));
    const { code, stderr } = await everturn(['worker'], { cwd: path });
    expect(code).toBe(1);
    expect(stderr).toContain('cannot use Temporal at 127.0.0.1:1');
    expect(stderr).toContain('everturn doctor');
  });

  it('dev: says what was looked at when there is no Temporal CLI', async () => {
    const { path } = await place(deployment('responses: []'));
    const { code, stderr } = await everturn(['dev', '--port', '0'], {
      cwd: path,
      env: { EVERTURN_TEMPORAL_CLI: '/nowhere/temporal' },
    });
    expect(code).toBe(1);
    expect(stderr).toContain('/nowhere/temporal (EVERTURN_TEMPORAL_CLI): there is no such file');
  });
});

describe('tokens', () => {
  it('makes, lists and revokes them, and shows one only once', async () => {
    const { path } = await place(deployment('responses: []'));
    const made = JSON.parse(
      (await everturn(['tokens', 'create', '--name', 'ci', '--scope', 'read', 'operate', '--json'], { cwd: path }))
        .stdout,
    );
    expect(made).toMatchObject({ token: expect.stringMatching(/^evt_/), scopes: ['read', 'operate'] });
    const listed = (await everturn(['tokens', 'list', '--json'], { cwd: path })).stdout;
    expect(JSON.parse(listed).items).toMatchObject([{ id: made.id, name: 'ci' }]);
    expect(listed).not.toContain(made.token);
    expect((await everturn(['tokens', 'revoke', made.id], { cwd: path })).code).toBe(0);
    expect((await everturn(['tokens', 'revoke', made.id], { cwd: path })).code).toBe(1);
  });
});

describe('policy test', () => {
  it.each([
    ['ls -la', 'allow', 0],
    ['git commit -m x', 'ask', 0],
    ['sudo reboot', 'block', 4],
  ])('C11.2 says what would become of %s', async (command, verdict, exit) => {
    const { path } = await place(deployment('responses: []'));
    const { code, stdout } = await everturn(['policy', 'test', command, '--json'], { cwd: path });
    expect(JSON.parse(stdout)).toMatchObject({ verdict });
    expect(code).toBe(exit);
  });
});
