/** Everything a turn can ask of the world, made from what the worker has (style: activities get their world from a factory). */
import type { SessionPorts, TurnPorts } from '../core/ports.ts';
import { beginTurn } from './begin-turn.ts';
import { callProvider } from './call-provider.ts';
import type { EngineDeps } from './deps.ts';
import { endTurn } from './end-turn.ts';
import { executionCache } from './executions.ts';
import { announce } from './questions/announce.ts';
import { settleQuestion } from './questions/settle.ts';
import { recordResults } from './record-results.ts';
import { resolveCall } from './resolve-call.ts';
import { runTool } from './run-tool.ts';
import { adoptSteering, turnAway } from './steering.ts';

export function createActivities(deps: EngineDeps): TurnPorts & SessionPorts {
  const executions = executionCache(deps.store);
  return {
    beginTurn: (input) => beginTurn(deps, input),
    callProvider: (input) => callProvider(deps, executions, input),
    announce: (input) => announce(deps, input),
    settleQuestion: (input) => settleQuestion(deps, executions, input),
    runTool: (input) => runTool(deps, executions, input),
    resolveCall: (input) => resolveCall(deps, input),
    recordResults: (input) => recordResults(deps, input),
    endTurn: (input) => endTurn(deps, input),
    turnAway: (input) => turnAway(deps, input),
    adoptSteering: (input) => adoptSteering(deps, input),
  };
}
