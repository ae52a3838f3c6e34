import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { FakeRunQueue } from '../support/fakeRunQueue.ts';
import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell } from '../support/fakeServerNotebook.ts';
import { sampleNotebook } from '../support/fakeServerSamples.ts';

const rail = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name, exact: true });
const panel = (page: Page, name: string) => page.getByRole('complementary', { name });

test.use({ viewport: { width: 1440, height: 900 } });

test('[WI-61] run stale runs what is not up to date, in order, one after the other', async ({
  page,
  serve,
}) => {
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
  const asked = fake.received.flatMap((frame) => (frame.type === 'run_queue_add' ? [frame.payload] : []));
  expect(asked).toEqual([
    { cell_ids: ['daily', 'fit', 'weather'], agreed: [], if_stale: true, mode: 'normal' },
  ]);
});

test('[WI-61] below a cell that fails on the way nothing is run, and nothing is asked', async ({
  page,
  serve,
}) => {
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

test('[WI-66] how hard a run is being stopped is said as it happens', async ({ page, serve }) => {
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

test('[WI-66] who stops by keys reads beside the button what pressing it again does', async ({
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

test('[WI-68] a text that was not written over an outside change can be seen beside it, and either kept', async ({
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
  await note.getByRole('button', { name: 'Compare' }).click();
  await expect(note.locator('.diff-line')).toHaveText(
    [' a = 1', '−b = 3', '+b = 4'].map((line) => new RegExp(`^\\s*${line.trim().replace('+', '\\+')}\\s*$`)),
  );
  await note.getByRole('button', { name: 'Keep mine' }).click();
  await expect
    .poll(() => fake.received.findLast((frame) => frame.type === 'cell_source_update')?.payload)
    .toMatchObject({ cell_id: 'a', source: 'a = 1\nb = 4', force: true });
});

test('[MC-17] what an agent did is a line in the status bar, and one undo takes it back', async ({
  page,
  serve,
}) => {
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

test('[WI-68] a folder that is gone is said for as long as it is', async ({ page, serve }) => {
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

test('[SO-310] which results have to be checked again is said until it is dismissed', async ({
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

test('[WI-272] a cell that waits shows its place, is taken out by its own stop, and an edit of it goes out at once', async ({
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
  const gone = fake.received.flatMap((frame) =>
    frame.type === 'run_queue_remove' ? [frame.payload.ids] : [],
  );
  expect(gone).toEqual([['run2']]);
  await page.reload();
  queue.end('daily', 'ready');
  await expect(page.locator('[data-cell-id=weather]')).toHaveAttribute('data-status', 'running');
});
