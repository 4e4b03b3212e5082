/** What the package gives to programs: define a tool, talk to a running Everturn. */

export { defineTool } from './activities/tools/define-tool.ts';
export { createClient, type EverturnClient } from './client/client.ts';
export { ApiError } from './client/errors.ts';
export type { EventsOptions } from './client/events.ts';
export type { ConnectOptions } from './client/request.ts';
export type * from './client/types.ts';
export type { TurnEvent } from './core/events.ts';
