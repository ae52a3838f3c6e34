import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LONGEST_PROCESS_TESTS } from './e2e/support/longestFiles.ts';
import { longestFirst } from './e2e/support/longestFirst.ts';

/**
 * Tests that start the built program, two files per core at a time: each brings a server and folders of its own, and half
 * of their time goes into waiting for processes.
 */
export default defineConfig({
  test: {
    include: [
      'e2e/faults/*.test.ts',
      'e2e/crash/*.test.ts',
      'e2e/contract/*.test.ts',
      'e2e/hostile/*.test.ts',
      'e2e/soundness/*.test.ts',
    ],
    setupFiles: ['e2e/support/propertySeed.ts', 'e2e/support/plainServerLog.ts'],
    globalSetup: ['e2e/support/preparedEnvironment.ts', 'e2e/support/plainServer.ts'],
    pool: 'threads',
    maxWorkers: 2 * availableParallelism(),
    isolate: false,
    sequence: { sequencer: longestFirst(LONGEST_PROCESS_TESTS) },
    // They end what hangs; a machine that is busy for a while fails nothing by it. No test has a shorter one of its own.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Vitest gives up after one second, which a loaded machine needs for less.
    expect: { poll: { timeout: 60_000, interval: 20 } },
  },
});
