/**
 * Runs and notices in the whole window, against a fake server: running stale cells, stopping, files changed
 * outside, and notices.
 */

import { FakeRunQueue } from '../../e2e/support/fakeRunQueue.ts';
import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import { sampleNotebook } from '../../e2e/support/fakeServerSamples.ts';
import { expect, openPage, test } from '../testing/fixture.ts';

test('[WI-61] run stale runs what is not up to date, in order, one at a time', async ({ page, serve }) => {
  const { fake, url } = await serve(sampleNotebook());
  const queue = new FakeRunQueue(fake);
  fake.script = queue.script;
  await openPage(page, url);
  await page.getByRole('button', { name: 'Run stale', exact: true }).click();
  await expect(page.locator('[data-cell-id=daily]')).toHaveAttribute('data-status', 'running');
  await expect(page.locator('[data-cell-id=fit] .chip').first()).toHaveText('queued');
  await expect(page.locator('[data-counts]')).toContainText('2 queued');
  queue.end('daily', 'ready');
  await expect(page.locator('[data-cell-id=fit]')).toHaveAttribute('data-status', 'running');
  queue.end('fit', 'ready');
  await expect(page.locator('[data-cell-id=weather]')).toHaveAttribute('data-status', 'running');
  queue.end('weather', 'ready');
  await expect(page.getByRole('button', { name: 'Run stale', exact: true })).toBeDisabled();
  const requests = fake.received.flatMap((frame) => (frame.type === 'run_queue_add' ? [frame.payload] : []));
  await expect
    .poll(() => requests)
    .toEqual([{ cell_ids: ['daily', 'fit', 'weather'], agreed: [], if_stale: true, mode: 'normal' }]);
});

test('[WI-61] cells below a failed cell are not run, and there is no prompt', async ({ page, serve }) => {
  const { fake, url } = await serve(sampleNotebook());
  const queue = new FakeRunQueue(fake);
  fake.script = queue.script;
  await openPage(page, url);
  await page.getByRole('button', { name: 'Run stale', exact: true }).click();
  await expect(page.locator('[data-cell-id=daily]')).toHaveAttribute('data-status', 'running');
  queue.drop(['fit'], 'Not run, because `daily` above it failed.');
  queue.end('daily', 'error');
  await expect(
    page.locator('.toast-words', { hasText: 'loss: Not run, because `daily` above it failed.' }),
  ).toBeVisible();
  await expect(page.locator('[data-cell-id=weather]')).toHaveAttribute('data-status', 'running');
  await expect(page.locator('[data-cell-id=fit]')).toHaveAttribute('data-status', 'idle');
});

test('[WI-66] each stage of stopping a run is shown', async ({ page, serve }) => {
  const { fake, url } = await serve(sampleNotebook());
  await openPage(page, url);
  fake.status('fit', 'running');
  const cell = page.locator('[data-cell-id=fit]');
  const chip = cell.locator('.chip').first();
  await cell.getByRole('button', { name: /^Stop: / }).click();
  for (const [stage, words, button] of [
    [
      'interrupting',
      'interrupting… press Stop again to stop immediately',
      /^Stop now without waiting for cleanup/,
    ],
    ['terminating', 'terminating… press Stop again to kill it', /^Kill now: /],
    ['killing', 'killing…', /^Killing: /],
  ] as const) {
    fake.send('cell_stopping', { cell_id: 'fit', stage });
    await expect(chip).toContainText(words);
    await cell.getByRole('button', { name: button }).click();
  }
  await cell.press('i');
  await cell.press('i');
  await expect.poll(() => fake.received.filter(({ type }) => type === 'cell_cancel').length).toBe(5);
  fake.send('cell_status', { cell_id: 'fit', status: 'idle', stopped_ms: 6_400 });
  await expect(cell.locator('.chip').first()).toHaveText('stopped after 0:06');
});

test('[WI-66] after stopping by keyboard, a tooltip explains what pressing again does', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  await openPage(page, url);
  fake.status('trips', 'running');
  const stop = page.locator('[data-cell-id=trips]').getByRole('button', { name: /^Stop/ });
  await page.keyboard.press('Tab');
  await stop.focus();
  const tip = page.getByRole('tooltip');
  await expect(tip).toHaveText('Stop: trips');
  await page.keyboard.press('Enter');
  fake.send('cell_stopping', { cell_id: 'trips', stage: 'interrupting' });
  await expect(tip).toHaveText(/^Stop now without waiting for cleanup/);
});

test('[WI-68] a text that was not written over an outside change can be compared with it, and either one kept', async ({
  page,
  serve,
}) => {
  const cells = [fakeCell({ id: 'a', source: 'a = 1\nb = 2', defines: ['a'], status: 'ready' })];
  const { fake, url } = await serve(fakeBody({ name: 'Outside', cells }));
  await openPage(page, url);
  fake.setCell('a', { source: 'a = 1\nb = 3' });
  fake.send('error', {
    error: 'The file of this cell was changed outside Cellar, and your text was not written over it.',
    code: 'source_changed_on_disk',
    cell_id: 'a',
    source: 'a = 1\nb = 4',
  });
  fake.broadcastState();
  fake.send('files_changed', { cell_ids: ['a'], added: 0, removed: 0 });
  const note = page.locator('[data-conflict=a]');
  await expect(note).toContainText('your text was not written over it');
  await expect(page.locator('[data-cell-id=a] .chip').first()).toHaveText('changed on disk');
  await note.getByRole('button', { name: 'Compare' }).click();
  await expect(note.locator('.diff-line')).toHaveText(
    [' a = 1', '−b = 3', '+b = 4'].map((line) => new RegExp(`^\\s*${line.trim().replace('+', '\\+')}\\s*$`)),
  );
  await note.getByRole('button', { name: 'Keep mine' }).click();
  await expect
    .poll(() => fake.received.findLast((frame) => frame.type === 'cell_source_update')?.payload)
    .toMatchObject({ cell_id: 'a', source: 'a = 1\nb = 4', force: true });
});

test('[WI-68] a missing folder is shown for as long as it is missing', async ({ page, serve }) => {
  const { fake, url } = await serve(sampleNotebook());
  await openPage(page, url);
  fake.body = { ...fake.body, folder_problem: 'The folder /home/me no longer exists.' };
  fake.broadcastState();
  await expect(page.locator('[data-folder-problem]')).toHaveText('The folder /home/me no longer exists.');
  const { folder_problem: _mended, ...body } = fake.body;
  fake.body = body;
  fake.broadcastState();
  await expect(page.locator('[data-folder-problem]')).toHaveCount(0);
});

test('[SO-310] the notice of results to check again is shown until it is dismissed', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  const words = 'These cells may show such a result: “load”.';
  fake.body = { ...fake.body, recheck_notice: words };
  await openPage(page, url);
  const notice = page.locator('[data-recheck]');
  await expect(notice).toHaveText(words);
  await page.locator('.notice', { has: notice }).getByRole('button', { name: 'Dismiss' }).click();
  await expect(notice).toHaveCount(0);
  await page.reload();
  await expect(page.locator('[data-cell-id=daily]')).toBeVisible();
  await expect(notice).toHaveCount(0);
});

test('[WI-403] a damaged record of the notebook is named until the notice is dismissed', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  const words = '.svc/settings.json is damaged.';
  fake.body = { ...fake.body, damaged_notice: words };
  await openPage(page, url);
  const notice = page.locator('[data-damaged]');
  await expect(notice).toHaveText(words);
  await page.locator('.notice', { has: notice }).getByRole('button', { name: 'Dismiss' }).click();
  await expect(notice).toHaveCount(0);
});

test('[WI-272] a queued cell shows its position, its stop button removes it, and its edits are sent immediately', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  const queue = new FakeRunQueue(fake);
  fake.script = queue.script;
  await openPage(page, url);
  await page.getByRole('button', { name: 'Run stale', exact: true }).click();
  const fit = page.locator('[data-cell-id=fit]');
  await expect(fit.locator('.chip').first()).toHaveText('queued');
  await fit.locator('.code').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('# now');
  await expect.poll(() => fake.cell('fit').source).toContain('# now');
  await page.keyboard.press('Escape');
  await fit.getByRole('button', { name: /^Stop: / }).click();
  await expect(page.locator('[data-counts]')).toContainText('1 queued');
  const removals = fake.received.flatMap((frame) =>
    frame.type === 'run_queue_remove' ? [frame.payload.ids] : [],
  );
  expect(removals).toEqual([['run2']]);
  await page.reload();
  queue.end('daily', 'ready');
  await expect(page.locator('[data-cell-id=weather]')).toHaveAttribute('data-status', 'running');
});

test('[ED-96] the panel of consoles explains that a cell must be selected, and offers the selected one', async ({
  page,
  serve,
}) => {
  const { url } = await serve(sampleNotebook());
  await openPage(page, url);
  await page.getByRole('button', { name: 'Look inside', exact: true }).click();
  const panel = page.locator('[data-region=bottom]');
  await expect(panel).toContainText('Select a code cell to start.');
  await page.locator('[data-cell-id=daily] .bar').click();
  await expect(panel.getByRole('button', { name: 'Look inside daily' })).toBeVisible();
  await expect(panel).not.toContainText('Select a code cell to start.');
});
