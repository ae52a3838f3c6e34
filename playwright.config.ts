/** Settings of Playwright for the browser tests in e2e/app and e2e/journey. */

import { defineConfig } from '@playwright/test';
import { chromiumProgram } from './e2e/support/chromium.ts';
import { LEFT_OUT } from './e2e/support/longOnly.ts';
import { SLOWED } from './e2e/support/slowed.ts';

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/support/preparedForBrowser.ts',
  testMatch: ['app/**/*.spec.ts', 'journey/**/*.spec.ts'],
  ...(LEFT_OUT === null ? {} : { grepInvert: LEFT_OUT }),
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  // Whole journeys go through real servers and environments: on a slow machine half a minute is not enough for one.
  // A limit ends what hangs; a machine that is busy for a while fails nothing by it.
  timeout: 240_000 * SLOWED,
  expect: { timeout: 60_000 * SLOWED },
  // A test that fails once has a fault, or the program does.
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    // Recording a trace of every test took a fifth of the processor: only a retried test has one.
    trace: 'on-first-retry',
    launchOptions: {
      args: ['--no-sandbox'],
      ...chromiumProgram(),
    },
  },
});
