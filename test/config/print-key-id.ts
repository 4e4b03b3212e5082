// A process of its own that starts as a worker or gateway would: loads the configuration, then the deployment key.
import { loadSealKeys } from '../../config/deployment-key.ts';
import { loadConfig } from '../../config/load.ts';

const loaded = await loadConfig({ path: process.argv[2] });
const result = loaded.kind === 'ok' ? await loadSealKeys(loaded.config) : loaded;
process.stdout.write(
  result.kind === 'ok' ? `${result.keys.current.id} ${result.created ? 'created' : 'found'}\n` : `${result.kind}\n`,
);
