/** The transcript: fenced attempts, heads that chain, a store that is ahead, behind or another one. */
import { copyFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  assistant,
  begunTurn,
  callRow,
  closeInput,
  delta,
  doneStep,
  endInput,
  note,
  openInput,
  openTestStore,
  record,
  results,
  tempFile,
} from '../support/store.ts';

describe('steps', () => {
  it('a reply that was stored is answered again, and no model is asked twice', async () => {
    const store = await openTestStore();
    const head = await begunTurn(store, 't1');
    const after = await doneStep(store, 't1', 1, { head, tools: ['shell'] });
    const next = { ...openInput('t1', 1, head), epoch: 1002 };
    expect(await store.transcript.openStep(next)).toEqual({ kind: 'recorded', reply: { step: 1 }, head: after });
    const twice = closeInput('t1', 1, head, assistant(1, ['shell'], 'another answer'));
    expect(await store.transcript.closeStep(twice)).toEqual({ kind: 'recorded', reply: { step: 1 }, head: after });
    expect((await store.transcript.ofTurn('t1')).entries).toHaveLength(2);
    expect((await store.turns.get('t1'))?.usage.outputTokens).toBe(1);
  });

  it('an older attempt is fenced out by a newer one, in transcript and deltas', async () => {
    const store = await openTestStore();
    const head = await begunTurn(store, 't1');
    await store.transcript.openStep(openInput('t1', 1, head));
    await store.events.append('t1', [delta(1, 1001, 1)], { epoch: 1001 });
    await store.transcript.openStep({ ...openInput('t1', 1, head), epoch: 1002 });
    expect(await store.transcript.closeStep(closeInput('t1', 1, head, assistant(1)))).toEqual({ kind: 'fenced' });
    expect(await store.transcript.openStep(openInput('t1', 1, head))).toEqual({ kind: 'fenced' });
    expect(await store.events.append('t1', [delta(1, 1001, 2)], { epoch: 1001 })).toEqual({ kind: 'fenced' });
    const newer = { ...closeInput('t1', 1, head, assistant(1)), epoch: 1002 };
    expect(await store.transcript.closeStep(newer)).toMatchObject({ kind: 'stored' });
    expect((await store.events.after('t1', 1)).length).toBe(1);
  });

  it('C8.3 a repeat appends the round once, and messages that came in between after it', async () => {
    const store = await openTestStore();
    const head = await doneStep(store, 't1', 1, { head: await begunTurn(store, 't1'), tools: ['shell'] });
    const round = results(1, ['ok']);
    const steer = (text: string) => ({ kind: 'user', text, via: 'steer' }) as const;
    const input = openInput('t1', 2, head, [round, steer('one'), note('n')]);
    const first = await store.transcript.openStep(input);
    expect(await store.transcript.openStep({ ...input, epoch: 2002 })).toEqual(first);
    const grown = { ...openInput('t1', 2, head, [round, steer('one'), steer('two'), note('n')]), epoch: 2003 };
    expect(await store.transcript.openStep(grown)).toMatchObject({ kind: 'open' });
    const { entries } = await store.transcript.ofTurn('t1');
    expect(entries.slice(2)).toEqual([round, steer('one'), note('n'), steer('two')]);
  });

  it('C7.4 records results and events with the step, and marks steering as taken', async () => {
    const store = await openTestStore();
    const head = await doneStep(store, 't1', 1, { head: await begunTurn(store, 't1'), tools: ['shell'] });
    await store.steering.add({ id: 's1', turnId: 't1', text: 'hurry', by: 'ann', at: 1 });
    const input = openInput('t1', 2, head, [results(1, ['no'])]);
    await store.transcript.openStep({ ...input, results: [record(1, 0, 'no', 'denied')], steeringTaken: ['s1'] });
    expect(await store.results.get('t1', 'c1-0')).toMatchObject({ text: 'no', result: { status: 'denied' } });
    expect((await store.steering.get('s1'))?.state).toBe('taken');
    expect((await store.events.after('t1', 0)).map((event) => event.type)).toContain('tool_result');
  });

  it('C8.4 an open step tells of a cancel, and an ended turn takes nothing more', async () => {
    const store = await openTestStore();
    const head = await begunTurn(store, 't1');
    const flag = { by: 'ann', reason: 'enough', at: 7 };
    await store.turns.requestCancel('t1', flag);
    expect(await store.transcript.openStep(openInput('t1', 1, head))).toMatchObject({ kind: 'open', cancel: flag });
    await store.turns.end(endInput('t1'));
    expect(await store.transcript.openStep(openInput('t1', 1, head))).toEqual({ kind: 'closed' });
    expect(await store.transcript.closeStep(closeInput('t1', 1, head, assistant(1)))).toEqual({ kind: 'closed' });
  });

  it('C8.4 what readers saw of a step that was cut is assembled after its last reset', async () => {
    const store = await openTestStore();
    await begunTurn(store, 't1');
    const reset = { key: 'reset', body: { type: 'stream_reset', step: 2, epoch: 2 } } as const;
    await store.events.append('t1', [delta(1, 1, 1, 'first'), delta(2, 1, 1, 'bad'), reset]);
    await store.events.append('t1', [delta(2, 2, 1, 'so '), delta(2, 2, 2, 'far')]);
    expect(await store.transcript.shownText('t1', 2)).toBe('so far');
    expect(await store.transcript.shownText('t1', 3)).toBe('');
  });
});

describe('heads', () => {
  it('the same history has the same head, another one has another', async () => {
    const heads = [];
    for (const tools of [['shell'], ['shell'], ['file_read']]) {
      const store = await openTestStore();
      heads.push(await doneStep(store, 't1', 1, { head: await begunTurn(store, 't1'), tools }));
    }
    expect(heads[0]).toBe(heads[1]);
    expect(heads[0]).not.toBe(heads[2]);
  });

  it('an older copy of the file is behind, and says so', async () => {
    const [path, old] = [tempFile(), tempFile()];
    const store = await openTestStore(path);
    const first = await doneStep(store, 't1', 1, { head: await begunTurn(store, 't1'), tools: ['shell'] });
    await store.close();
    copyFileSync(path, old);
    const newer = await openTestStore(path);
    const second = await doneStep(newer, 't1', 2, { head: first, entries: [results(1, ['ok'])] });
    const older = await openTestStore(old);
    expect(await older.transcript.openStep(openInput('t1', 3, second))).toEqual({ kind: 'behind', head: first });
    expect(await older.transcript.closeStep({ ...closeInput('t1', 3, second, assistant(3)), epoch: 1001 })).toEqual({
      kind: 'behind',
      head: first,
    });
    const empty = await openTestStore();
    expect(await empty.transcript.openStep(openInput('t1', 3, second))).toEqual({ kind: 'behind', head: '' });
  });

  it('a file that went another way has diverged', async () => {
    const [path, copy] = [tempFile(), tempFile()];
    const store = await openTestStore(path);
    const head = await doneStep(store, 't1', 1, { head: await begunTurn(store, 't1'), tools: ['shell'] });
    await store.close();
    copyFileSync(path, copy);
    const here = await openTestStore(path);
    const there = await openTestStore(copy);
    const ours = await doneStep(here, 't1', 2, { head, entries: [results(1, ['ok'])] });
    const theirs = await doneStep(there, 't1', 2, { head, entries: [results(1, ['other'])] });
    expect(await there.transcript.openStep(openInput('t1', 3, ours))).toEqual({ kind: 'diverged', head: theirs });
    const again = { ...openInput('t1', 3, head, [results(1, ['other'])]), epoch: 9000 };
    expect(await here.transcript.openStep(again)).toEqual({ kind: 'diverged', head: ours });
  });

  it('a store that is ahead by its own descendants is fine', async () => {
    const store = await openTestStore();
    const head = await doneStep(store, 't1', 1, { head: await begunTurn(store, 't1'), tools: ['shell'] });
    const opened = await store.transcript.openStep(openInput('t1', 2, head, [results(1, ['ok']), note('held')]));
    const knowsLess = { ...openInput('t1', 2, head, [results(1, ['ok'])]), epoch: 2002 };
    expect(await store.transcript.openStep(knowsLess)).toEqual(opened);
  });
});

describe('loading', () => {
  it('C6.7 gives every entry up to a head, as it was written', async () => {
    const store = await openTestStore();
    const long = 'größer '.repeat(2000);
    let head = await begunTurn(store, 't1', { text: long });
    const heads = [head];
    const extras = { signature: 'abc', nested: [1, null, { z: 1, a: 2 }] };
    const entry = { ...assistant(1, ['shell', 'shell'], long), thinking: long, extras };
    const { head: opened } = (await store.transcript.openStep(openInput('t1', 1, head))) as { head: string };
    const input = { ...closeInput('t1', 1, opened, entry), calls: [callRow(1, 0), callRow(1, 1)] };
    head = ((await store.transcript.closeStep(input)) as { head: string }).head;
    heads.push(head);
    const round = results(1, [long, '']);
    head = await doneStep(store, 't1', 2, { head, entries: [round] });
    const all = [{ kind: 'user', text: long, via: 'start' }, entry, round, assistant(2)];
    expect(await store.transcript.load('t1', head)).toEqual(all);
    expect(await store.transcript.load('t1', heads[1] ?? '')).toEqual(all.slice(0, 2));
    expect(await store.transcript.load('t1', heads[0] ?? '')).toEqual(all.slice(0, 1));
    expect(await store.transcript.load('t1', 'nix')).toBeUndefined();
    expect(await store.transcript.load('t2', head)).toBeUndefined();
  });

  it('sees what another process appended since', async () => {
    const path = tempFile();
    const [one, two] = [await openTestStore(path), await openTestStore(path)];
    const first = await begunTurn(one, 't1');
    expect(await two.transcript.load('t1', first)).toHaveLength(1);
    const second = await doneStep(one, 't1', 1, { head: first, tools: ['shell'] });
    expect(await two.transcript.load('t1', second)).toHaveLength(2);
    const third = await doneStep(two, 't1', 2, { head: second, entries: [results(1, ['ok'])] });
    expect(await one.transcript.load('t1', third)).toEqual(await two.transcript.load('t1', third));
  });

  it('works the same when nothing fits into memory', async () => {
    const store = await openTestStore(undefined, { cacheBytes: 0 });
    let head = await begunTurn(store, 't0', { session: 's' });
    for (let turn = 1; turn <= 3; turn++) {
      await store.turns.end(endInput(`t${turn - 1}`));
      head = await begunTurn(store, `t${turn}`, { session: 's' });
      head = await doneStep(store, `t${turn}`, 1, { head });
    }
    const texts = (await store.transcript.load('t3', head))?.map((entry) => ('text' in entry ? entry.text : ''));
    const messages = ['please do t0', 'please do t1', 'step 1', 'please do t2', 'step 1', 'please do t3', 'step 1'];
    expect(texts).toEqual(messages);
  });
});
