// The one place that decides about colour (ux row 46).
import pc from 'picocolors';

export type Colours = ReturnType<typeof pc.createColors>;

export type ColourFacts = { env: NodeJS.ProcessEnv; isTTY: boolean; noColorFlag: boolean };

/**
 * `--no-color`, then a non-empty `NO_COLOR`, then `FORCE_COLOR` (`0` and `false` mean off), then whether a
 * terminal that can do more than print is at the other end.
 */
export function wantsColour({ env, isTTY, noColorFlag }: ColourFacts): boolean {
  if (noColorFlag || env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '') return !['0', 'false'].includes(env.FORCE_COLOR);
  return isTTY && env.TERM !== 'dumb';
}

export const coloursFor = (facts: ColourFacts): Colours => pc.createColors(wantsColour(facts));
