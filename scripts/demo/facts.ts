// What happened, counted from outside: files of the workspace, events, the transcript.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TurnTranscript } from '../../client/types.ts';
import { assembleText, type TurnEvent } from '../../core/events.ts';

export type Fact = { what: string; seen: string; holds: boolean };

export type Evidence = {
  events: readonly TurnEvent[];
  transcript: TurnTranscript;
  workspace: string;
  approved: boolean;
};

export async function factsOf({ events, transcript, workspace, approved }: Evidence): Promise<Fact[]> {
  const lines = async (file: string) =>
    (await readFile(join(workspace, file), 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  const [attempts, booked, sent] = await Promise.all([lines('attempts.log'), lines('ledger.txt'), lines('outbox.txt')]);
  const workers = new Set(attempts.map((line) => line.split(' worker ')[1]));
  const gaps = events.filter((event, index) => event.number !== index + 1).length;
  const steps = [...assembleText(events).values()];
  const recorded = transcript.messages.flatMap(({ role, text }) => (role === 'assistant' && text ? [text] : []));
  const last = events.at(-1);
  return [
    {
      what: 'book_invoice began',
      seen: `${attempts.length} times, on ${workers.size} workers`,
      holds: workers.size === 2,
    },
    { what: 'book_invoice took effect', seen: times(booked.length), holds: booked.length === 1 },
    { what: 'send_mail took effect', seen: times(sent.length), holds: sent.length === (approved ? 1 : 0) },
    {
      what: 'answers of the model',
      seen: `${recorded.length} recorded, and what was streamed is the same`,
      holds: JSON.stringify(steps) === JSON.stringify(recorded),
    },
    { what: 'events', seen: `${events.length}, ${gaps === 0 ? 'none missing' : 'with gaps'}`, holds: gaps === 0 },
    {
      what: 'the turn',
      seen: last?.type === 'turn_ended' ? last.status : 'did not end',
      holds: last?.type === 'turn_ended' && last.status === 'completed',
    },
  ];
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);
