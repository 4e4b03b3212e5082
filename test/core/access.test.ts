import { describe, expect, it } from 'vitest';
import { type Access, type AccessQuestion, evaluateAccess } from '../../core/access.ts';
import type { CallFacts } from '../../core/assessment.ts';
import type { AccessPolicy } from '../../core/execution.ts';

const policy: AccessPolicy = {
  autonomy: 'supervised',
  alwaysAsk: [],
  autoApprove: [],
  blockHighRisk: true,
  askMediumRisk: true,
};
const facts: CallFacts = { effect: 'once', risk: 'medium', reasons: [], assessed: true };

function ask(change: {
  policy?: Partial<AccessPolicy>;
  facts?: Partial<CallFacts>;
  rest?: Partial<AccessQuestion>;
}): Access {
  return evaluateAccess({
    policy: { ...policy, ...change.policy },
    name: 'shell',
    inEffectiveSet: true,
    facts: { ...facts, ...change.facts },
    estopped: false,
    ...change.rest,
  });
}

const low = { risk: 'low' } as const;
const high = { risk: 'high' } as const;
const full = { autonomy: 'full' } as const;
const readonly = { autonomy: 'readonly' } as const;

describe('C5.1 what blocks a call', () => {
  it.each<[string, Access['kind'], Parameters<typeof ask>[0]]>([
    ['emergency stop', 'blocked', { facts: low, rest: { estopped: true } }],
    ['a tool outside the effective set', 'blocked', { facts: low, rest: { inEffectiveSet: false } }],
    ['readonly and an effect', 'blocked', { policy: readonly, facts: { ...low, effect: 'idempotent' } }],
    ['readonly and no effect', 'allowed', { policy: readonly, facts: { ...low, effect: 'none' } }],
    ['a forbidden path', 'blocked', { facts: { ...low, blocked: 'x is closed' } }],
    ['a forbidden path at full autonomy', 'blocked', { policy: full, facts: { ...low, blocked: 'x is closed' } }],
    ['an unlisted command at full autonomy', 'blocked', { policy: full, facts: { unlisted: true } }],
    ['an unlisted command, supervised', 'ask', { facts: { unlisted: true } }],
    ['high risk', 'blocked', { facts: high }],
    ['high risk at full autonomy', 'blocked', { policy: full, facts: high }],
    ['high risk, every part listed by name', 'ask', { facts: { ...high, everyPartListed: true } }],
    ['high risk, every part listed, full', 'allowed', { policy: full, facts: { ...high, everyPartListed: true } }],
    ['high risk where that is not blocked', 'ask', { policy: { blockHighRisk: false }, facts: high }],
  ])('%s → %s', (_, expected, change) => {
    expect(ask(change).kind).toBe(expected);
  });

  it('says the first block that applies, in the order of the contract', () => {
    const all = {
      policy: { ...readonly, blockHighRisk: true },
      facts: { ...high, blocked: 'PATH', unlisted: true },
    };
    expect(ask({ ...all, rest: { estopped: true, inEffectiveSet: false } })).toMatchObject({
      reason: expect.stringContaining('emergency stop'),
    });
    expect(ask({ ...all, rest: { inEffectiveSet: false } })).toMatchObject({
      reason: expect.stringContaining('not available'),
    });
    expect(ask(all)).toMatchObject({ reason: expect.stringContaining('may only read') });
    expect(ask({ ...all, policy: full })).toMatchObject({ reason: 'PATH' });
    expect(ask({ policy: full, facts: { ...high, unlisted: true } })).toMatchObject({
      reason: expect.stringContaining('program'),
    });
  });

  it('C5.4 never names a setting that would relax policy', () => {
    const blocks = [
      ask({ rest: { estopped: true } }),
      ask({ rest: { inEffectiveSet: false } }),
      ask({ policy: readonly }),
      ask({ policy: full, facts: { unlisted: true } }),
      ask({ facts: { ...high, reasons: ['rm is high risk'] } }),
    ];
    for (const block of blocks) {
      expect(JSON.stringify(block)).not.toMatch(/_|autonomy|allowed_commands|blockHighRisk|config|policy\./i);
    }
    expect(blocks.at(-1)).toMatchObject({ reason: expect.stringContaining('rm is high risk') });
  });
});

describe('C5.2 the ladder, first match wins', () => {
  it.each<[string, Access['kind'], Parameters<typeof ask>[0]]>([
    ['low risk', 'allowed', { facts: low }],
    ['medium risk', 'ask', {}],
    ['always_ask by name, low risk', 'ask', { policy: { alwaysAsk: ['shell'] }, facts: low }],
    ['always_ask in other letters', 'ask', { policy: { alwaysAsk: [' SHELL '] }, facts: low }],
    ['always_ask *', 'ask', { policy: { alwaysAsk: ['*'] }, facts: low }],
    ['always_ask beats full autonomy', 'ask', { policy: { ...full, alwaysAsk: ['shell'] } }],
    ['always_ask beats auto_approve', 'ask', { policy: { alwaysAsk: ['shell'], autoApprove: ['shell'] } }],
    ['always_ask of another tool', 'allowed', { policy: { alwaysAsk: ['file_read'] }, facts: low }],
    ['not assessed at full autonomy', 'ask', { policy: full, facts: { assessed: false } }],
    ['not assessed, approved in advance', 'ask', { policy: { autoApprove: ['shell'] }, facts: { assessed: false } }],
    ['full autonomy', 'allowed', { policy: full }],
    ['full autonomy, high risk not blocked', 'allowed', { policy: { ...full, blockHighRisk: false }, facts: high }],
    ['auto_approve by name, medium', 'allowed', { policy: { autoApprove: ['shell'] } }],
    ['auto_approve in other letters', 'ask', { policy: { autoApprove: ['Shell'] } }],
    ['auto_approve *, medium', 'ask', { policy: { autoApprove: ['*'] } }],
    ['auto_approve *, medium needs no approval', 'allowed', { policy: { autoApprove: ['*'], askMediumRisk: false } }],
    ['auto_approve *, low', 'allowed', { policy: { autoApprove: ['*'] }, facts: low }],
    ['auto_approve by name, high', 'ask', { policy: { autoApprove: ['shell'], blockHighRisk: false }, facts: high }],
    ['medium that needs no approval, not listed', 'ask', { policy: { askMediumRisk: false } }],
  ])('%s → %s', (_, expected, change) => {
    expect(ask(change).kind).toBe(expected);
  });

  it('gives the same answer for the same question', () => {
    expect(ask({})).toEqual(ask({}));
  });
});
