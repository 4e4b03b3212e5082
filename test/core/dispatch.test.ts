// Which calls run now, and which together (C4.10, C4.11, C6.1).
import { describe, expect, it } from 'vitest';
import { roundMode } from '../../core/dispatch.ts';
import {
  ASKS,
  acceptedOf,
  type CallOptions,
  callOf,
  GATED,
  inRound,
  resultOf,
  runs,
  type SubsetOptions,
  slotsOf,
  subsetOf,
  WAITS,
  WRITES,
} from './turn-build.ts';
import { askedAs, Stage } from './turn-stage.ts';

const modeOf = (calls: CallOptions[], options: SubsetOptions = {}) =>
  roundMode(slotsOf(inRound(calls, options)), subsetOf(options).knobs);
const many = (count: number, call: CallOptions = {}) => Array.from({ length: count }, (_, args) => ({ ...call, args }));

describe('C6.1 the mode of a batch', () => {
  const batches: [string, CallOptions[], string][] = [
    ['several that only read', many(3), 'parallel'],
    ['one effect among them', [{ args: 1 }, WRITES, { args: 2 }], 'parallel'],
    ['two effects', [WRITES, { ...WRITES, args: 2 }], 'sequential'],
    ['an effect of each kind', [WRITES, { name: 'mail', facts: { effect: 'once' } }], 'sequential'],
    ['one that needs approval', [{}, GATED], 'sequential'],
    ['one alone', [{}], 'sequential'],
    ['one executable beside answered ones', [{}, { filled: resultOf('failed') }], 'sequential'],
    [
      'two that read, one answered with an effect',
      [{ args: 1 }, { args: 2 }, { ...WRITES, filled: resultOf('failed') }],
      'parallel',
    ],
    ['a question to a person is no approval', [ASKS, { args: 1 }, { args: 2 }], 'parallel'],
    ['a timer', [WAITS, { args: 1 }], 'parallel'],
  ];
  it.each(batches)('%s', (_, calls, mode) => expect(modeOf(calls)).toBe(mode));

  it('strict where parallel_tools is off', () => {
    expect(modeOf(many(3), { knobs: { parallelTools: false } })).toBe('strict');
  });
});

describe('C6.1 in parallel', () => {
  it.each([1, 3, 8])('max_parallel_tools %i is kept, the next in order starts when one ends', (maxParallelTools) => {
    const stage = new Stage(many(10), { knobs: { maxParallelTools } });
    const first = Array.from({ length: maxParallelTools }, (_, slot) => `c1-${slot}`);
    expect(stage.pendingKeys('tool')).toEqual(first);
    stage.toolDone(first.at(-1) as string);
    expect(stage.pendingKeys('tool')).toEqual([...first.slice(0, -1), `c1-${maxParallelTools}`]);
  });

  it('a call whose worker was lost keeps its place until it is known what became of it', () => {
    const stage = new Stage(many(3), { knobs: { maxParallelTools: 2 } });
    stage.toolDone('c1-0', { kind: 'lost' });
    expect(stage.pendingKeys('tool')).toEqual(['c1-1']);
    stage.give('resolve', 'c1-0', { kind: 'again' });
    expect(stage.pendingKeys('tool')).toEqual(['c1-1', 'c1-0']);
  });

  it('a timer takes nobody’s place', () => {
    const stage = new Stage([WAITS, ...many(2)], { knobs: { maxParallelTools: 2 } });
    expect(stage.pendingKeys('tool')).toEqual(['c1-1', 'c1-2']);
  });

  it('C6.7 whatever ends first, the round is in the order of the model', () => {
    const stage = new Stage(many(3));
    for (const slot of [2, 0, 1]) stage.toolDone(`c1-${slot}`);
    const closed = stage.moves.findLast((move) => move.kind === 'call-provider');
    expect(closed).toMatchObject({ request: { append: { round: { step: 1 }, fills: [] } } });
  });
});

describe('C4.11 in sequence', () => {
  const two = [GATED, { ...WRITES, args: 1 }, { ...WRITES, args: 2 }];

  it('one at a time, the first whose gate is settled; the undecided one holds nobody back', () => {
    const stage = new Stage(two);
    expect(stage.pendingKeys('tool')).toEqual(['c1-1']);
    stage.decide(askedAs('c1-0'), 'D');
    stage.settled(askedAs('c1-0'), acceptedOf('D', runs(callOf(1, 0, GATED))));
    expect(stage.pendingKeys('tool')).toEqual(['c1-1']);
    stage.toolDone('c1-1');
    expect(stage.pendingKeys('tool')).toEqual(['c1-0']);
    stage.toolDone('c1-0');
    expect(stage.pendingKeys('tool')).toEqual(['c1-2']);
  });

  it('parallel_tools off: later calls wait for an undecided one, and for a timer', () => {
    const strict = { knobs: { parallelTools: false } };
    const stage = new Stage(two, strict);
    expect(stage.pendingKeys('tool')).toEqual([]);
    stage.decide(askedAs('c1-0'), 'D');
    stage.settled(askedAs('c1-0'), acceptedOf('D', runs(callOf(1, 0, GATED))));
    stage.toolDone('c1-0');
    expect(stage.pendingKeys('tool')).toEqual(['c1-1']);

    const timed = new Stage([WAITS, {}], strict);
    expect(timed.pendingKeys('tool')).toEqual([]);
    timed.pass(60_000);
    timed.answer(timed.only('record'), [resultOf()]);
    timed.pump();
    expect(timed.pendingKeys('tool')).toEqual(['c1-1']);
  });

  it('T7 an unknown outcome that is asked about lets the rest go on, and is retried alone', () => {
    const pays = [
      { ...GATED, args: 1 },
      { ...GATED, args: 2 },
    ];
    const stage = new Stage(pays, { access: { autonomy: 'full' }, knobs: { onUnknown: 'ask' } });
    stage.toolDone('c1-0', { kind: 'lost' });
    stage.give('resolve', 'c1-0', { kind: 'unknown' });
    expect([stage.pendingKeys('tool'), stage.questions()]).toEqual([['c1-1'], [`${askedAs('c1-0')}.u1`]]);
    stage.decide(`${askedAs('c1-0')}.u1`, 'R');
    stage.settled(`${askedAs('c1-0')}.u1`, acceptedOf('R', { kind: 'retry' }));
    expect(stage.pendingKeys('tool')).toEqual(['c1-1']);
    stage.toolDone('c1-1');
    expect(stage.only('tool').request.request).toMatchObject({ slot: 0, attempt: 2 });
  });
});
