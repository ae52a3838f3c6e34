import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src-*/**/*.test.ts', 'src-*/**/*.test.tsx', 'e2e/architecture/*.test.ts'],
    pool: 'threads',
    testTimeout: 20_000,
  },
});
