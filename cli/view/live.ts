// Puts the view together: events in, text on the screen, questions to the person.
import type { TurnEvent } from '../../core/events.ts';
import type { Context } from '../context.ts';
import type { Asker } from './asker.ts';
import { bellFor } from './bell.ts';
import { keyAsker } from './key-asker.ts';
import { keysFrom } from './keys.ts';
import { numberAsker } from './number-asker.ts';
import { lineEnd, render, startView } from './render.ts';
import { openScreen, type Screen } from './screen.ts';
import { statusLine } from './status-line.ts';
import { cardWording } from './wording-cards.ts';
import { plainWording } from './wording-plain.ts';

export type LiveView = {
  event: (event: TurnEvent) => void;
  /** A line of ours between the turn's own. */
  say: (line: string) => void;
  /** For questions; undefined where nobody can be asked. */
  asker: Asker | undefined;
  /** Ends an open line and takes the status line away. */
  close: () => void;
};

const TICK_MS = 1_000;

export function openLiveView(context: Context, onInterrupt: () => void, { bell = false } = {}): LiveView {
  const { stdout } = process;
  const canRedraw = stdout.isTTY === true && !context.accessible && context.env.TERM !== 'dumb';
  const columns = () => stdout.columns || 80;
  const screen = openScreen({ write: (text) => void stdout.write(text), columns }, canRedraw);
  const look = {
    wording: context.accessible ? plainWording : cardWording(context.colours),
    wholeLines: context.accessible,
    quiet: context.quiet,
    asking: context.interactive,
  };
  let state = startView;
  let prompt = '';
  const status = () => prompt || statusLine(state, Date.now(), columns() - 1);
  const drawStatus = () => screen.status(status());
  const ticker = canRedraw ? setInterval(drawStatus, TICK_MS) : undefined;
  const promptLine = (line: string) => {
    prompt = line;
    drawStatus();
  };
  const append = (text: string) => screen.append(text);
  return {
    event: (event) => {
      const next = render(state, event, look);
      state = next.state;
      screen.append(next.text, status());
      if (bell && canRedraw) stdout.write(bellFor(event, state.asked.size));
    },
    say: (line) => {
      append(`${lineEnd(state)}${line}\n`);
      state = { ...state, midLine: false, held: '' };
    },
    asker: askerFor(context, { screen, promptLine, columns, onInterrupt }),
    close: () => {
      clearInterval(ticker);
      screen.status('');
      append(lineEnd(state));
    },
  };
}

type AskerPlace = {
  screen: Screen;
  promptLine: (line: string) => void;
  columns: () => number;
  onInterrupt: () => void;
};

function askerFor(context: Context, place: AskerPlace): Asker | undefined {
  if (!context.interactive) return undefined;
  if (context.accessible || context.env.TERM === 'dumb') return numberAsker({ ...place, env: context.env });
  return keyAsker({ ...place, env: context.env, keys: keysFrom(process.stdin), clock: () => performance.now() });
}
