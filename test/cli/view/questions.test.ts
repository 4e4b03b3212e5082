import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type Asker, argumentsFrom } from '../../../cli/view/asker.ts';
import { keyLine, needsConfirming, press } from '../../../cli/view/choices.ts';
import { openDesk } from '../../../cli/view/desk.ts';
import { keyAsker } from '../../../cli/view/key-asker.ts';
import { CTRL_C, keysFrom } from '../../../cli/view/keys.ts';
import { wholeQuestion } from '../../../cli/view/question-text.ts';
import { openScreen } from '../../../cli/view/screen.ts';
import { ApiError } from '../../../client/errors.ts';
import type { Approval, DecisionOutcome, DecisionRequest } from '../../../client/types.ts';
import { deferred } from '../deferred.ts';
import { asked, eventsOf, resolved } from './events.ts';

const approval: Approval = {
  approvalId: 'T1.c1-0',
  kind: 'tool',
  turnId: 'T1',
  callId: 'c1-0',
  agent: 'main',
  tool: 'shell',
  summary: 'command: npm i',
  arguments: { command: 'npm i \u202e\nsecond line' },
  argumentHash: 'h1',
  risk: { level: 'medium', reasons: ['writes'] },
  path: ['T1'],
  askedAt: '2026-01-01T12:00:00.000Z',
  expiresAt: '2026-01-01T12:05:00.000Z',
  state: 'open',
  choices: ['approve', 'deny', 'edit', 'replace'],
};

describe('keys of an approval', () => {
  it.each([
    ['y', 'approve'],
    ['n', 'deny'],
    ['N', 'deny'],
    ['e', 'edit'],
    ['r', 'replace'],
  ])('%s chooses %s', (key, choice) => {
    expect(press('tool', key, 600)).toMatchObject({ choice });
  });

  it.each(['\r', '\n', ' ', 'Y', 'a', '1', '\u001b'])('%j means nothing', (key) => {
    expect(press('tool', key, 600)).toBeUndefined();
  });

  it('ignores every key for 500 ms after the question appears', () => {
    for (const key of ['y', 'n', 'N', 'e', 'r', 'v', '?']) expect(press('tool', key, 499)).toBeUndefined();
  });

  it('asks for a second step before a high risk is approved, not before it is denied', () => {
    const [yes, no] = [press('tool', 'y', 600), press('tool', 'n', 600)];
    if (typeof yes !== 'object' || typeof no !== 'object') throw new Error('no choice');
    expect([needsConfirming(yes, 'high'), needsConfirming(yes, 'medium'), needsConfirming(no, 'high')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('C5.11 offers the choices of each kind', () => {
    expect(keyLine('budget')).toBe('c continue · s stop · v view · ? why');
    expect(keyLine('unknown')).toContain('x not done');
    expect(keyLine('question')).toContain('a answer');
  });
});

describe('single keys', () => {
  it('takes neither a paste nor an escape sequence for a key', () => {
    const input = new PassThrough();
    const pressed: string[] = [];
    const unlisten = keysFrom(input as never).listen((key) => pressed.push(key));
    for (const chunk of ['yes', '\u001b[A', 'y\n', 'n', CTRL_C]) input.emit('data', Buffer.from(chunk));
    unlisten();
    input.emit('data', Buffer.from('y'));
    expect(pressed).toEqual(['n', CTRL_C]);
  });
});

describe('the whole of a question', () => {
  it('shows every argument, with what could mislead made visible', () => {
    expect(wholeQuestion(approval)).toBe('shell  T1.c1-0  turn T1\n  command:\n    npm i <U+202E>\n    second line');
  });
});

describe('edited arguments', () => {
  it.each(['[1]', '"x"', '{', 'null'])('refuses %s', (text) => {
    expect(argumentsFrom(text)).toMatchObject({ ok: false });
  });
});

/** A terminal that a test types into, with a clock that it sets. */
function terminal() {
  const shown: string[] = [];
  const listeners = new Set<(key: string) => void>();
  let now = 0;
  let interrupts = 0;
  const asker = keyAsker({
    keys: {
      listen: (onKey) => {
        listeners.add(onKey);
        return () => listeners.delete(onKey);
      },
    },
    screen: openScreen({ write: (text) => void shown.push(text), columns: () => 80 }, false),
    promptLine: () => {},
    columns: () => 80,
    clock: () => now,
    env: {},
    onInterrupt: () => {
      interrupts += 1;
    },
  });
  const type = (key: string, later = 600) => {
    now += later;
    for (const listener of [...listeners]) listener(key);
  };
  return { asker, type, shown, interrupts: () => interrupts };
}

describe('asking by keys', () => {
  it('answers with the first key that decides; v, ? and Enter decide nothing', async () => {
    const { asker, type, shown } = terminal();
    const answer = asker.ask(approval, { more: 0, signal: new AbortController().signal });
    for (const key of ['\r', 'v', '?', 'y']) type(key);
    expect(await answer).toEqual({ choice: 'approve' });
    expect(shown.join('')).toContain('npm i <U+202E>');
    expect(shown.join('')).toContain('Risk medium: writes.');
  });

  it('closes without an answer when somebody else decided', async () => {
    const { asker } = terminal();
    const elsewhere = new AbortController();
    const answer = asker.ask(approval, { more: 0, signal: elsewhere.signal });
    elsewhere.abort();
    expect(await answer).toBeUndefined();
  });

  it('hands Ctrl-C on and stays open', async () => {
    const { asker, type, interrupts } = terminal();
    const answer = asker.ask(approval, { more: 0, signal: new AbortController().signal });
    type(CTRL_C);
    type('n');
    expect(await answer).toEqual({ choice: 'deny' });
    expect(interrupts()).toBe(1);
  });
});

type Decide = (id: string, decision: DecisionRequest) => Promise<DecisionOutcome>;

function deskWith(asker: Asker, decide: Decide) {
  const said: string[] = [];
  const approvals = { get: async () => approval, decide, list: async () => ({ items: [] }) };
  const desk = openDesk({ approvals, asker, say: (line) => void said.push(line), newId: () => 'D1' });
  return { desk, said };
}

describe('the desk of a turn', () => {
  const [request, answeredElsewhere] = eventsOf(asked('x'), resolved());
  if (!request || !answeredElsewhere) throw new Error('no events');

  it('sends the hash of what was shown', async () => {
    const sent = deferred<DecisionRequest>();
    const { desk } = deskWith({ ask: async () => ({ choice: 'approve' }) }, async (_, decision) => {
      sent.resolve(decision);
      return { state: 'accepted', decisionId: 'D1' };
    });
    desk.event(request);
    expect(await sent.promise).toEqual({ choice: 'approve', argumentHash: 'h1', decisionId: 'D1' });
  });

  it('asks again after a refused edit, with the reason', async () => {
    const answers = [{ choice: 'edit', arguments: {} }, { choice: 'deny' }];
    const done = deferred<string>();
    const { desk, said } = deskWith({ ask: async () => answers.shift() }, async (_, decision) => {
      if (decision.choice === 'edit')
        throw new ApiError(422, { code: 'invalid', message: 'command is missing', hint: '' });
      done.resolve(decision.choice);
      return { state: 'accepted', decisionId: 'D1' };
    });
    desk.event(request);
    expect(await done.promise).toBe('deny');
    expect(said).toEqual(['command is missing']);
  });

  it('C5.7 says who was first', async () => {
    const done = deferred<void>();
    const { desk, said } = deskWith({ ask: async () => ({ choice: 'approve' }) }, async () => {
      queueMicrotask(() => queueMicrotask(() => done.resolve()));
      return { state: 'already_decided', by: 'http:bob', at: '2026-01-01T12:00:01.000Z' };
    });
    desk.event(request);
    await done.promise;
    await expect.poll(() => said).toEqual(['Already decided by http:bob.']);
  });

  it('closes the question at the terminal when another surface was first', async () => {
    const closed = deferred<boolean>();
    const { desk } = deskWith(
      {
        ask: async (_, { signal }) =>
          new Promise((resolve) =>
            signal.addEventListener('abort', () => {
              closed.resolve(true);
              resolve(undefined);
            }),
          ),
      },
      async () => ({ state: 'accepted', decisionId: 'D1' }),
    );
    desk.event(request);
    await Promise.resolve();
    await new Promise((resume) => setImmediate(resume));
    desk.event(answeredElsewhere);
    expect(await closed.promise).toBe(true);
  });
});
