import { defineConfig } from 'vitest/config';

/** Tests that start the built program: one file at a time, since each brings its own server. */
export default defineConfig({
  test: {
    include: ['e2e/faults/*.test.ts', 'e2e/crash/*.test.ts', 'e2e/contract/*.test.ts'],
    pool: 'threads',
    fileParallelism: false,
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
});
