import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { FakeRunQueue } from '../support/fakeRunQueue.ts';
import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { sampleNotebook } from '../support/fakeServerSamples.ts';

const rail = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name, exact: true });
const panel = (page: Page, name: string) => page.getByRole('complementary', { name });

test.use({ viewport: { width: 1440, height: 900 } });

test('[WI-66] who starts and stops by keys keeps the focus on the buttons of runs', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  const queue = new FakeRunQueue(fake);
  fake.script = queue.script;
  await openPage(page, url);
  const run = page.getByRole('button', { name: 'Run stale', exact: true });
  const stop = page.locator('.run-buttons').getByRole('button', { name: 'Stop', exact: true });
  const menu = page.locator('.run-buttons').getByRole('button', { name: 'More ways to run' });
  const daily = page.locator('[data-cell-id=daily]');
  await run.press('Enter');
  await expect(stop).toBeVisible();
  // The button is there as soon as a run is asked for.
  await expect(daily).toHaveAttribute('data-status', 'running');
  await expect(menu).toBeFocused();
  await stop.press('Enter');
  fake.status('daily', 'idle');
  await expect(stop).toHaveCount(0);
  await expect(menu).toBeFocused();
  // Who presses with the pointer goes on by keys in the notebook.
  await run.click();
  await expect(daily).toHaveAttribute('data-status', 'running');
  await expect(menu).not.toBeFocused();
  queue.clear();
  fake.status('daily', 'idle');
  await expect(stop).toHaveCount(0);
  // Who is elsewhere stays there.
  await page.locator('[data-cell-id=daily]').focus();
  fake.status('daily', 'running');
  await expect(stop).toBeVisible();
  await expect(page.locator('[data-cell-id=daily]')).toBeFocused();
});

test('[WI-67] others in the notebook are shown where they are', async ({ page, serve }) => {
  const { fake, url } = await serve(sampleNotebook());
  await openPage(page, url);
  fake.send('presence', {
    principals: [{ principal: 'local', focused_cell_id: null, since: 1 }],
    you: 'local',
    others: [
      { principal: 'local', focused_cell_id: 'summary', since: 1 },
      { principal: 'second', focused_cell_id: null, since: 1 },
    ],
  });
  const who = page.getByRole('group', { name: 'Who else is here' });
  await expect(who.getByRole('button')).toHaveCount(2);
  await expect(page.locator('[data-cell-id=summary] .chip').first()).toHaveText('Another window');
  await who.getByRole('button', { name: 'Another window is at summary' }).click();
  await expect(page.locator('[data-cell-id=summary]')).toHaveAttribute('aria-current', 'true');
  // Many are counted, and leave the name of the cell they are at its room.
  const crowd = Array.from({ length: 9 }, (_none, at) => ({
    principal: 'local',
    focused_cell_id: 'summary',
    since: at,
  }));
  fake.send('presence', { principals: [], you: 'local', others: crowd });
  await expect(who).toContainText('+4');
  await expect(page.locator('[data-cell-id=summary] .chip').first()).toHaveText('Another window × 9');
  const name = page.locator('[data-cell-id=summary] .cell-name');
  expect(await name.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
});

for (const scheme of ['light', 'dark'] as const) {
  for (const width of [1440, 900]) {
    test(`[WI-69] nothing stands in the way of assistive tools: ${scheme}, ${width} px`, async ({
      page,
      serve,
    }) => {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 900 });
      const { fake, url } = await serve(sampleNotebook());
      await openPage(page, url);
      fake.status('fit', 'running');
      await page.locator('[data-cell-id=daily] .bar').click();
      await rail(page, 'Graph').click();
      await expect(page.locator('[data-dag-node=daily]')).toBeVisible();
      const audit = { exclude: 'iframe', coloursOnly: scheme === 'dark' };
      await expectAccessible(page, audit);
      await rail(page, 'Environment').click();
      await expect(panel(page, 'Environment')).toBeVisible();
      await rail(page, 'Logs').click();
      await expectAccessible(page, audit);
    });
  }
}
