/** The migrations in order; a file's version is how many of them it has seen. Released ones never change. */
import type { Compilable, SchemaModule } from 'kysely';
import { first } from './0001-first.ts';

export type Migration = (schema: SchemaModule) => Compilable[];

export const migrations: readonly Migration[] = [first];
