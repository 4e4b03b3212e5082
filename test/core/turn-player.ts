// Plays one turn in a storm: answers in any order, messages at any point, the clock, continue-as-new; then the storm ends
// and the turn must end too.
import { readAnswer, readSteer, withAnswer, withControl, withSteer } from '../../core/inbox.ts';
import type { Outcome } from '../../core/outcome.ts';
import { newTurn, openQuestions, type TurnState } from '../../core/turn-state.ts';
import { TURN } from './turn-build.ts';
import { Chance, type Storm } from './turn-chance.ts';
import { Checks, deepFreeze } from './turn-checks.ts';
import { type PendingOf, TurnDriver } from './turn-driver.ts';
import { Findings } from './turn-model-store.ts';
import { World } from './turn-world.ts';

export type Report = {
  findings: Findings;
  outcome: Outcome | undefined;
  state: TurnState;
  moves: number;
  world: World;
};

/** More than any lawful play needs: a turn that goes on beyond it does not end. */
const MOST_TURNS_OF_THE_LOOP = 1_500;

const GARBAGE = [null, '', 'yes', 1, {}, [], { approvalId: 7, decisionId: 'x' }, { id: '' }, { id: 'a', text: '  ' }];

export function play(storm: Storm): Report {
  const player = new Player(storm);
  player.run();
  return player.report();
}

class Player {
  private readonly chance: Chance;
  private readonly findings = new Findings();
  private readonly world: World;
  private readonly checks: Checks;
  private readonly driver: TurnDriver;
  private said = 0;
  private readonly steered: string[] = [];
  private readonly turnedAway: string[] = [];

  constructor(storm: Storm) {
    this.chance = new Chance(storm);
    this.world = new World(this.chance, this.findings);
    this.checks = new Checks(this.world, this.findings);
    this.driver = new TurnDriver(deepFreeze(newTurn(TURN)), this.checks);
    this.checks.driver = this.driver;
  }

  run(): void {
    const { driver } = this;
    for (let turn = 0; driver.outcome === undefined; turn += 1) {
      if (turn > MOST_TURNS_OF_THE_LOOP) break;
      while (this.chance.in100(25)) this.outside();
      driver.tired = driver.tired || this.chance.in100(5);
      const until = driver.pump();
      if (driver.outcome === undefined && !this.happen(until)) break;
    }
    if (driver.outcome !== undefined) this.atTheEnd();
    else this.findings.add('terminates', `goes on or is stuck at ${JSON.stringify(driver.state.phase).slice(0, 400)}`);
  }

  report(): Report {
    const { findings, driver, world } = this;
    return { findings, outcome: driver.outcome, state: driver.state, moves: driver.moves.length, world };
  }

  /** Something happens: an answer, an hour, a resume. @returns false when nothing can */
  private happen(until: number | null): boolean {
    const { driver, chance } = this;
    const wait = until === null ? -1 : Math.max(0, until - driver.now);
    if (driver.pending.length > 0 && !(wait >= 0 && chance.in100(10))) {
      this.settleOne();
      return true;
    }
    const mustResume = driver.pending.length === 0 && (wait < 0 || !chance.in100(30));
    if (driver.state.pause.held && mustResume) {
      this.world.flags.pausedAt = undefined;
      driver.fold((state) => withControl(state, 'resumed', driver.now));
      return true;
    }
    if (wait < 0) return false;
    driver.now += wait;
    return true;
  }

  private settleOne(): void {
    const { driver, chance, world } = this;
    const pending = chance.of(...driver.pending);
    if (chance.in100(10)) driver.now += chance.below(3_000);
    const answer = world.answer(pending, driver.now);
    if (pending.kind === 'settle') this.checks.settled(pending.request, answer);
    if (pending.kind === 'turnAway') this.turnedAway.push(...pending.request.steering.map(({ id }) => id));
    driver.answer(pending as PendingOf<'announce'>, answer as undefined);
  }

  private outside(): void {
    const { chance, driver } = this;
    const events: (() => void)[] = [
      ...Array.from({ length: 4 }, () => () => this.decide()),
      ...Array.from({ length: 2 }, () => () => this.steer()),
      () => chance.in100(25) && this.cancel(),
      () => this.pause(),
      () => driver.fold((state) => withControl(state, 'resumed', driver.now - chance.below(5_000))),
      () => this.garbage(),
      () => {
        driver.now += chance.of(1, 1_000, 5_000, 300_000);
      },
      () => {
        this.world.flags.cancelled ||= chance.in100(15);
      },
    ];
    chance.of(...events)();
  }

  /** To a question that is open, was open, or is not yet there; by a new sender or a repeated one. */
  private decide(): void {
    const { chance, driver } = this;
    const open = openQuestions(driver.state).map((question) => question.approvalId);
    const approvalId = open.length > 0 && !chance.in100(15) ? chance.of(...open) : `${TURN}.c${1 + chance.below(3)}-0`;
    const decisionId = chance.in100(25) ? `d${chance.below(this.said + 1)}` : `d${++this.said}`;
    const answer = readAnswer({ approvalId, decisionId });
    if (!answer) return;
    const known = driver.state.answers.length;
    driver.fold((state) => withAnswer(state, answer));
    if (driver.state.answers.length > known) this.checks.queue.push(answer);
  }

  private steer(): void {
    const { chance, driver } = this;
    const id = chance.in100(20) ? `s${chance.below(this.said + 1)}` : `s${++this.said}`;
    const steer = readSteer({ id, ...(chance.in100(20) ? { text: 'and more' } : {}) });
    if (!steer) return;
    if (!driver.state.seen.includes(id)) this.steered.push(id);
    driver.fold((state) => withSteer(state, steer));
  }

  private cancel(): void {
    const native = this.chance.in100(50);
    this.world.flags.cancelled ||= this.chance.in100(70);
    for (const each of this.driver.pending) if (each.kind === 'provider') this.world.cut(each);
    this.driver.cancel({ by: 'alice', reason: 'enough', native });
  }

  private pause(): void {
    const { driver, chance, world } = this;
    if (chance.in100(50)) world.flags.pausedAt ??= driver.now;
    if (chance.in100(50)) driver.fold((state) => withControl(state, 'paused', driver.now - chance.below(2_000)));
  }

  private garbage(): void {
    const raw = this.chance.of(...GARBAGE);
    const [answer, steer] = [readAnswer(raw), readSteer(raw)];
    if (answer || steer) this.findings.add('guard', `taken: ${JSON.stringify(raw)}`);
  }

  /** What must hold of any turn that has ended. */
  private atTheEnd(): void {
    const { driver, world, findings } = this;
    const { state } = driver;
    const closedOutside = !driver.moves.some((move) => move.kind === 'finish');
    if (closedOutside) return;
    if (world.store.unanswered().length > 0) findings.add('T9', `steps ${world.store.unanswered()} have no results`);
    for (const [step, calls] of world.store.replies)
      for (const { callId } of calls)
        if (!world.store.recorded.has(callId)) findings.add('T1', `${callId} of step ${step} was never filled`);
    const cap = state.execution?.knobs.maxToolIterations ?? 0;
    if (world.iterations > cap) findings.add('cap', `${world.iterations} iterations of ${cap}`);
    if (state.inbox.length > 0) findings.add('T8', 'messages are left in the inbox');
    this.noneLost();
  }

  /** C8.3: every message was appended, turned away, or is pending in the store of an ended turn. */
  private noneLost(): void {
    const { driver, world, findings, turnedAway } = this;
    const gone = this.steered.filter((id) => !world.store.steered.includes(id) && !turnedAway.includes(id));
    const cut = driver.moves.some((move) => move.kind === 'call-provider') && driver.outcome?.status !== 'completed';
    if (gone.length > 0 && !cut) findings.add('T9', `messages ${gone} were lost`);
    const order = world.store.steered.map((id) => this.steered.indexOf(id));
    if (order.some((place, nth) => nth > 0 && place < (order[nth - 1] as number)))
      findings.add('T9', `messages were appended in another order: ${world.store.steered}`);
  }
}
