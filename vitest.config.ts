/** Settings of Vitest for the unit tests and the component tests. */

import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LONGEST_UNIT_TESTS } from './e2e/support/longestFiles.ts';
import { longestFirst } from './e2e/support/longestFirst.ts';

export default defineConfig({
  test: {
    // Native code that ends a process fails only the tests of one worker, by name, and not the whole run silently.
    pool: 'forks',
    // Tests that start processes often wait, so there is one worker more than cores.
    maxWorkers: availableParallelism() + 1,
    // Modules are loaded once per worker: loading them again for each file took half of the time.
    isolate: false,
    sequence: { sequencer: longestFirst(LONGEST_UNIT_TESTS) },
    // Ends tests that hang, but not those on a machine that is slow for a while.
    testTimeout: 240_000,
    // The disk of a busy machine once took more than two minutes to delete two folders.
    hookTimeout: 240_000,
    // Vitest's default is one second, which is too short on a loaded machine.
    expect: { poll: { timeout: 45_000, interval: 20 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src-*/**/*.test.ts', 'e2e/architecture/*.test.ts', 'e2e/simulation/*.test.ts'],
          globalSetup: ['e2e/support/sharedTestFolder.ts'],
          setupFiles: ['e2e/support/propertySeed.ts'],
          // Node reads TypeScript itself: transforming the files and sending them to the workers took more time.
          // Its loader has no vi.mock and no vi.resetModules; component tests do.
          experimental: { viteModuleRunner: false, nodeLoader: false },
        },
      },
      {
        extends: true,
        // React's production build: its development build takes twice the time.
        oxc: { jsx: { runtime: 'automatic', development: false } },
        test: {
          env: { NODE_ENV: 'production' },
          // Tests of the window in jsdom, which has no layout: docs/how-to/test-a-component.md
          name: 'components',
          include: ['src-renderer/**/*.test.tsx'],
          environment: 'jsdom',
          // Node loads these once per worker, and a window that is loaded again keeps them: their only state is caches.
          server: { deps: { external: [/\/src-shared\//, /\/src-renderer\/words\//] } },
          setupFiles: ['src-renderer/testing/setup.ts'],
          // Longer than `patience` in testing/waiting.ts; the first test of a worker also loads the whole window.
          testTimeout: 240_000,
          expect: { poll: { timeout: 60_000, interval: 20 } },
        },
      },
    ],
  },
});
