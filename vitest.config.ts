import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src-*/**/*.test.ts', 'src-*/**/*.test.tsx', 'e2e/architecture/*.test.ts'],
    pool: 'threads',
    // One less than there are cores would leave half of a small machine idle.
    maxWorkers: '100%',
    testTimeout: 20_000,
  },
});
