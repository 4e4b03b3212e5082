// Ctrl-C while a turn is watched: the first one asks, the second one leaves.

export type Interrupts = {
  /** For Ctrl-C that arrives as a key, while the terminal is in raw mode. */
  press: () => void;
  /** Fires when the person wants to leave. */
  left: AbortSignal;
  /** How often it was pressed. */
  count: () => number;
  close: () => void;
};

/** @param first what the first press does; without it the first one leaves */
export function listenForInterrupts(first?: () => void): Interrupts {
  const leaving = new AbortController();
  let presses = 0;
  const press = () => {
    presses += 1;
    if (presses === 1 && first) first();
    else leaving.abort();
  };
  const leave = () => {
    presses += 1;
    leaving.abort();
  };
  process.on('SIGINT', press);
  process.on('SIGTERM', leave);
  process.on('SIGHUP', leave);
  return {
    press,
    left: leaving.signal,
    count: () => presses,
    close: () => {
      process.off('SIGINT', press);
      process.off('SIGTERM', leave);
      process.off('SIGHUP', leave);
    },
  };
}
