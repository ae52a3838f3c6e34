import { defineConfig } from '@playwright/test';

/** The packaged desktop app on a real Electron; `npm test` builds it and gives it a screen of its own. */
export default defineConfig({
  testDir: 'e2e/desktop',
  outputDir: 'test-results/desktop',
  fullyParallel: false,
  workers: 2,
  timeout: 240_000,
  expect: { timeout: 60_000 },
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list']],
});
