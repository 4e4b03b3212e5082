/** The first schema. What the columns mean is told in `schema.ts`. */
import {
  type ColumnDataType,
  type Compilable,
  type CreateTableBuilder,
  type SchemaModule,
  type SqlBool,
  sql,
} from 'kysely';

/** `name` is an integer that must be there; `name:text?` is a text that may be null. */
function table(schema: SchemaModule, name: string, key: string[], columns: string): Compilable {
  let builder: CreateTableBuilder<string, string> = schema.createTable(name);
  for (const column of columns.split(/\s+/).filter(Boolean)) {
    const [, title = '', type = 'integer', optional] = /^(\w+)(?::(\w+))?(\?)?$/.exec(column) ?? [];
    builder = builder.addColumn(title, type as ColumnDataType, (c) => (optional ? c : c.notNull()));
  }
  return builder.addPrimaryKeyConstraint(`${name}_key`, key as never);
}

export function first(schema: SchemaModule): Compilable[] {
  const index = (name: string, on: string, columns: string[]) => schema.createIndex(name).on(on).columns(columns);
  return [
    table(schema, 'schema_version', ['version'], 'version at'),
    table(schema, 'meta', ['key'], 'key:text value:text'),
    table(schema, 'blobs', ['ref'], 'ref:text size at text:text'),
    table(schema, 'executions', ['hash'], 'hash:text key_id:text signature:text at body:text'),
    table(schema, 'sessions', ['session_id'], 'session_id:text agent:text head:text last_turn:text? created_at'),
    ...turns(schema),
    ...calls(schema),
    // `seq` is the order of commits over all turns; SQLite gives it by itself.
    schema
      .createTable('events')
      .addColumn('seq', 'integer', (c) => c.primaryKey())
      .addColumn('turn_id', 'text', (c) => c.notNull())
      .addColumn('number', 'integer', (c) => c.notNull())
      .addColumn('key', 'text', (c) => c.notNull())
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('at', 'integer', (c) => c.notNull())
      .addColumn('body', 'text', (c) => c.notNull()),
    index('events_number', 'events', ['turn_id', 'number']).unique(),
    index('events_key', 'events', ['turn_id', 'key']).unique(),
    ...questions(schema),
    table(schema, 'control', ['name'], 'name:text flag:text'),
    table(schema, 'audit', ['seq'], 'seq kind:text at hash:text body:text'),
    table(schema, 'tokens', ['id'], 'id:text name:text scopes:text hash:text created_at revoked_at?'),
    index('tokens_hash', 'tokens', ['hash']).unique(),
    table(schema, 'leases', ['name'], 'name:text holder:text expires_at'),
  ];
}

function turns(schema: SchemaModule): Compilable[] {
  return [
    table(
      schema,
      'turns',
      ['turn_id'],
      `turn_id:text workflow_id:text agent:text session_id:text? parent:text? allowed_tools:text? approvals:text?
       surface:text by_whom:text idempotency_key:text? content_hash:text status:text iteration execution_hash:text?
       base_turn:text? base_head:text head:text entry_count event_count epoch closed usage:text cancel:text?
       outcome:text? note:text? created_at started_at? ended_at?`,
    ),
    schema.createIndex('turns_idempotency').on('turns').column('idempotency_key').unique(),
    schema.createIndex('turns_created').on('turns').columns(['created_at', 'turn_id']),
    schema.createIndex('turns_session').on('turns').columns(['session_id', 'created_at']),
    schema.createIndex('turns_open').on('turns').columns(['created_at', 'turn_id']).where(sql<SqlBool>`closed = 0`),
    table(schema, 'turn_texts', ['turn_id'], 'turn_id:text answer:text? text:text'),
    table(schema, 'entries', ['turn_id', 'n'], 'turn_id:text n kind:text step? parent_head:text head:text body:text'),
    table(schema, 'steps', ['turn_id', 'step'], 'turn_id:text step n head:text reply:text'),
  ];
}

function calls(schema: SchemaModule): Compilable[] {
  return [
    table(
      schema,
      'calls',
      ['turn_id', 'call_id', 'version'],
      `turn_id:text call_id:text version step slot tool:text summary:text argument_hash:text execution_hash:text
       key_id:text signature:text body:text`,
    ),
    table(schema, 'results', ['turn_id', 'step', 'slot'], 'turn_id:text step slot call_id:text result:text'),
    schema.createIndex('results_call').on('results').columns(['turn_id', 'call_id']).unique(),
    table(
      schema,
      'attempts',
      ['turn_id', 'step', 'slot', 'attempt'],
      `turn_id:text step slot attempt worker:text? activity_id:text? began_at? voided_at? process_group:text?
       outcome:text? late outcome_at?`,
    ),
    schema
      .createIndex('attempts_open')
      .on('attempts')
      .column('worker')
      .where(sql<SqlBool>`outcome is null and voided_at is null`),
  ];
}

function questions(schema: SchemaModule): Compilable[] {
  return [
    table(
      schema,
      'questions',
      ['approval_id'],
      `approval_id:text turn_id:text call_id:text kind:text tool:text summary:text arguments:text argument_hash:text
       policy_hash:text risk:text path:text asked_at expires_at agent:text session_id:text? state:text
       decision_id:text? decision:text? settled_by:text? settled_at? answer:text?`,
    ),
    schema.createIndex('questions_state').on('questions').columns(['state', 'asked_at', 'approval_id']),
    schema.createIndex('questions_turn').on('questions').columns(['turn_id', 'state']),
    table(
      schema,
      'decisions',
      ['decision_id'],
      `decision_id:text approval_id:text turn_id:text key_id:text signature:text text:text? note:text?
       new_arguments:text? row_key_id:text row_signature:text stored_at settled_at? fate:text? body:text`,
    ),
    schema.createIndex('decisions_question').on('decisions').columns(['approval_id', 'settled_at']),
    schema
      .createIndex('decisions_unsettled')
      .on('decisions')
      .column('stored_at')
      .where(sql<SqlBool>`settled_at is null`),
    table(
      schema,
      'steering',
      ['id'],
      'id:text turn_id:text text:text by_whom:text state:text at place adopted_by:text?',
    ),
    schema.createIndex('steering_turn').on('steering').columns(['turn_id', 'place']),
    schema.createIndex('steering_pending').on('steering').column('at').where(sql<SqlBool>`state = 'pending'`),
  ];
}
