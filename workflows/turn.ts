/**
 * One agent turn, from one message to one answer.
 *
 * The core decides (`nextMove`) and remembers (`with…`); this function only performs. Every wait is durable: a turn may rest
 * on any of them for a second or a month, and goes on from the same place on whichever worker is up.
 * A cancel is a fact that the core decides on: it cuts calls of the model and of tools, and nothing that must be written.
 */
import { workflowInfo } from '@temporalio/workflow';
import { withBegun } from '../core/loop-control.ts';
import type { Outcome } from '../core/outcome.ts';
import { nextMove } from '../core/turn.ts';
import { newTurn, type TurnState } from '../core/turn-state.ts';
import { Desk, safely } from './desk.ts';
import type { TurnInput } from './messages.ts';
import { beginTurn } from './ports.ts';
import { askModel } from './steps/ask-model.ts';
import { close, finish } from './steps/end-turn.ts';
import { handOver } from './steps/hand-over.ts';
import { announceMove, recordMove, resolveMove, runToolsMove, settleMove } from './steps/play-round.ts';

/** Events of one run after which a turn continues as new at its next boundary: replay stays short. */
const TIRED_AFTER_EVENTS = 1_500;

/** @param carried the state of the previous run, when its history grew long */
export async function turn(input: TurnInput, carried?: TurnState): Promise<Outcome> {
  const desk = new Desk(carried ?? newTurn(input.turnId, input.start));
  return safely(() => desk.work.run(() => play(desk)));
}

async function play(desk: Desk): Promise<Outcome> {
  for (;;) {
    const move = nextMove(desk.state, Date.now(), isTired());
    switch (move.kind) {
      case 'begin': {
        const { turnId, start } = desk.state;
        const begun = await safely(() => beginTurn({ turnId, ...(start ? { start } : {}) }));
        desk.fold((state) => withBegun(state, begun));
        desk.show();
        break;
      }
      case 'call-provider':
        if (desk.isBusy) await desk.quiet();
        await askModel(desk, move.request);
        break;
      case 'announce':
        announceMove(desk, move);
        break;
      case 'settle':
        settleMove(desk, move);
        break;
      case 'run-tools':
        runToolsMove(desk, move);
        break;
      case 'resolve':
        resolveMove(desk, move);
        break;
      case 'record':
        recordMove(desk, move);
        break;
      case 'wait':
        await desk.rest(move.until);
        break;
      case 'hand-over':
        await safely(() => handOver(desk));
        break;
      case 'finish':
        await safely(() => finish(desk));
        break;
      case 'return':
        return safely(() => close(desk, move.outcome));
    }
  }
}

function isTired(): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  return continueAsNewSuggested || historyLength > TIRED_AFTER_EVENTS;
}
