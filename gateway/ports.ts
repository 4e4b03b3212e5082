/** Small seams of the gateway: what it shows with, what it tells its log. */
import type { Json } from '../core/json.ts';

/** Takes secrets out of whatever is shown (C9.1). Scrubbing twice changes nothing. */
export type Renderer = { text(value: string): string; json(value: Json): Json };

export type Log = (level: 'info' | 'warn' | 'error', message: string, facts?: Record<string, unknown>) => void;
