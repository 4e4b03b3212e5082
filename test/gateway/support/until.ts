// Waits for a condition instead of a time.
export async function until<T>(look: () => Promise<T | undefined | false | null>, ms = 20_000): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (Date.now() > end) throw new Error(`the condition did not come true within ${ms} ms: ${look}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
