import { describe, expect, it } from 'vitest';
import { wantsColour } from '../../../cli/colour.ts';
import { elapsed } from '../../../cli/durations.ts';
import { columnsOf, fitColumns } from '../../../cli/text-width.ts';
import { withoutTakenBack } from '../../../cli/view/backlog.ts';
import { render, startView, type ViewState } from '../../../cli/view/render.ts';
import { openScreen } from '../../../cli/view/screen.ts';
import { statusLine } from '../../../cli/view/status-line.ts';
import { plainWording } from '../../../cli/view/wording-plain.ts';
import type { EventBody } from '../../../core/events.ts';
import { asked, call, delta, eventsOf, reset, result, started } from './events.ts';

const look = { wording: plainWording, wholeLines: false, quiet: false, asking: false };
const at = (second: number) => Date.UTC(2026, 0, 1, 12, 0, second);

function stateAfter(...bodies: EventBody[]): ViewState {
  return eventsOf(...bodies).reduce((state, event) => render(state, event, look).state, startView);
}

describe('whether to colour', () => {
  it.each([
    ['a terminal', { env: {}, isTTY: true, noColorFlag: false }, true],
    ['a pipe', { env: {}, isTTY: false, noColorFlag: false }, false],
    ['--no-color on a terminal', { env: { FORCE_COLOR: '1' }, isTTY: true, noColorFlag: true }, false],
    ['NO_COLOR on a terminal', { env: { NO_COLOR: '1' }, isTTY: true, noColorFlag: false }, false],
    [
      'NO_COLOR against FORCE_COLOR',
      { env: { NO_COLOR: '1', FORCE_COLOR: '1' }, isTTY: true, noColorFlag: false },
      false,
    ],
    ['an empty NO_COLOR', { env: { NO_COLOR: '' }, isTTY: true, noColorFlag: false }, true],
    ['FORCE_COLOR on a pipe', { env: { FORCE_COLOR: '1' }, isTTY: false, noColorFlag: false }, true],
    ['FORCE_COLOR=0 on a terminal', { env: { FORCE_COLOR: '0' }, isTTY: true, noColorFlag: false }, false],
    ['a dumb terminal', { env: { TERM: 'dumb' }, isTTY: true, noColorFlag: false }, false],
  ])('%s', (_, facts, colour) => {
    expect(wantsColour(facts)).toBe(colour);
  });
});

describe('the status line', () => {
  it('shows a running tool with its time and its last line of progress', () => {
    const state = stateAfter(started, call('npm test'), {
      type: 'tool_progress',
      callId: 'c1-0',
      slot: 0,
      text: 'one\ntwo\n',
    });
    expect(statusLine(state, at(13), 80)).toBe('⏳ shell 12s · two');
  });

  it('says how long the model has been thinking', () => {
    const state = stateAfter(started, { type: 'thinking_delta', text: 'hm', step: 1, epoch: 1 });
    expect(statusLine(state, at(8), 80)).toBe('… thinking 7s');
  });

  it('C8.10 says that the engine is paused', () => {
    const state = stateAfter(started, { type: 'control', state: 'paused', by: 'ann' });
    expect(statusLine(state, at(1), 80)).toContain('paused');
  });

  it('counts questions that wait', () => {
    expect(statusLine(stateAfter(started, asked('x')), at(1), 80)).toBe('⏸ 1 waiting for a decision');
  });

  it('has nothing to say of a tool that ended', () => {
    expect(statusLine(stateAfter(started, call('ls'), result('a')), at(9), 80)).not.toContain('shell');
  });

  it('never takes more columns than there are', () => {
    const state = stateAfter(started, call('ls', '道具'.repeat(60)));
    expect(columnsOf(statusLine(state, at(9), 40))).toBeLessThanOrEqual(40);
  });
});

describe('the screen', () => {
  const record = () => {
    const written: string[] = [];
    return { written, output: { write: (text: string) => void written.push(text), columns: () => 80 } };
  };

  it('only appends where a line cannot be drawn again', () => {
    const { written, output } = record();
    const screen = openScreen(output, false);
    screen.status('working');
    screen.append('a\n');
    screen.status('');
    expect(written.join('')).toBe('a\n');
  });

  it('takes the status line away before text and draws it again below', () => {
    const { written, output } = record();
    const screen = openScreen(output, true);
    screen.status('working');
    screen.append('a\n');
    expect(written).toEqual(['working', '\r\u001b[2K', 'a\n', 'working']);
  });

  it('draws no status line into a line of text', () => {
    const { written, output } = record();
    const screen = openScreen(output, true);
    screen.append('half a li');
    screen.status('working');
    screen.append('ne\n');
    expect(written).toEqual(['half a li', 'ne\n', 'working']);
  });

  it('keeps text back while a person types, and loses none', () => {
    const { written, output } = record();
    const screen = openScreen(output, true);
    screen.hold();
    screen.append('a\n');
    screen.status('working');
    expect(written).toEqual([]);
    screen.release();
    expect(written).toEqual(['a\n', 'working']);
  });
});

describe('a reader who comes late', () => {
  it('C10.5 does not see text that was taken back', () => {
    const events = eventsOf(delta('wrong'), delta('kept', 2), reset(1), delta('right', 1, 2));
    expect(withoutTakenBack(events).map((event) => (event.type === 'text_delta' ? event.text : event.type))).toEqual([
      'kept',
      'right',
    ]);
  });
});

describe('durations and widths', () => {
  it.each([
    [0, '0s'],
    [420, '0.4s'],
    [12_400, '12s'],
    [65_000, '1m 05s'],
    [7_800_000, '2h 10m'],
    [-5, '0s'],
  ])('%i ms is %s', (ms, text) => {
    expect(elapsed(ms)).toBe(text);
  });

  it('counts wide characters as two columns and marks as none', () => {
    expect([columnsOf('道具'), columnsOf('é'), columnsOf('✅')]).toEqual([4, 1, 2]);
    expect(fitColumns('道具道具', 5)).toBe('道具…');
  });
});
