// The words of results that no tool produced (C4.9, C5.4, C6.5).
import { describe, expect, it } from 'vitest';
import { fillText, INTERRUPTED } from '../../core/fill-text.ts';
import type { Decider, FilledStatus } from '../../core/slot.ts';

const text = (status: FilledStatus, more: { by?: Decider; reason?: string; began?: boolean } = {}, note?: string) =>
  fillText({ callId: 'c1-0', status, ...more }, note);

describe('C5.4 who decided', () => {
  const deciders: Decider[] = ['operator', 'timeout', 'unreachable', 'policy', 'withdrawn'];

  it('only an operator’s "no" is worded as a person’s', () => {
    for (const by of deciders) expect(/operator denied/.test(text('denied', { by }))).toBe(by === 'operator');
    expect(text('expired')).not.toMatch(/operator|denied/i);
  });

  it.each(deciders)('a denial by %s says that it did not run or is final, and names no setting', (by) => {
    expect(text('denied', { by })).toMatch(/final for this turn|Not run/);
    expect(text('denied', { by })).not.toMatch(/autonomy|auto_approve|allowed_|policy\.|config|_/);
  });

  it('an operator’s is final', () => expect(text('denied', { by: 'operator' })).toMatch(/final for this turn/));

  it('an expired one says: nobody answered in time, no refusal, do not repeat it, tell the person', () => {
    for (const words of [text('expired'), text('denied', { by: 'timeout' })])
      expect(words).toMatch(/Not run.*nobody answered in time.*not a refusal.*not repeat.*tell the person/s);
  });

  it('without a name it is the runtime’s', () => expect(text('denied')).toBe(text('denied', { by: 'policy' })));

  it('a note reaches the model word for word', () => {
    const note = 'wrong account:\n  use 7, not 9';
    expect(text('denied', { by: 'operator' }, note)).toContain(note);
  });
});

describe('C6.5 what was cut', () => {
  it('never started: it did not run', () => {
    expect(text('interrupted', { began: false })).toBe(`${INTERRUPTED} It did not run.`);
    expect(text('interrupted')).toBe(`${INTERRUPTED} It did not run.`);
  });
  it('started without an effect: no more than that', () =>
    expect(text('interrupted', { began: true })).toBe('[interrupted before this tool produced a result]'));
  it('started with an effect: it may have taken effect', () => {
    expect(text('unknown', { began: true })).toMatch(/may have taken effect.*Verify/);
    expect(text('unknown', { began: true })).not.toMatch(/did not run/i);
  });
});

describe('C4 the other ways', () => {
  it('C4.6 a duplicate points to the call above', () => expect(text('duplicate')).toMatch(/Not run again.*earlier/));
  it('C4.4 a block says why', () =>
    expect(text('blocked', { by: 'policy', reason: 'It is high risk.' })).toMatch(/not run\. It is high risk\.$/));
  it('C4.1 a hook’s reason is said once', () =>
    expect(text('hook_cancelled', { reason: 'frozen until Monday' })).toBe('Cancelled by hook: frozen until Monday'));
  it('C4.1 a hook without a reason', () => expect(text('hook_cancelled')).toBe('Cancelled by hook: no reason given'));
  it('a wait says how long, once', () => expect(text('done', { reason: 'Waited 60 s.' })).toBe('Waited 60 s.'));
  it('C4.5 an earlier decision is named beside the words', () =>
    expect(text('denied', { by: 'policy', reason: 'decided by: alice' })).toMatch(
      /^The runtime denied.*decided by: alice$/,
    ));
  it.each(['denied', 'expired', 'duplicate', 'blocked', 'interrupted', 'unknown', 'failed'] as const)(
    '%s is never empty',
    (status) => expect(text(status).trim()).not.toBe(''),
  );
});
