// The collected bad cases of this field: the shared file when it is there, else the copy in test/cases.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export type Case = {
  id: string;
  kind: string;
  symptom: string;
  // biome-ignore lint/suspicious/noExplicitAny: each form of case has a shape of its own; a test reads the one it knows
  input: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  expected: any;
};

const places = ['../../../shared/cases/cases.jsonl', '../cases/cases.jsonl'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

export function allCases(): Case[] {
  const file = places.find((path) => existsSync(path));
  if (!file) throw new Error(`No file of cases at ${places.join(' or ')}.`);
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Case);
}

export function casesOf(kind: string): Case[] {
  const found = allCases().filter((each) => each.kind === kind);
  if (found.length === 0) throw new Error(`No case of kind ${kind}.`);
  return found;
}

export function caseOf(id: string): Case {
  const found = allCases().find((each) => each.id === id);
  if (!found) throw new Error(`No case ${id}.`);
  return found;
}
