// Waits for a condition, never for a time.
const EVERY_MS = 15;

/** @throws Error naming what was waited for and what was last seen */
export async function until<T>(
  look: () => Promise<T> | T,
  is: (seen: T) => boolean,
  what: string,
  withinMs = 90_000,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (is(seen)) return seen;
    if (Date.now() > deadline)
      throw new Error(`Waited ${withinMs} ms in vain for ${what}; last seen: ${JSON.stringify(seen)?.slice(0, 2_000)}`);
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}
