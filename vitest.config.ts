import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'src-*/**/*.test.ts',
      'src-*/**/*.test.tsx',
      'e2e/architecture/*.test.ts',
      'e2e/simulation/*.test.ts',
    ],
    setupFiles: ['e2e/support/propertySeed.ts'],
    // Native code that ends a process takes the tests of one worker with it, by name, and not the whole run without a word.
    pool: 'forks',
    // Tests that start processes wait for much of their time: one worker more than there are cores fills it.
    maxWorkers: availableParallelism() + 1,
    // What a file imports is read once for all files of a worker: half of the time went into reading it again.
    isolate: false,
    // Ends what hangs; a machine that is slow for a while fails nothing by it.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
