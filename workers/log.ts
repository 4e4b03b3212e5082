/** How a worker tells what it does; texts are scrubbed by whoever writes them out. */
export type Log = (level: 'info' | 'warn' | 'error', message: string, fields: Record<string, unknown>) => void;

export const silent: Log = () => {};
