/** Temporal as the gateway uses it: start turns, talk to them, look at what is there. */
import { openTemporal, type TemporalLine, type TemporalTarget } from './temporal/connection.ts';
import { createDesk, type TurnDesk } from './temporal/desk.ts';
import { namespaceId, openTurnIds, pollingWorkers, turnFate, type WorkflowFate } from './temporal/look.ts';
import { ensureSearchAttributes, type SearchAttributeState } from './temporal/search-attributes.ts';
import { createTurnStarter, type TurnStarter } from './temporal/start.ts';

export type { ControlMessage } from '../workflows/messages.ts';
export type { TemporalTarget } from './temporal/connection.ts';
export type { DeskAnswer, Told, TurnDesk } from './temporal/desk.ts';
export type { WorkflowFate } from './temporal/look.ts';
export type { StartFate, TurnStart, TurnStarter } from './temporal/start.ts';
export { createDesk, createTurnStarter, ensureSearchAttributes, openTemporal };

export type TemporalDesk = TurnDesk & {
  target: Pick<TemporalTarget, 'address' | 'namespace' | 'taskQueue'>;
  start: TurnStarter;
  turnFate(turnId: string): Promise<WorkflowFate>;
  openTurnIds(): Promise<Set<string>>;
  namespaceId(): Promise<string>;
  pollingWorkers(): Promise<string[]>;
  /** Adds the search attributes when it may; starts carry them from then on. */
  prepare(): Promise<SearchAttributeState>;
  close(): Promise<void>;
};

/** Opens nothing yet: the first call does. */
export function createTemporalDesk(target: TemporalTarget): TemporalDesk {
  return deskOn(openTemporal(target));
}

function deskOn(line: TemporalLine): TemporalDesk {
  let attributes = false;
  return {
    ...createDesk(line),
    target: { address: line.address, namespace: line.namespace, taskQueue: line.taskQueue },
    start: createTurnStarter(line, () => attributes),
    turnFate: (turnId) => turnFate(line, turnId),
    openTurnIds: () => openTurnIds(line),
    namespaceId: () => namespaceId(line),
    pollingWorkers: () => pollingWorkers(line),
    prepare: async () => {
      const state = await ensureSearchAttributes(line);
      attributes = state.registered;
      return state;
    },
    close: () => line.close(),
  };
}
