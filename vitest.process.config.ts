import { defineConfig } from 'vitest/config';

/** Tests that start the built program, two files at a time: each brings a server and folders of its own. */
export default defineConfig({
  test: {
    include: ['e2e/faults/*.test.ts', 'e2e/crash/*.test.ts', 'e2e/contract/*.test.ts'],
    pool: 'threads',
    maxWorkers: 2,
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
