// The flags of the dev server come from `temporal-dev.yml`, and a server starts with them.
import { Connection } from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import { temporalDevArgs } from '../../cli/dev/temporal-flags.ts';
import { temporalAddress } from '../support/engine.ts';

const local = { ip: '127.0.0.1', port: 4000, uiPort: 4001, dbFilename: 'state/temporal.db', namespace: 'default' };

/** Values that follow a flag, in order. */
const valuesOf = (args: string[], flag: string) => args.filter((_, index) => args[index - 1] === flag);

describe('temporal-dev.yml', () => {
  it('gives the local server the tuned flags and local places', async () => {
    const args = await temporalDevArgs(local);
    expect(args.slice(0, 2)).toEqual(['server', 'start-dev']);
    expect(valuesOf(args, '--ip')).toEqual(['127.0.0.1']);
    expect(valuesOf(args, '--port')).toEqual(['4000']);
    expect(valuesOf(args, '--ui-port')).toEqual(['4001']);
    expect(valuesOf(args, '--db-filename')).toEqual(['state/temporal.db']);
    expect(valuesOf(args, '--sqlite-pragma')).toEqual(['journal_mode=WAL', 'synchronous=1']);
    expect(valuesOf(args, '--dynamic-config-value')).toEqual([
      'history.transferProcessorMaxPollRPS=200',
      'history.maxInFlightUpdates=100',
    ]);
  });

  it('leaves out file, pragmas and web page when they are not asked for', async () => {
    const args = await temporalDevArgs({ ip: '127.0.0.1', port: 4000 });
    expect(args).toContain('--headless');
    expect(args).not.toContain('--db-filename');
    expect(args).not.toContain('--sqlite-pragma');
    expect(args).not.toContain('--ui-port');
  });

  it('names a namespace only when it is not the one that always exists', async () => {
    expect(await temporalDevArgs(local)).not.toContain('--namespace');
    expect(valuesOf(await temporalDevArgs({ ...local, namespace: 'mine' }), '--namespace')).toEqual(['mine']);
  });

  it('makes a server that answers', async () => {
    const connection = await Connection.connect({ address: temporalAddress() });
    const info = await connection.workflowService.getSystemInfo({});
    expect(info.serverVersion).toMatch(/^1\./);
    await connection.close();
  });
});
