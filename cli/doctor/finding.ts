// One line of the doctor: what was looked at, what it means, and what to do about it (ux row 50).

export type Finding = {
  /** Stable, for programs. */
  check: string;
  state: 'ok' | 'warning' | 'fault';
  what: string;
  /** What follows from it; only where something is wrong or should be known. */
  effect?: string;
  /** A command or a change that mends it. */
  fix?: string;
};

export const ok = (check: string, what: string): Finding => ({ check, state: 'ok', what });

export const warning = (check: string, what: string, more: { effect: string; fix: string }): Finding => ({
  ...{ check, state: 'warning', what },
  ...more,
});

export const fault = (check: string, what: string, more: { effect: string; fix: string }): Finding => ({
  ...{ check, state: 'fault', what },
  ...more,
});

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
