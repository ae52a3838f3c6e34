import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LONGEST_UNIT_TESTS } from './e2e/support/longestFiles.ts';
import { longestFirst } from './e2e/support/longestFirst.ts';

export default defineConfig({
  test: {
    // Native code that ends a process takes the tests of one worker with it, by name, and not the whole run without a word.
    pool: 'forks',
    // Tests that start processes wait for much of their time: one worker more than there are cores fills it.
    maxWorkers: availableParallelism() + 1,
    // What a file imports is read once for all files of a worker: half of the time went into reading it again.
    isolate: false,
    sequence: { sequencer: longestFirst(LONGEST_UNIT_TESTS) },
    // Ends what hangs; a machine that is slow for a while fails nothing by it.
    testTimeout: 240_000,
    // The disk of a busy machine once took more than two minutes to delete two folders.
    hookTimeout: 240_000,
    // Vitest gives up after one second, which a loaded machine needs for less.
    expect: { poll: { timeout: 45_000, interval: 20 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src-*/**/*.test.ts', 'e2e/architecture/*.test.ts', 'e2e/simulation/*.test.ts'],
          setupFiles: ['e2e/support/propertySeed.ts'],
        },
      },
      {
        extends: true,
        // React as people run it: its development build takes twice the time.
        oxc: { jsx: { runtime: 'automatic', development: false } },
        test: {
          env: { NODE_ENV: 'production' },
          // The window in a document without layout: docs/how-to/test-a-component.md
          name: 'components',
          include: ['src-renderer/**/*.test.tsx'],
          environment: 'jsdom',
          setupFiles: ['src-renderer/testing/setup.ts'],
          // Longer than `patience` in testing/waiting.ts; the first test of a worker reads the whole window as well.
          testTimeout: 240_000,
          expect: { poll: { timeout: 60_000, interval: 20 } },
        },
      },
    ],
  },
});
