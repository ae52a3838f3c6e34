import { defineConfig } from 'vitest/config';

/** What judges by time and memory has the machine to itself. */
export default defineConfig({
  test: {
    include: ['e2e/soak/*.test.ts'],
    globalSetup: ['e2e/support/preparedEnvironment.ts'],
    pool: 'threads',
    maxWorkers: 1,
    isolate: false,
    expect: { poll: { timeout: 45_000, interval: 20 } },
  },
});
