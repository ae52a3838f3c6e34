/** The page that tests share (`e2e/support/warmPage.ts`): after each test it is as a new one, or is replaced. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from '@playwright/test';
import { expect } from '../support/expect.ts';
import { LEFT_OUT } from '../support/longOnly.ts';
import { WarmPage } from '../support/warmPage.ts';
import { test } from '../support/warmTest.ts';

const SIZE = { width: 600, height: 400 };

/** What a test may leave behind → how it does so. */
const UNDONE: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'an init script': (page) => page.addInitScript(() => Object.assign(window, { left: true })),
  'a function': (page) => page.exposeFunction('left', () => true),
  'a permission': (page) => page.context().grantPermissions(['clipboard-read']),
  'a second page': (page) => page.context().newPage(),
  'stored values': (page) =>
    page.evaluate(() => {
      localStorage.setItem('left', '1');
      sessionStorage.setItem('left', '1');
      // biome-ignore lint/suspicious/noDocumentCookie: a cookie as any page sets one
      document.cookie = 'left=1';
    }),
  'a time zone': async (page) => {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' });
  },
  'a route': (page) => page.route('**/icon.svg', (route) => route.abort()),
  'a dark theme': (page) => page.emulateMedia({ colorScheme: 'dark' }),
};

/** A normal run leaves everything behind in one test. */
const LEAVES: typeof UNDONE =
  LEFT_OUT === null
    ? UNDONE
    : {
        everything: async (page) => {
          for (const leave of Object.values(UNDONE)) await leave(page);
        },
      };

/** What uses up the page → how. */
const USED_UP: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'a clock': (page) => page.clock.install(),
  headers: (page) => page.setExtraHTTPHeaders({ 'x-left': '1' }),
};

/** What a page shows of the effects in `UNDONE`. */
function effectsOn(page: Page): Promise<object> {
  return page.evaluate(async () => ({
    left: 'left' in window,
    clipboard: (await navigator.permissions.query({ name: 'clipboard-read' as PermissionName })).state,
    stored: [localStorage.length, sessionStorage.length, document.cookie],
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    dark: matchMedia('(prefers-color-scheme: dark)').matches,
    size: [innerWidth, innerHeight],
  }));
}

async function withPages(
  browser: Browser,
  use: (warm: WarmPage, origin: string) => Promise<void>,
): Promise<void> {
  const server = createServer((_request, response) => response.end('a page'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const warm = new WarmPage(browser);
  try {
    await use(warm, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    await warm.close();
    server.closeAllConnections();
    server.close();
  }
}

test('[AR-61] a shared page is as new for the next test, or the next test has another', async ({
  browser,
}) => {
  await withPages(browser, async (warm, origin) => {
    const first = await warm.take(SIZE);
    await first.goto(origin);
    const asNew = await effectsOn(first);
    let noticed = 0;
    for (const [what, leave] of Object.entries(LEAVES)) {
      await test.step(what, async () => {
        const page = await warm.take(SIZE);
        page.on('request', () => {
          noticed += 1;
        });
        await page.goto(origin);
        await leave(page);
        await warm.giveBack([origin]);
        noticed = 0;
        const next = await warm.take(SIZE);
        expect(next).toBe(first);
        expect(next.context().pages()).toEqual([next]);
        await next.goto(`${origin}/icon.svg`);
        expect(noticed).toBe(0);
        await next.goto(origin);
        expect(await effectsOn(next)).toEqual(asNew);
      });
    }
    for (const [what, leave] of Object.entries(USED_UP)) {
      await test.step(what, async () => {
        const page = await warm.take(SIZE);
        await page.goto(origin);
        await leave(page);
        await warm.giveBack([origin]);
        expect(page.isClosed()).toBe(true);
      });
    }
    await test.step('a server that has ended', async () => {
      const page = await warm.take(SIZE);
      await warm.giveBack([origin, 'http://127.0.0.1:9']);
      expect(page.isClosed()).toBe(true);
    });
  });
});
