/** Sleeps until it is rung or the time is up; a ring that came before the sleep counts. */

export type Alarm = { ring(): void; clear(): void; sleep(ms: number): Promise<void> };

export function createAlarm(): Alarm {
  let rung = false;
  let wake = () => {};
  return {
    ring: () => {
      rung = true;
      wake();
    },
    clear: () => {
      rung = false;
    },
    sleep: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
        if (rung) wake();
      }),
  };
}
