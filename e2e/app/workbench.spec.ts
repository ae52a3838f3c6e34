/**
 * The window around the cells in a browser: focus of the run buttons, other people, actions of agents, accessibility.
 * Against a fake server.
 */

import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { FakeRunQueue } from '../support/fakeRunQueue.ts';
import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell } from '../support/fakeServerNotebook.ts';
import { sampleNotebook } from '../support/fakeServerSamples.ts';
import { longUnless } from '../support/longOnly.ts';

const rail = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name, exact: true });
const panel = (page: Page, name: string) => page.getByRole('complementary', { name });

test.use({ viewport: { width: 1440, height: 900 } });

test('[WI-66] keyboard focus stays on the run buttons after start and stop', async ({ page, serve }) => {
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
  // The button appears when a run is requested.
  await expect(daily).toHaveAttribute('data-status', 'running');
  await expect(menu).toBeFocused();
  await stop.press('Enter');
  fake.status('daily', 'idle');
  await expect(stop).toHaveCount(0);
  await expect(menu).toBeFocused();
  // After a click the keyboard focus stays in the notebook.
  await run.click();
  await expect(daily).toHaveAttribute('data-status', 'running');
  await expect(menu).not.toBeFocused();
  queue.clear();
  fake.status('daily', 'idle');
  await expect(stop).toHaveCount(0);
  // The focus is not moved if it is elsewhere.
  await page.locator('[data-cell-id=daily]').focus();
  fake.status('daily', 'running');
  await expect(stop).toBeVisible();
  await expect(page.locator('[data-cell-id=daily]')).toBeFocused();
});

test('[WI-67] other people are shown at their cells', async ({ page, serve }) => {
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
  // Many people are shown as a number, so that there is room for the name of the cell.
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

test('[MC-17] an agent’s action is shown in the status bar, and can be undone', async ({ page, serve }) => {
  const { fake, url } = await serve(
    fakeBody({ name: 'Agent', cells: [fakeCell({ id: 'a', source: 'a = 1' })] }),
  );
  await openPage(page, url);
  const line = page.locator('[data-agent-note]');
  await expect(line).toHaveText('');
  fake.setCell('a', { source: 'a = 2' });
  fake.broadcastState();
  const change = { kind: 'source', cellId: 'a', before: 'a = 1', after: 'a = 2' } as const;
  fake.send('undo_recorded', { id: 'mcp-1', deed: 'edit', changes: [change] });
  fake.send('agent_note', { source: 'mcp', text: 'test-agent edited a' });
  await expect(line).toHaveText('test-agent edited a');
  await page.getByRole('button', { name: 'Notebook menu' }).click();
  await page.getByRole('menuitem', { name: /^Undo/ }).click();
  await expect
    .poll(() => fake.received.findLast((frame) => frame.type === 'cell_source_update')?.payload)
    .toMatchObject({ cell_id: 'a', source: 'a = 1' });
});

for (const scheme of ['light', 'dark'] as const) {
  for (const width of [1440, 900]) {
    test(
      `[WI-69] the workbench is accessible: ${scheme}, ${width} px`,
      longUnless(scheme === 'light' && width === 1440, 'e2e/app/workbench.spec.ts'),
      async ({ page, serve }) => {
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
        if (scheme === 'dark') return;
        await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
        await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
        await expectAccessible(page, { ...audit, coloursOnly: true });
      },
    );
  }
}
