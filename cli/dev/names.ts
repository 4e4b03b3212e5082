// Names by which the supervisor and its workers are known at Temporal.
import { hostname } from 'node:os';

/**
 * The identity under which a supervisor reports a lost activity. The workflow believes `WorkerLost` only from it:
 * a tool that throws an error of that type carries its worker's identity instead.
 */
export const SUPERVISOR_IDENTITY = 'everturn-supervisor';

/** `deployment` tells the workers of one data folder from those of another on the same server. */
export const workerPrefix = (deployment: string): string => `everturn-dev-${deployment}`;

/** Never the same twice: process ids come again, so the time is part of it. */
export const workerIdentity = (deployment: string, nth: number): string =>
  `${workerPrefix(deployment)}:${process.pid}-${Date.now().toString(36)}-${nth}@${hostname()}`;
