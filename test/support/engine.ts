// What an `engine` test may ask of its run: the server's address and the bundled workflows.
import { inject } from 'vitest';

/** `host:port` of the Temporal server that this run started; use your own task queue, the server is shared. */
export function temporalAddress(): string {
  return inject('temporalAddress');
}

/**
 * For `Worker.create({ workflowBundle })`.
 * @throws Error with the bundler's own words when the workflows could not be bundled
 */
export function workflowBundle(): { codePath: string } {
  const codePath = inject('workflowBundlePath');
  if (codePath === '') throw new Error(`The workflows could not be bundled: ${inject('workflowBundleError')}`);
  return { codePath };
}
