// Three kinds of test. `core`: pure code, with clock and chance taken away. `unit`: real parts, no server.
// `engine`: everything that needs a Temporal server; its global setup starts one and bundles the workflows once.
import { defineConfig } from 'vitest/config';

const needsServer = ['workflows', 'activities', 'workers', 'client', 'gateway', 'cli', 'replay', 'e2e'];
const engine = needsServer.map((room) => `test/${room}/**/*.test.ts`);
const core = ['test/core/**/*.test.ts'];

export default defineConfig({
  test: {
    pool: 'forks',
    testTimeout: 180_000,
    hookTimeout: 120_000,
    teardownTimeout: 20_000,
    passWithNoTests: false,
    projects: [
      {
        extends: true,
        test: { name: 'core', include: core, setupFiles: ['test/support/no-clock-in-core.ts'] },
      },
      {
        extends: true,
        test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: [...core, ...engine] },
      },
      {
        extends: true,
        test: {
          name: 'engine',
          include: engine,
          globalSetup: ['test/support/global-setup.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
