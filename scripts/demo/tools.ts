// The demo's own tools. Each call leaves a line in a file of the workspace, so that anybody can count what happened.
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { defineTool } from '../../index.ts';

/** Long enough to be killed in the middle. */
const PARTS = 12;
const PART_MS = 250;

export const bookInvoice = defineTool({
  name: 'book_invoice',
  description: 'Books an invoice in the ledger. Takes a few seconds.',
  parameters: z.object({ customer: z.string(), amount: z.number() }),
  effect: 'idempotent',
  execute: async ({ customer, amount }, { workspace, signal, progress, idempotencyKey }) => {
    await appendFile(join(workspace, 'attempts.log'), `${idempotencyKey} worker ${process.pid}\n`);
    for (let part = 1; part <= PARTS; part += 1) {
      await pause(PART_MS, undefined, { signal });
      progress(`checked ${part} of ${PARTS} entries`);
    }
    const ledger = join(workspace, 'ledger.txt');
    const booked = await readFile(ledger, 'utf8').catch(() => '');
    if (!booked.includes(idempotencyKey)) await appendFile(ledger, `${idempotencyKey} ${customer} ${amount}\n`);
    return `Booked ${amount} for ${customer}.`;
  },
});

export const sendMail = defineTool({
  name: 'send_mail',
  description: 'Sends a message.',
  parameters: z.object({ to: z.string(), text: z.string() }),
  effect: 'once',
  execute: async ({ to, text }, { workspace }) => {
    await appendFile(join(workspace, 'outbox.txt'), `${to}: ${text}\n`);
    return `Sent to ${to}.`;
  },
});
