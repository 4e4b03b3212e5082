// Writes schema/everturn.schema.json from the configuration's schema; a test says when it is out of date.
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { configJsonSchemaText } from '../config/json-schema.ts';

const file = fileURLToPath(new URL('../schema/everturn.schema.json', import.meta.url));
await mkdir(fileURLToPath(new URL('../schema/', import.meta.url)), { recursive: true });
await writeFile(file, configJsonSchemaText());
process.stdout.write('schema/everturn.schema.json is written\n');
