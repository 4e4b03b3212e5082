/** The transcript of a turn (C0, C12.5): steps opened and closed by fenced attempts, entries read through memory. */
import { assembleText } from '../../core/events.ts';
import type { Transcript } from '../api.ts';
import { loadCall } from '../calls.ts';
import type { Context } from '../context.ts';
import { textEvents } from '../events.ts';
import { loadTurn } from '../turns/row.ts';
import { closeStepTx } from './close-step.ts';
import { linksAfter } from './entries.ts';
import { openStepTx } from './open-step.ts';

export function createTranscript({ db, sealer, now, chains }: Context): Transcript {
  return {
    async openStep(input) {
      const { answer, links } = await db.write(() => openStepTx(input, now()));
      chains.extend(input.turnId, links);
      return answer;
    },
    async closeStep(input) {
      const { answer, links } = await db.write(() => closeStepTx(sealer, input, now()));
      chains.extend(input.turnId, links);
      return answer;
    },
    shownText: (turnId, step) =>
      db.read(function* () {
        return assembleText(yield* textEvents(turnId)).get(step) ?? '';
      }),
    load: (turnId, head) => db.read(() => chains.upTo(turnId, head)),
    ofTurn: (turnId) =>
      db.read(function* () {
        const turn = yield* loadTurn(turnId);
        const links = yield* linksAfter(turnId, 0);
        return { entries: links.map((link) => link.entry), head: turn?.head ?? '' };
      }),
    call: (turnId, callId) => db.read(() => loadCall(sealer, turnId, callId)),
  };
}
