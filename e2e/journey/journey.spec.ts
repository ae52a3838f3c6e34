/** The main journey in a browser, by mouse and by keys alone, from the first start to the results of the second. */

import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { makeClone } from '../support/cloneFolder.ts';
import { expect } from '../support/expect.ts';
import { type Hands, type JourneyStage, KEYS, MOUSE, mainJourney } from '../support/mainJourney.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { test } from '../support/warmTest.ts';

// A person's first start: the browser has never seen the address.
test.use({ newPage: true });

/** `npm start` with a browser: the server of a clone, whose examples are edited in place. */
function inBrowser(context: BrowserContext, { program, storageDir }: Clone): JourneyStage {
  let server: ServerProcess | null = null;
  let page: Page | null = null;
  // The browser stores data by address, so the next start uses the same port.
  let port = 0;
  return {
    inElectron: false,
    async start() {
      server = await startServerProcess({ program, storageDir, port });
      port = server.port;
      page = await context.newPage();
      await page.setViewportSize({ width: 1280, height: 1000 });
      await page.goto(`${server.url}/`);
      return page;
    },
    async quit() {
      await page?.close();
      await server?.stop();
    },
  };
}

interface Clone {
  readonly program: string;
  readonly storageDir: string;
}

test('[WI-4] runs on a Chromium at least as new as the supported one', ({ browser }) => {
  const chromium = browser.version();
  console.log(`journey: Chromium ${chromium}, server on Node ${process.versions.node}`);
  expect(browser.browserType().name()).toBe('chromium');
  expect(Number.parseInt(chromium, 10)).toBeGreaterThanOrEqual(108);
  expect(Number.parseInt(process.versions.node, 10)).toBeGreaterThanOrEqual(22);
});

const WAYS: readonly (readonly [string, Hands])[] = [
  ['[WI-4] [ST-6] by mouse', MOUSE],
  ['[WI-4] [ED-2] by keys alone', KEYS],
];
for (const [name, hands] of WAYS) {
  test(`${name}: opens an example, runs all, edits, asks why, runs, quits, starts again, and all cells are hits`, async ({
    context,
  }) => {
    test.skip(
      hands === KEYS && process.env['CELLAR_TEST_KEYS_IN_APP'] === '1' && process.env['LONG'] !== '1',
      'by keys alone in the packaged app: here in npm run test:long',
    );
    test.setTimeout(400_000);
    const root = await realpath(await mkdtemp(join(tmpdir(), 'cellar-journey-')));
    const clone = { program: await makeClone(join(root, 'clone')), storageDir: join(root, 'notebooks') };
    const stage = inBrowser(context, clone);
    try {
      await mainJourney(stage, hands);
    } finally {
      await stage.quit();
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    }
  });
}
