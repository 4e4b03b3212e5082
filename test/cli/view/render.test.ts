import { describe, expect, it } from 'vitest';
import { coloursFor } from '../../../cli/colour.ts';
import { type Look, lineEnd, render, startView } from '../../../cli/view/render.ts';
import { cardWording } from '../../../cli/view/wording-cards.ts';
import { plainWording } from '../../../cli/view/wording-plain.ts';
import type { EventBody } from '../../../core/events.ts';
import { asked, call, delta, ended, eventsOf, reset, resolved, result, started } from './events.ts';

const plainColours = coloursFor({ env: { NO_COLOR: '1' }, isTTY: true, noColorFlag: false });
const strongColours = coloursFor({ env: { FORCE_COLOR: '1' }, isTTY: false, noColorFlag: false });
const cards: Look = { wording: cardWording(plainColours), wholeLines: false, quiet: false, asking: false };
const accessible: Look = { wording: plainWording, wholeLines: true, quiet: false, asking: false };
const quiet: Look = { ...cards, quiet: true };

function show(look: Look, ...bodies: EventBody[]): string {
  let state = startView;
  let out = '';
  for (const event of eventsOf(...bodies)) {
    const next = render(state, event, look);
    state = next.state;
    out += next.text;
  }
  return out + lineEnd(state);
}

describe('the live view as cards', () => {
  it('streams text as it comes and does not repeat the answer at the end', () => {
    const text = show(cards, started, delta('Hello '), delta('there'), ended({ answer: 'Hello there' }));
    expect(text).toBe('turn T1 · main\nHello there\ncompleted · answer · 10 in, 5 out · 3s\n');
  });

  it('shows an answer that was never streamed', () => {
    expect(show(cards, started, ended({ answer: 'From the record' }))).toContain('\nFrom the record\ncompleted');
  });

  it('C9.4 words tool calls as progress lines', () => {
    const text = show(
      cards,
      call('npm test'),
      result('all well\n'),
      call('rm x'),
      result('', { success: false, status: 'failed', text: 'Error: no such file\npartial' }),
    );
    expect(text.split('\n')).toEqual([
      '⏳ shell: npm test',
      '✅ shell (2s)',
      '   all well',
      '⏳ shell: rm x',
      '❌ shell (2s): no such file',
      '   partial',
      '',
    ]);
  });

  it('C9.4 cuts hints at 60 and reasons at 200 characters', () => {
    const [hint, reason] = show(
      cards,
      call('x'.repeat(100)),
      result('', { success: false, status: 'failed', text: `Error: ${'y'.repeat(300)}` }),
    ).split('\n');
    expect(hint).toBe(`⏳ shell: ${'x'.repeat(59)}…`);
    expect(reason).toBe(`❌ shell (2s): ${'y'.repeat(199)}…`);
  });

  it('C9.4 says that a result was replaced', () => {
    expect(show(cards, result('made up', { status: 'replaced' }))).toBe('✏ shell: replaced\n   made up\n');
  });

  it('shows the first lines of a long result and says how many more there are', () => {
    const long = Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n');
    const lines = show(cards, result(long)).trimEnd().split('\n');
    expect(lines).toHaveLength(8);
    expect(lines.at(-1)).toBe('   … 34 more lines');
  });

  it('starts tool cards on a line of their own when text was streaming', () => {
    expect(show(cards, delta('I will look'), call('ls'))).toBe('I will look\n⏳ shell: ls\n');
  });

  it('C10.5 says that shown text is taken back, and shows the new attempt', () => {
    const text = show(cards, delta('Half an ans'), reset(), delta('The answer', 1, 2), ended({ answer: 'The answer' }));
    expect(text.split('\n').slice(0, 3)).toEqual([
      'Half an ans',
      '↺ the text above of this step is taken back; the model begins it again',
      'The answer',
    ]);
  });

  it('C10.5 says nothing about a reset of text that was never shown', () => {
    expect(show(cards, reset(), delta('The answer', 1, 2))).toBe('The answer\n');
  });

  it('C5.5 shows an open approval with risk, id and time left', () => {
    expect(show(cards, asked('command: npm i'))).toBe(
      '⏸ Approval needed: shell  [medium risk: writes a file]\n  command: npm i\n  T1.c1-0 · open for 5m 01s\n',
    );
  });

  it('C5.7 closes an approval with who decided, and the note', () => {
    const text = show(cards, asked('x'), resolved({ choice: 'deny', by: 'http:bob', note: 'not on Fridays' }));
    expect(text).toContain('✘ shell: deny by http:bob — not on Fridays\n');
  });

  it('names the error of a failed turn', () => {
    const error = { type: 'ProviderFailed' as const, message: 'local answered 401' };
    expect(show(cards, ended({ status: 'failed', stopReason: 'error', error }))).toBe(
      'failed · error — local answered 401 · 10 in, 5 out\n',
    );
  });

  it('shows only what the model says with --quiet', () => {
    expect(show(quiet, started, call('ls'), result('a'), delta('Done.'), ended({ answer: 'Done.' }))).toBe('Done.\n');
  });
});

describe('--quiet where a person is asked', () => {
  it('still shows what there is to decide', () => {
    const text = show({ ...quiet, asking: true }, started, call('ls'), asked('command: rm x'), resolved());
    expect(text).toContain('command: rm x');
    expect(text).not.toContain('⏳');
  });
});

describe('the live view for screen readers', () => {
  it('uses sentences, no pictures, and only whole lines', () => {
    const text = show(accessible, started, delta('Hel'), delta('lo\nwor'), call('ls'), result('a\nb'), ended());
    expect(text).toBe(
      [
        'Turn T1 started, agent main.',
        'Hello',
        'wor',
        'Tool shell started: ls',
        'Tool shell finished after 2 seconds. Result, 2 lines:',
        'a',
        'b',
        'Turn completed after 5 seconds. Reason: answer. 10 tokens in, 5 out.',
        '',
      ].join('\n'),
    );
  });

  it('appends nothing in mid-line', () => {
    let state = startView;
    for (const event of eventsOf(started, delta('a'), delta('b\nc'), delta('d'), call('ls'), result('x'), ended())) {
      const next = render(state, event, accessible);
      state = next.state;
      expect(next.text === '' || next.text.endsWith('\n')).toBe(true);
    }
  });
});

describe('colour in the view', () => {
  const events = [started, delta('x'), call('ls'), result('a'), asked('b'), resolved(), ended()];

  it('NO_COLOR leaves not one escape sequence', () => {
    expect(show(cards, ...events)).not.toContain('\u001b');
  });

  it('FORCE_COLOR colours without a terminal', () => {
    expect(show({ ...cards, wording: cardWording(strongColours) }, ...events)).toContain('\u001b[');
  });
});

describe('hostile characters', () => {
  const hostile = '\u001b[2J\u202egnp.exe\u0007\u009b31m\u{e0041}\rX';
  const everywhere: EventBody[] = [
    { type: 'turn_started', agent: hostile, text: hostile },
    delta(hostile),
    call(hostile, hostile),
    { type: 'tool_progress', callId: 'c1-0', slot: 0, text: hostile },
    result(hostile, { tool: hostile }),
    result('', { success: false, status: 'failed', text: `Error: ${hostile}` }),
    { ...asked(hostile), tool: hostile, risk: { level: hostile, reasons: [hostile] } } as EventBody,
    resolved({ by: hostile, note: hostile, choice: hostile }),
    { type: 'steering', id: 's', state: 'taken', text: hostile },
    { type: 'plan', items: [{ text: hostile, state: hostile }] },
    { type: 'child_started', turnId: hostile },
    { type: 'child_ended', turnId: hostile, status: hostile },
    { type: 'control', state: 'paused', by: hostile },
    ended({ answer: hostile, error: { type: 'TurnFailed', message: hostile }, status: 'failed', note: hostile }),
  ];

  it.each([
    ['cards', cards],
    ['accessible', accessible],
    ['quiet', quiet],
  ])('are visible and harmless in %s', (_, look) => {
    const text = show(look, ...everywhere);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is about them
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u{e0000}-\u{e007f}]/u);
    expect(text).toContain('␛[2J<U+202E>gnp.exe␇<U+009B>31m<U+E0041>␍X');
  });
});
