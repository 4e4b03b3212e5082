/** The JSON Schema of `everturn.yaml`, for editors; published as `schema/everturn.schema.json`. */
import { z } from 'zod';
import { configSchema } from './schema.ts';

/** Plain data; the same for the same version. */
export function configJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(configSchema, { io: 'input' });
  return {
    $schema,
    title: 'Everturn configuration',
    description:
      'everturn.yaml. Parts that are not built yet have their shape here; the program says which of their values it takes.',
    ...rest,
  };
}

/** The published file's text. */
export function configJsonSchemaText(): string {
  return `${JSON.stringify(configJsonSchema(), null, 2)}\n`;
}
