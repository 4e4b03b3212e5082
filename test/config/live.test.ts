// A configuration that changes under a running process (C2.11).
import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { liveConfig } from '../../config/live.ts';
import { takenAway } from '../../config/taken-away.ts';
import { load, SMALL } from './folder.ts';

const without = (tool: string) =>
  SMALL.replace('{ model: local/small }', `{ model: local/small, excluded_tools: [${tool}] }`);

async function start() {
  const loaded = await load(SMALL);
  const heard: string[] = [];
  const current = liveConfig(loaded, {
    env: {},
    onChange: () => heard.push('change'),
    onProblem: (errors) => heard.push(errors[0]?.message ?? ''),
  });
  let times = 0;
  const write = (text: string) => {
    writeFileSync(loaded.file, text);
    // Two changes within one tick of a coarse file system clock are still two.
    utimesSync(loaded.file, 1, ++times);
  };
  return { loaded, current, heard, write };
}

describe('C2.11 a changed file', () => {
  it('takes a tool away at once, and gives it back', async () => {
    const { current, heard, write } = await start();
    expect(takenAway(current(), 'main', 'shell')).toBeUndefined();
    write(without('shell'));
    expect(takenAway(current(), 'main', 'shell')).toContain('no longer offers');
    write(SMALL);
    expect(takenAway(current(), 'main', 'shell')).toBeUndefined();
    expect(heard).toEqual(['change', 'change']);
  });

  it('that is broken or gone changes nothing, and is told once', async () => {
    const { current, heard, write, loaded } = await start();
    write(without('shell'));
    write(`${SMALL}nonsense: 1\n`);
    current();
    write(without('shell'));
    current();
    write(`${SMALL}nonsense: 1\n`);
    expect(takenAway(current(), 'main', 'shell')).toContain('no longer offers');
    current();
    rmSync(loaded.file);
    expect(takenAway(current(), 'main', 'shell')).toContain('no longer offers');
    expect(heard).toEqual(['unknown key', 'change', 'unknown key', expect.stringContaining('cannot be read any more')]);
  });

  it('does not move what was set up at the start', async () => {
    const { current, write, loaded } = await start();
    write(`data: elsewhere\ngateway: { port: 1 }\napprovals: { timeout: 5s }\n${SMALL}`);
    expect(current()).toMatchObject({
      data: loaded.config.data,
      gateway: { port: 7410 },
      approvals: { timeoutMs: 5000 },
    });
    expect(current().agents.main?.policy.paths.forbidden).toContain(loaded.config.data);
  });
});
