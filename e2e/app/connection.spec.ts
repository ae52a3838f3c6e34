/**
 * The page's connection to a fake server: focus after a reconnect, sessions that have ended or moved, and no requests
 * to other origins.
 */

import type { Page } from '@playwright/test';
import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { sampleNotebook } from '../support/fakeServerSamples.ts';

const link = '[data-link]';

/** Makes the browser report that the network is back, so that the page reconnects immediately. */
async function networkBack(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
}

test('[WI-7] a console inside a cell does not take the focus when the connection is restored', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  fake.script = {
    inspect_open: () => fake.send('inspect_result', { cell_id: 'summary', action: 'open', ok: true }),
  };
  await openPage(page, url);
  await page.locator('[data-cell-id=summary] .cell-name').click();
  await page.keyboard.press('Control+Shift+L');
  const prompt = page.locator('.cell-console-prompt textarea');
  await expect(prompt).toBeFocused();
  const reconnect = async (): Promise<void> => {
    fake.refuseUpgrades = true;
    fake.dropSockets();
    await expect(page.locator(link)).toHaveAttribute('data-link', 'lost');
    fake.refuseUpgrades = false;
    await networkBack(page);
    await expect(page.locator(link)).toHaveAttribute('data-link', 'live');
  };
  await reconnect();
  await expect(prompt).toBeFocused();
  await page.locator('[data-cell-id=daily] .code').click();
  await expect(page.locator('[data-cell-id=daily] [data-editor=live] :focus')).toBeAttached();
  await reconnect();
  await expect(prompt).toBeEnabled();
  await expect(page.locator('[data-cell-id=daily] [data-editor=live] :focus')).toBeAttached();
});

test('a session that the server no longer has is reopened from its folder', async ({ page, serve }) => {
  const { fake, url } = await serve(sampleNotebook());
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await openPage(page, url);
  await expect(page.locator('[data-cell-id=trips]')).toBeVisible();
  fake.sessionId = 's2';
  fake.dropSockets();
  await expect(page).toHaveURL(/#\/notebook\/s2/);
  await expect(page.locator(link)).toHaveAttribute('data-link', 'live');
  await expect(page.locator('[data-cell-id=trips]')).toBeVisible();
  expect(errors).toEqual([]);
});

test('[WI-7] an outdated session address opens the notebook, without reporting a lost connection', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  await page.addInitScript(() => {
    const states = new Set<string | undefined>();
    Reflect.set(window, 'said', states);
    new MutationObserver(() => {
      states.add(document.querySelector<HTMLElement>('[data-link]')?.dataset['link']);
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });
  fake.sessionId = 's2';
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await openPage(page, url);
  await expect(page).toHaveURL(/#\/notebook\/s2/);
  await expect(page.locator('[data-cell-id=trips]')).toBeVisible();
  expect(await page.evaluate(() => [...(Reflect.get(window, 'said') as Set<string>)])).not.toContain('lost');
  // The page sent no request that was certain to fail.
  expect(errors).toEqual([]);
});

test('[WI-8] the page connects only to its own origin', async ({ page, serve }) => {
  const { url } = await serve(sampleNotebook());
  const origin = new URL(url).origin;
  const foreign: string[] = [];
  const refusals: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !/^(data|blob):/.test(request.url()))
      foreign.push(request.url());
  });
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) refusals.push(message.text());
  });
  await openPage(page, url);
  await page.locator('[data-cell-id=trips] .code').click();
  await expect(page.locator('[data-editor=live]')).toBeVisible();
  await expect(page.frameLocator('iframe').first().locator('svg')).toBeVisible();
  expect(foreign).toEqual([]);
  expect(refusals).toEqual([]);
});
