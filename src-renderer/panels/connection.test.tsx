/**
 * A window that loses its fake server: reconnecting, edits typed offline, interrupted runs, ended sessions
 * and missed frames.
 */

import { FakeRunQueue } from '../../e2e/support/fakeRunQueue.ts';
import { sampleNotebook } from '../../e2e/support/fakeServerSamples.ts';
import { expect, openPage, test } from '../testing/fixture.ts';
import type { Page } from '../testing/page.tsx';

const link = '[data-link]';

/** Dispatches the browser event that the network is back, which ends the wait for the next attempt. */
async function networkBack(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
}

test('[WI-7] a lost connection is shown, reconnects, and requests the state first', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  await openPage(page, url);
  await expect(page.locator(link)).toHaveAttribute('data-link', 'live');
  fake.refuseUpgrades = true;
  fake.dropSockets();
  await expect(page.locator(link)).toHaveAttribute('data-link', 'lost');
  await expect(page.locator(link)).toContainText('Connection lost');
  await expect(page.getByRole('button', { name: 'Reconnect now' })).toBeVisible();
  fake.setCell('daily', { status: 'ready', causality: undefined });
  fake.received.length = 0;
  fake.refuseUpgrades = false;
  await networkBack(page);
  await expect(page.locator(link)).toHaveAttribute('data-link', 'live');
  await expect(page.locator('[data-cell-id=daily]')).toHaveAttribute('data-status', 'ready');
  await expect.poll(() => fake.received[0]).toEqual({ type: 'notebook_sync', payload: {} });
});

test('[WI-6] text typed offline is stored and sent after the state', async ({ page, serve }) => {
  const { fake, url } = await serve(sampleNotebook());
  await openPage(page, url);
  await expect(page.locator('[data-cell-id=summary]')).toBeVisible();
  fake.refuseUpgrades = true;
  fake.dropSockets();
  await expect(page.locator(link)).toHaveAttribute('data-link', 'lost');
  await page.locator('[data-cell-id=summary] .code').click();
  await expect(page.locator('[data-editor]')).toBeFocused();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('summary = 1');
  await expect(page.locator('[data-saved=false]')).toHaveText('Unsaved edits are kept in this window');
  fake.received.length = 0;
  fake.refuseUpgrades = false;
  await networkBack(page);
  await expect.poll(() => fake.received.map((frame) => frame.type)).toContain('cell_source_update');
  await expect
    .poll(() => fake.received.map((frame) => frame.type).filter((type) => type !== 'cell_focus'))
    .toEqual(['notebook_sync', 'cell_source_update']);
  await expect.poll(() => fake.cell('summary').source).toBe('summary = 1');
  await expect(page.locator('[data-saved=true]')).toBeVisible();
});

test('[WI-6] an edit that another window overtook is never sent automatically', async ({ page, serve }) => {
  const { fake, url } = await serve(sampleNotebook());
  await openPage(page, url);
  fake.refuseUpgrades = true;
  await expect(page.locator('[data-cell-id=summary]')).toBeVisible();
  fake.dropSockets();
  await page.locator('[data-cell-id=summary] .code').click();
  await expect(page.locator('[data-editor]')).toBeVisible();
  await page.keyboard.type('mine ');
  fake.setCell('summary', { source: 'theirs' });
  fake.refuseUpgrades = false;
  await networkBack(page);
  const cell = page.locator('[data-cell-id=summary]');
  await expect(cell).toContainText('This cell was changed elsewhere');
  await expect.poll(() => fake.cell('summary').source).toBe('theirs');
  await cell.getByRole('button', { name: 'Take theirs' }).click();
  await expect(cell).toContainText('theirs');
  await expect(page.locator('[data-saved=true]')).toBeVisible();
});

test('[WI-82] cells that ran when their server ended are named, and what they printed stays', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  await openPage(page, url);
  await expect(page.locator('[data-cell-id=trips]')).toBeVisible();
  fake.status('summary', 'running');
  fake.send('cell_console', { cell_id: 'summary', stream: 'stdout', text: 'half of it\n', chunk_seq: 0 });
  const cell = page.locator('[data-cell-id=summary]');
  await expect(cell).toContainText('half of it');
  fake.setCell('summary', { status: 'idle', console_stdout: '', console_stderr: '' });
  fake.sessionId = 's2';
  fake.dropSockets();
  await expect.poll(() => page.url()).toMatch(/#\/notebook\/s2/);
  const notice = page.getByText('The server stopped while summary was running, so there is no result.');
  await expect(notice).toBeVisible();
  await expect(cell).toContainText('half of it');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(notice).toHaveCount(0);
});

test('[WI-7] the end of a session is shown, with a button to reopen it', async ({ page, serve }) => {
  const { fake, url } = await serve(sampleNotebook());
  await openPage(page, url);
  await expect(page.locator('[data-cell-id=trips]')).toBeVisible();
  fake.send('session_closed', { reason: 'idle', message: 'closed' });
  fake.sessionId = 's3';
  fake.dropSockets();
  await expect(page.getByText('because it was idle')).toBeVisible();
  await page.getByRole('button', { name: 'Reopen' }).click();
  await expect(page.locator(link)).toHaveAttribute('data-link', 'live');
  await expect(page.getByText('because it was idle')).toHaveCount(0);
});

test('[LP-11] a gap in seq requests the state', async ({ page, serve }) => {
  const { fake, url } = await serve(sampleNotebook());
  await openPage(page, url);
  await expect(page.locator('[data-cell-id=trips]')).toBeVisible();
  // Every connection begins with a request for the state.
  await expect.poll(() => fake.received).toEqual([{ type: 'notebook_sync', payload: {} }]);
  fake.received.length = 0;
  fake.setCell('fit', { status: 'error', error: 'lost on the way' });
  fake.skipSeq();
  fake.status('summary', 'ready');
  await expect(page.locator('[data-cell-id=fit]')).toContainText('lost on the way');
  await expect.poll(() => fake.received).toEqual([{ type: 'notebook_sync', payload: {} }]);
});

test('a folder that cannot be opened shows the reason', async ({ page, serve }) => {
  const { fake, url } = await serve(sampleNotebook());
  fake.openRefusal = { status: 404, detail: 'There is no notebook.toml in /tmp/empty' };
  const origin = new URL(url).origin;
  await page.goto(`${origin}/#/open?path=%2Ftmp%2Fempty`);
  await expect(page.getByRole('alert')).toHaveText('There is no notebook.toml in /tmp/empty');
  fake.openRefusal = null;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.locator('[data-cell-id=trips]')).toBeVisible();
  await page.goto(`${origin}/#/`);
  await expect(page.getByRole('link', { name: 'Bike trips' })).toBeVisible();
});

test('[WI-3] a run requested while something runs waits and starts automatically', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  await openPage(page, url);
  await expect(page.locator('[data-cell-id=trips]')).toBeVisible();
  fake.status('fit', 'running');
  const queue = new FakeRunQueue(fake);
  fake.script = queue.script;
  await page.getByRole('button', { name: 'Run cell: summary' }).click();
  const cell = page.locator('[data-cell-id=summary]');
  await expect(cell.locator('.chip').first()).toHaveText('queued');
  queue.end('fit', 'ready');
  await expect(cell).toHaveAttribute('data-status', 'running');
});
