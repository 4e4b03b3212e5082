// The bundler refuses Node's own modules: what slipped past the compiler and the import table fails here.
import { expect, it } from 'vitest';
import { workflowBundle } from '../support/engine.ts';

it('the workflows can be bundled for the sandbox', () => {
  expect(workflowBundle().codePath).not.toBe('');
});
