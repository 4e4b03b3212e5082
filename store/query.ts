/**
 * A query, written once with Kysely and compiled once for a connection. Parameters are named; while the query is
 * built they are marks that stand where the values will be bound.
 */
import type { Compilable, Kysely } from 'kysely';
import type { Schema } from './schema.ts';

export type Builder = Kysely<Schema>;

export type Query<P, O> = { readonly build: (db: Builder, parameters: P) => Compilable<O> };

export function query<P, O>(build: (db: Builder, parameters: P) => Compilable<O>): Query<P, O> {
  return { build };
}

class Mark {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const marks = new Proxy({}, { get: (_, name) => new Mark(String(name)) });

/** SQL text and, for each place, the parameter to bind or the constant that the query itself holds. */
export type CompiledQuery = { sql: string; values: (parameters: Record<string, unknown>) => unknown[] };

export function compile(builder: Builder, source: Query<unknown, unknown>): CompiledQuery {
  const { sql, parameters } = source.build(builder, marks).compile();
  const places = parameters.map((value) => (value instanceof Mark ? { name: value.name } : { value }));
  return {
    sql,
    values: (given) => places.map((place) => ('name' in place ? given[place.name] : place.value)),
  };
}
