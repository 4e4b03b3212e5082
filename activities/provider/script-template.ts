/** `{{…}}` in the texts and arguments of a script. */
import type { Json } from '../../core/json.ts';
import type { Conversation } from './script-choose.ts';

export type Values = Record<string, string | number>;

export function templateValues(conversation: Conversation, iteration: number): Values {
  return {
    iteration,
    step: conversation.step,
    assistants: conversation.assistants,
    first_user: conversation.firstUser,
    last_user: conversation.lastUser,
    last_result: conversation.lastResult,
  };
}

/** An unknown name stays as it is written. */
export function filled(text: string, values: Values): string {
  if (!text.includes('{{')) return text;
  return text.replace(/\{\{\s*([a-z_]+)\s*\}\}/g, (whole, name: string) => String(values[name] ?? whole));
}

const NUMBER = /^\{\{\s*([a-z_]+)\s*\|\s*number\s*\}\}$/;

/** At any depth; `{{iteration|number}}` alone becomes a number. */
export function filledJson(value: Json, values: Values): Json {
  if (typeof value === 'string') {
    const name = NUMBER.exec(value)?.[1];
    return name === undefined ? filled(value, values) : Number(values[name] ?? Number.NaN);
  }
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((each) => filledJson(each, values));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filledJson(each, values)]));
}
