// Takes the clock and chance away from `core/`: a rule that reads either is not a rule but a guess, and would
// not replay. Only calls whose caller is a file of `core/` throw, so that fast-check and the runner still work.
import { fileURLToPath } from 'node:url';

const coreFolder = fileURLToPath(new URL('../../core/', import.meta.url));

/** Throws when the function that called `guarded` was itself called from a file in `core/`. */
function refuseCore(what: string, guarded: (...args: never[]) => unknown): void {
  const holder: { stack?: string } = {};
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 1;
  Error.captureStackTrace(holder, guarded);
  Error.stackTraceLimit = limit;
  if (holder.stack?.includes(coreFolder)) {
    throw new Error(`core/ used ${what}; pass time and chance in as data\n${holder.stack}`);
  }
}

const realNow = Date.now;
const realRandom = Math.random;

Date.now = function now() {
  refuseCore('Date.now()', now);
  return realNow();
};

Math.random = function random() {
  refuseCore('Math.random()', random);
  return realRandom();
};

globalThis.Date = new Proxy(Date, {
  construct: function construct(target, args, newTarget) {
    if (args.length === 0) refuseCore('new Date()', construct);
    return Reflect.construct(target, args, newTarget);
  },
});
