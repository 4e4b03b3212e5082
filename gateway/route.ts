/** One call of the HTTP interface, declared once: it is served, validated and documented from the same entry. */
import type { z } from 'zod';
import type { Scope } from '../store/api.ts';
import type { GatewayDeps } from './deps.ts';

export type Caller = {
  /** Token id. */
  id: string;
  /** Token name: who it was, in events and audit. */
  name: string;
  scopes: readonly Scope[];
};

export type Call<Query, Body> = {
  deps: GatewayDeps;
  params: Record<string, string>;
  query: Query;
  body: Body;
  who: Caller;
  /** Which face of the product this came from. */
  surface: string;
  method: string;
  header(name: string): string | undefined;
  /** Fires when the reader goes away or the gateway closes. */
  signal: AbortSignal;
};

export type Answer = { status: number; body: unknown } | Response;

export type AnswerDoc = { description: string; schema?: z.ZodType; stream?: boolean };

export type Route = {
  method: 'GET' | 'POST';
  /** Below `/api/v1`, with `:name` for parameters. */
  path: string;
  /** `none`: served without a token. */
  scope: Scope | 'none';
  summary: string;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Request headers that mean something here. */
  headers?: Record<string, string>;
  answers: Record<number, AnswerDoc>;
  handle(call: Call<unknown, unknown>): Promise<Answer>;
};

type Typed<Q extends z.ZodType, B extends z.ZodType> = Omit<Route, 'query' | 'body' | 'handle'> & {
  query?: Q;
  body?: B;
  handle(call: Call<z.output<Q>, z.output<B>>): Promise<Answer>;
};

/** Ties the types of query and body to the schemas that check them. */
export function route<Q extends z.ZodType, B extends z.ZodType>(typed: Typed<Q, B>): Route {
  return typed as unknown as Route;
}

export const ok = (body: unknown): Answer => ({ status: 200, body });
