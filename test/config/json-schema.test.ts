// The published JSON Schema: current, and of one mind with the program.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { configJsonSchema, configJsonSchemaText } from '../../config/json-schema.ts';
import { DEFAULT_STARTER, starterText } from '../../config/starter.ts';
import { SMALL } from './folder.ts';

const published = fileURLToPath(new URL('../../schema/everturn.schema.json', import.meta.url));
const example = fileURLToPath(new URL('../../examples/everturn.yaml', import.meta.url));

describe('I2 the published JSON Schema', () => {
  it('is current (npm run schema writes it)', () => {
    expect(readFileSync(published, 'utf8')).toBe(configJsonSchemaText());
  });

  const validate = new Ajv2020({ strict: false }).compile(configJsonSchema());

  it('accepts the example, the starter and the least that is a configuration', () => {
    for (const text of [readFileSync(example, 'utf8'), starterText(DEFAULT_STARTER), SMALL]) {
      expect([validate(parse(text)), validate.errors]).toEqual([true, null]);
    }
  });

  it.each([
    ['an unknown key', SMALL.replace('model:', 'modl: x, model:')],
    ['a wrong type', `gateway: { port: "1" }\n${SMALL}`],
    ['a literal secret', SMALL.replace('base_url', 'api_key: literal\n    base_url')],
    ['a reference to two places', SMALL.replace('base_url', 'api_key: { env: A, file: b }\n    base_url')],
    ['a duration without a unit', `approvals: { timeout: "300" }\n${SMALL}`],
    ['no agent', 'providers: {}\nagents: {}\n'],
  ])('refuses %s', (_, text) => {
    expect(validate(parse(text))).toBe(false);
  });
});
