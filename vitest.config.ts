import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'src-*/**/*.test.ts',
      'src-*/**/*.test.tsx',
      'e2e/architecture/*.test.ts',
      'e2e/simulation/*.test.ts',
    ],
    pool: 'threads',
    // One less than there are cores would leave half of a small machine idle.
    maxWorkers: '100%',
    // What a file imports is read once for all files of a worker: half of the time went into reading it again.
    isolate: false,
    // Ends what hangs; a machine that is slow for a while fails nothing by it.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
