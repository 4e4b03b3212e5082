// Progress, on stderr only: stdout belongs to the script that runs afterwards.

export function say(text) {
  process.stderr.write(`everturn setup: ${text}\n`);
}

/** Says that a slow step began, that it still goes on (every 15 s), and how long it took. */
export async function withProgress(what, work) {
  const began = Date.now();
  const seconds = () => Math.round((Date.now() - began) / 100) / 10;
  say(`${what} …`);
  const ticker = setInterval(() => say(`${what} … still working after ${Math.round(seconds())} s`), 15_000);
  try {
    const result = await work();
    say(`${what}: done in ${seconds()} s`);
    return result;
  } finally {
    clearInterval(ticker);
  }
}
