// Scripts of the provider by scenario: a turn whose first message is the scenario's name gets its answers, step by step.
export type Said = {
  say?: string | (string | { wait_ms: number })[];
  calls?: { name: string; arguments: Record<string, unknown>; id?: string }[];
  finish?: string;
};

/** A call as the model makes it. */
export const call = (name: string, args: Record<string, unknown>) => ({ name, arguments: args });

/** A held stream: shown up to the wait, then silent for a minute. */
export const HELD = { wait_ms: 60_000 };

/** YAML takes JSON. What no scenario knows is answered by repeating the last message. */
export function scriptOf(scenarios: Record<string, Said[]>, more: unknown[] = []): string {
  const responses = Object.entries(scenarios).flatMap(([name, answers]) =>
    answers.map((answer, index) => ({ when: { first_user: { equals: name }, step: index + 1 }, ...answer })),
  );
  return JSON.stringify({ responses: [...more, ...responses], otherwise: { say: 'heard: {{last_user}}' } });
}
