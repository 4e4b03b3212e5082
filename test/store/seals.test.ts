/** Seals: rows that were changed behind the store's back are not believed. */
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Execution } from '../../core/execution.ts';
import { createSealer, keyIdOf } from '../../store/seals.ts';
import { begunTurn, decision, doneStep, keysOf, openTestStore, tempFile } from '../support/store.ts';

function tamper(path: string, sql: string): void {
  const db = new Sqlite(path);
  db.exec(sql);
  db.close();
}

async function withCall(path: string) {
  const store = await openTestStore(path);
  await doneStep(store, 't1', 1, { head: await begunTurn(store, 't1'), tools: ['shell'] });
  return store;
}

const execution = { version: 1, agent: 'main', instructions: 'be good' } as unknown as Execution;

describe('what was tampered with is refused', () => {
  it.each([
    `UPDATE calls SET body = replace(body, '\\"a\\":1', '\\"a\\":2')`,
    `UPDATE calls SET tool = 'file_write'`,
    `UPDATE calls SET argument_hash = 'other'`,
    `UPDATE calls SET body = replace(body, 'once', 'none')`,
    `UPDATE calls SET turn_id = 't2'; UPDATE turns SET turn_id = 't2'`,
    `UPDATE turns SET execution_hash = 'a looser one'`,
    `UPDATE calls SET signature = ''`,
    `UPDATE calls SET key_id = '00000000'`,
  ])('C5.5 a call: %s', async (sql) => {
    const path = tempFile();
    const store = await withCall(path);
    tamper(path, sql);
    const turnId = sql.includes("'t2'") ? 't2' : 't1';
    await expect(store.transcript.call(turnId, 'c1-0')).rejects.toMatchObject({ code: 'SealBroken' });
  });

  it('C2.1 an execution whose content or seal is not its own', async () => {
    const path = tempFile();
    const store = await openTestStore(path);
    const hash = await store.executions.put(execution);
    expect(await store.executions.put(execution)).toBe(hash);
    expect(await store.executions.get('nix')).toBeUndefined();
    tamper(path, `UPDATE executions SET body = replace(body, 'good', 'evil')`);
    const other = await openTestStore(path);
    await expect(other.executions.get(hash)).rejects.toMatchObject({ name: 'SealBroken' });
    expect(await other.executions.put(execution)).toBe(hash);
    expect(await other.executions.get(hash)).toEqual(execution);
  });

  it.each([
    `UPDATE decisions SET body = replace(body, 'deny', 'edit')`,
    `UPDATE decisions SET note = 'do as you like'`,
    `UPDATE decisions SET new_arguments = '{}'`,
    `UPDATE decisions SET decision_id = 'd1' WHERE decision_id = 'd9'`,
  ])('C5.5 a decision: %s', async (sql) => {
    const path = tempFile();
    const store = await withCall(path);
    await store.questions.putDecision(decision(sql.includes('d9') ? 'd9' : 'd1', { choice: 'deny' }, { note: 'no' }));
    tamper(path, sql);
    await expect(store.questions.decision('d1')).rejects.toMatchObject({ code: 'SealBroken' });
    expect(await store.questions.unsettled(Number.MAX_SAFE_INTEGER)).toEqual([]);
  });

  it('C5.5 a decision that the deployment did not sign is not stored', async () => {
    const store = await withCall(tempFile());
    const forged = { ...decision('d1'), signature: 'AAAA' };
    await expect(store.questions.putDecision(forged)).rejects.toMatchObject({ code: 'SealBroken' });
    expect(await store.questions.decision('d1')).toBeUndefined();
  });
});

describe('keys', () => {
  it('what a retired key sealed still holds, what an unknown one sealed does not', async () => {
    const path = tempFile();
    await withCall(path);
    const rotated = await openTestStore(path, { keys: keysOf(2, [1]) });
    expect(await rotated.transcript.call('t1', 'c1-0')).toMatchObject({ tool: 'shell' });
    const stranger = await openTestStore(path, { keys: keysOf(2) });
    await expect(stranger.transcript.call('t1', 'c1-0')).rejects.toThrow(/deployment key/);
  });

  it('a key is named by its hash, and a seal of one kind is none of another', () => {
    const sealer = createSealer(keysOf(1));
    const seal = sealer.sign('call', 'text');
    expect(seal.keyId).toBe(keyIdOf(Buffer.alloc(32, 1)));
    expect(seal.keyId).toMatch(/^[0-9a-f]{8}$/);
    expect(sealer.verify('call', 'text', seal)).toBe(true);
    expect(sealer.verify('decision', 'text', seal)).toBe(false);
    expect(sealer.verify('call', 'texts', seal)).toBe(false);
    expect(sealer.verify('call', 'text', { ...seal, signature: 'no base64 at all' })).toBe(false);
  });

  it('C5.5 a signature covers every member of a decision, and its texts by hash', () => {
    const sealer = createSealer(keysOf(1));
    const signed = decision(
      'd1',
      { choice: 'edit', newArgumentHash: 'n' },
      { text: 'a', note: 'b', newArguments: '{}' },
    );
    expect(sealer.verifyDecision(signed)).toBe(true);
    for (const member of Object.keys(signed.body)) {
      const changed = { ...signed, body: { ...signed.body, [member]: 'changed' } };
      expect(sealer.verifyDecision(changed), member).toBe(false);
    }
    expect(sealer.verifyDecision({ ...signed, text: 'x' })).toBe(false);
    expect(sealer.verifyDecision({ ...signed, note: 'x' })).toBe(false);
    expect(sealer.verifyDecision({ ...decision('d2'), note: 'smuggled' })).toBe(false);
  });
});
