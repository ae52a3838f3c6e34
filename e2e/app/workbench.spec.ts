import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell } from '../support/fakeServerNotebook.ts';
import { largeNotebook, sampleNotebook } from '../support/fakeServerSamples.ts';

const rail = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name, exact: true });
const panel = (page: Page, name: string) => page.getByRole('complementary', { name });

test.use({ viewport: { width: 1440, height: 900 } });

test('[WI-60] the outline shows every cell with its state, and goes there by click and by key', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  await openPage(page, url);
  const outline = page.getByRole('listbox', { name: 'Outline' });
  await expect(outline.getByRole('option')).toHaveText([
    'Bike trips, 2025',
    'tripscached',
    'dailystale',
    'lossidle',
    'summary',
    'weather_apifailed',
  ]);
  await outline.getByRole('option', { name: 'daily' }).click();
  await expect(page.locator('[data-cell-id=daily]')).toHaveAttribute('aria-current', 'true');
  await outline.focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.locator('[data-cell-id=fit]')).toHaveAttribute('aria-current', 'true');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-cell-id=fit]')).toBeFocused();
  fake.status('fit', 'running');
  await expect(outline.getByRole('option', { name: 'loss' }).locator('[data-status=running]')).toBeVisible();
});

test('[WI-60] variables are listed with their shape, and lead to the cell that made them', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  await openPage(page, url);
  const trips = page.getByRole('button', { name: 'trips 1.2 M × 5' });
  await expect(trips).toBeVisible();
  fake.output('summary', { outputs: { summary: { content_type: 'json/object', preview: { a: 1, b: 2 } } } });
  await page.getByRole('button', { name: 'summary {2}' }).click();
  await expect(page.locator('[data-cell-id=summary]')).toHaveAttribute('aria-current', 'true');
});

test('[WI-60] what was computed before this window opened has its size too', async ({ page, serve }) => {
  const { fake, url } = await serve(sampleNotebook());
  const uri = 'svc://artifact/summary@v=1';
  fake.setCell('summary', { defines: ['summary', 'math'], artifact_uris: { summary: uri } });
  const variable = { name: 'summary', cell_id: 'summary', artifact_uri: uri, rows: null, columns: null };
  fake.variables = [{ ...variable, content_type: 'json/object', byte_size: 12, value: '"Lyon"' }];
  await openPage(page, url);
  await expect(page.getByRole('button', { name: 'summary "Lyon"' })).toBeVisible();
  // An import is a name, and nothing is kept of it.
  await expect(page.locator('.variables-others')).toContainText('math');
});

test('[WI-61] run stale runs what is not up to date, in order, one after the other', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  fake.script = { cell_execute: ({ cell_id }) => fake.status(cell_id, 'running') };
  await openPage(page, url);
  await page.getByRole('button', { name: 'Run stale', exact: true }).click();
  await expect(page.locator('[data-cell-id=daily]')).toHaveAttribute('data-status', 'running');
  await expect(page.locator('[data-cell-id=fit] .chip').first()).toHaveText('queued');
  await expect(page.locator('[data-counts]')).toContainText('2 queued');
  fake.status('daily', 'ready');
  await expect(page.locator('[data-cell-id=fit]')).toHaveAttribute('data-status', 'running');
  fake.status('fit', 'ready');
  await expect(page.locator('[data-cell-id=weather]')).toHaveAttribute('data-status', 'running');
  fake.status('weather', 'ready');
  await expect(page.getByRole('button', { name: 'Run stale', exact: true })).toBeDisabled();
  const ran = fake.received.flatMap((frame) =>
    frame.type === 'cell_execute' ? [frame.payload.cell_id] : [],
  );
  expect(ran).toEqual(['daily', 'fit', 'weather']);
});

test('[WI-61] below a cell that fails on the way nothing is run, and nothing is asked', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  fake.script = { cell_execute: ({ cell_id }) => fake.status(cell_id, 'running') };
  await openPage(page, url);
  await page.getByRole('button', { name: 'Run stale', exact: true }).click();
  await expect(page.locator('[data-cell-id=daily]')).toHaveAttribute('data-status', 'running');
  fake.status('daily', 'error');
  await expect(page.locator('[data-cell-id=weather]')).toHaveAttribute('data-status', 'running');
  await expect(page.locator('[data-cell-id=fit]')).toHaveAttribute('data-status', 'idle');
});

test('[WI-62] panels open and close, are as wide as they are left, and stay so', async ({ page, serve }) => {
  const { url } = await serve(sampleNotebook());
  await openPage(page, url);
  await rail(page, 'Files').click();
  await expect(panel(page, 'Files')).toBeVisible();
  const edge = page.getByRole('separator', { name: 'Width of the left panel' });
  await edge.focus();
  await page.keyboard.press('ArrowRight');
  await expect(edge).toHaveAttribute('aria-valuenow', '216');
  const box = await edge.boundingBox();
  if (box === null) throw new Error('the edge has no place');
  await page.mouse.move(box.x, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 60, box.y + 200, { steps: 4 });
  await page.mouse.up();
  await expect(edge).toHaveAttribute('aria-valuenow', '276');
  await page.getByRole('button', { name: 'Inspector', exact: true }).click();
  await expect(panel(page, 'Inspector')).toHaveCount(0);
  await page.reload();
  await expect(panel(page, 'Files')).toBeVisible();
  await expect(panel(page, 'Inspector')).toHaveCount(0);
  await expect(page.getByRole('separator', { name: 'Width of the left panel' })).toHaveAttribute(
    'aria-valuenow',
    '276',
  );
  await rail(page, 'Files').click();
  await expect(panel(page, 'Files')).toHaveCount(0);
});

test('[WI-62] F6 goes round the regions and back', async ({ page, serve }) => {
  const { url } = await serve(sampleNotebook());
  await openPage(page, url);
  await page.locator('[data-cell-id=daily] .bar').click();
  await expect(page.locator('[data-cell-id=daily]')).toBeFocused();
  const region = () =>
    page.evaluate(() => document.activeElement?.closest('[data-region]')?.getAttribute('data-region'));
  const round = ['right', 'status', 'header', 'rail', 'left', 'main'];
  for (const name of round) {
    await page.keyboard.press('F6');
    await expect.poll(region).toBe(name);
  }
  await expect(page.locator('[data-cell-id=daily]')).toBeFocused();
  await page.keyboard.press('Shift+F6');
  await expect.poll(region).toBe('left');
});

test('[WI-63] the inspector explains the focused cell and what is kept of it', async ({ page, serve }) => {
  const { fake, url } = await serve(sampleNotebook());
  const kept = (version: number, current: boolean) => ({
    variable: 'daily',
    artifact_uri: `svc://artifact/nb_daily@v=${version}`,
    version,
    content_type: 'arrow/ipc',
    rows: 334,
    columns: ['a', 'b', 'c'],
    byte_size: 10_000,
    created_at: '2025-03-01T09:14:00.000Z',
    current,
    provenance_hash: 'abc',
  });
  fake.results.set('daily', [kept(6, true), kept(5, false)]);
  const input = (
    kind: 'source' | 'input',
    name: string,
    state: 'same' | 'changed',
    cell_id: string | null,
  ) => ({
    kind,
    name,
    state,
    detail: state === 'changed' ? '312 new rows' : null,
    cell_id,
  });
  fake.explanations.set('daily', {
    cell_id: 'daily',
    status: 'stale',
    verdict: 'stale',
    headline: 'trips ran again and its result changed.',
    inputs: [input('source', '', 'same', null), input('input', 'trips', 'changed', 'trips')],
    code: [],
    last_run: { at: '2025-03-01T09:14:00.000Z', duration_ms: 2_100, cache_hit: false },
  });
  await openPage(page, url);
  const inspector = panel(page, 'Inspector');
  await expect(inspector).toContainText('No cell is chosen');
  await page.locator('[data-cell-id=daily] .bar').click();
  await expect(inspector.getByRole('heading', { name: 'Why is daily stale?' })).toBeVisible();
  await expect(inspector).toContainText('trips ran again and its result changed.');
  await expect(inspector).toContainText('in 2.1 s');
  await expect(inspector.locator('.inputs dd')).toHaveText(['same', 'changed · 312 new rows']);
  await expect(inspector.locator('.inputs dt').first()).toHaveText('code');
  await expect(inspector.locator('.kept')).toHaveCount(2);
  await expect(inspector.locator('.kept-now')).toContainText('v6');
  await expect(inspector.locator('.kept-now')).toContainText('334 × 3 · 10 kB');
  await inspector.getByRole('button', { name: 'Run', exact: true }).click();
  await expect
    .poll(() => fake.received.findLast(({ type }) => type !== 'cell_focus'))
    .toEqual({
      type: 'cell_execute',
      payload: { cell_id: 'daily' },
    });
  await inspector.getByRole('button', { name: 'trips', exact: true }).first().click();
  await expect(inspector.getByRole('heading', { name: 'Why is trips up to date?' })).toBeVisible();
});

test('[WI-63] the inspector shows what changed in the code since the last run, as the file is now', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  const before = fake.cell('trips').source;
  fake.setCell('trips', { source: `${before}\n# one more line` });
  fake.explanations.set('daily', {
    cell_id: 'daily',
    status: 'stale',
    verdict: 'stale',
    headline: 'trips is out of date and runs first.',
    inputs: [],
    code: [{ cell_id: 'trips', before }],
    last_run: null,
  });
  await openPage(page, url);
  await page.locator('[data-cell-id=daily] .bar').click();
  const change = page.getByRole('region', { name: 'Change in trips' });
  await expect(change.locator('.diff-after')).toHaveText('+# one more line');
  await expect(change.locator('.diff-before')).toHaveCount(0);
  // Typed back to what it was: there is nothing to show, before the server has said anything.
  fake.setCell('trips', { source: before });
  fake.broadcastState();
  await expect(change).toHaveCount(0);
});

test('[WI-71] two kept results are chosen and compared: tables, texts, and what cannot be', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  const kept = (version: number, variable = 'daily') => ({
    variable,
    artifact_uri: `svc:${variable}@${version}`,
    version,
    content_type: 'arrow/ipc',
    rows: 334,
    columns: null,
    byte_size: 10_000,
    created_at: `2025-03-0${version}T09:14:00.000Z`,
    current: version === 3,
    provenance_hash: 'abc',
  });
  fake.results.set('daily', [kept(3), kept(2), kept(1), kept(3, 'display 1')]);
  const asked = (before: number, after: number): string =>
    `?${new URLSearchParams({ before: `svc:daily@${before}`, after: `svc:daily@${after}` })}`;
  fake.comparisons.set(asked(2, 3), {
    kind: 'table',
    rows: { before: 300, after: 334 },
    columns_added: ['rain'],
    columns_removed: [],
    differences: [{ row: 4, column: 'km', before: null, after: 2.5 }],
    rows_compared: 300,
  });
  fake.comparisons.set(asked(1, 3), { kind: 'text', before: 'a\nb', after: 'a\nc' });
  await openPage(page, url);
  await page.locator('[data-cell-id=daily] .bar').click();
  await panel(page, 'Inspector').getByRole('button', { name: 'Compare results' }).click();
  const dialog = page.getByRole('dialog', { name: 'Results of daily' });
  await expect(dialog.locator('.compare-facts')).toHaveText('Rows300 → 334Columns addedrain');
  await expect(dialog.locator('tbody tr td')).toHaveText(['5', 'km', '(none)', '2.5']);
  await expectAccessible(page);
  // Only what has two results can be chosen, and so there is one name and no field for it.
  await expect(dialog.getByRole('combobox')).toHaveCount(2);
  await dialog.getByRole('combobox', { name: 'Before' }).click();
  await page.getByRole('option', { name: /v1/ }).click();
  await expect(dialog.locator('.diff-before')).toHaveText('−b');
  await expect(dialog.locator('.diff-after')).toHaveText('+c');
  await dialog.getByRole('combobox', { name: 'Before' }).click();
  await page.getByRole('option', { name: /v3/ }).click();
  await expect(dialog).toContainText('They are the same, byte for byte.');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('[WI-71] the comparison is a command too, also where nothing can be compared', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  const kept = (version: number) => ({
    variable: 'daily',
    artifact_uri: `svc:daily@${version}`,
    version,
    content_type: 'text/plain',
    rows: null,
    columns: null,
    byte_size: 10,
    created_at: `2025-03-0${version}T09:14:00.000Z`,
    current: version === 2,
    provenance_hash: 'abc',
  });
  fake.results.set('daily', [kept(2), kept(1)]);
  const query = new URLSearchParams({ before: 'svc:daily@1', after: 'svc:daily@2' });
  fake.comparisons.set(`?${query}`, { kind: 'text', before: 'a', after: 'b' });
  await openPage(page, url);
  const compare = async (id: string): Promise<void> => {
    await page.locator(`[data-cell-id=${id}] .bar`).click();
    await page.keyboard.press('Control+Shift+P');
    await page.keyboard.insertText('compare');
    await page.getByRole('option', { name: 'Compare kept results' }).click();
  };
  await compare('daily');
  const dialog = page.getByRole('dialog', { name: 'Results of daily' });
  await expect(dialog.locator('.diff-after')).toHaveText('+b');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.locator('[data-cell-id=daily]')).toBeFocused();
  await compare('trips');
  await expect(page.getByRole('dialog', { name: 'Results of trips' })).toContainText(
    'no two results of this cell are kept',
  );
});

test('[WI-63] many readers of a cell are each a way there', async ({ page, serve }) => {
  const readers = Array.from({ length: 9 }, (_none, at) => `r${at}`);
  const cells = [
    fakeCell({ id: 'x', source: 'x = 1', defines: ['x'], downstream_ids: readers, status: 'ready' }),
    ...readers.map((id) =>
      fakeCell({ id, source: `${id} = x`, defines: [id], upstream_ids: ['x'], status: 'ready' }),
    ),
  ];
  const { url } = await serve(fakeBody({ name: 'Readers', cells }));
  await openPage(page, url);
  await page.locator('[data-cell-id=x] .bar').click();
  const inspector = panel(page, 'Inspector');
  await expect(inspector.getByRole('button', { name: 'r8', exact: true })).toHaveCount(0);
  await inspector.getByRole('button', { name: 'Read by: all 9 cells' }).press('Enter');
  await expect(inspector.getByRole('button', { name: 'r6', exact: true })).toBeFocused();
  await inspector.getByRole('button', { name: 'r8', exact: true }).click();
  await expect(page.locator('.cell.focus')).toHaveAttribute('data-cell-id', 'r8');
});

test('[WI-63] what the server wrote about the notebook is in the drawer', async ({ page, serve }) => {
  const { fake, url } = await serve(sampleNotebook());
  fake.logLines = [
    { at: '2025-03-01T09:14:00.000Z', level: 'info', message: 'notebook opened', detail: null },
    { at: '2025-03-01T09:14:01.000Z', level: 'error', message: 'a disk is full', detail: 'ENOSPC' },
  ];
  await openPage(page, url);
  await rail(page, 'Logs').click();
  const lines = page.locator('[data-server-log] li');
  await expect(lines).toHaveCount(2);
  await expect(lines.last()).toContainText('a disk is full ENOSPC');
});

test('[WI-64] the graph shows every state and goes to a cell by click and by key', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  await openPage(page, url);
  await rail(page, 'Graph').click();
  const node = (id: string) => page.locator(`[data-dag-node=${id}]`);
  await expect(node('daily')).toHaveAttribute('data-status', 'stale');
  await expect(page.locator('[data-dag-node]')).toHaveCount(5);
  await node('daily').click();
  await expect(page.locator('[data-cell-id=daily]')).toHaveAttribute('aria-current', 'true');
  await page.getByRole('application').focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('[data-cell-id=fit]')).toHaveAttribute('aria-current', 'true');
  await expect(page.locator('#dag-now')).toHaveText('loss, not run; reads from daily');
  const place = () =>
    node('trips').evaluate((element) => element.closest('.react-flow__node')?.getAttribute('style'));
  const before = await place();
  fake.status('daily', 'ready');
  await expect(node('daily')).toHaveAttribute('data-status', 'ready');
  expect(await place()).toBe(before);
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-cell-id=fit]')).toBeFocused();
});

test('[WI-64] five hundred cells are drawn', async ({ page, serve }) => {
  test.setTimeout(90_000);
  const { url } = await serve(largeNotebook(500, 1));
  await openPage(page, url);
  await rail(page, 'Graph').click();
  await expect(page.locator('[data-dag-node]').first()).toBeVisible({ timeout: 60_000 });
  await page.getByRole('listbox', { name: 'Outline' }).focus();
  await page.keyboard.press('End');
  await expect(page.locator('[data-dag-node=c499]')).toBeVisible();
});

test('[WI-65] in a narrow window a panel lies over the cells, takes the focus and gives it back', async ({
  page,
  serve,
}) => {
  await page.setViewportSize({ width: 900, height: 800 });
  const { url } = await serve(sampleNotebook());
  await openPage(page, url);
  await expect(page.getByRole('complementary')).toHaveCount(0);
  await rail(page, 'Outline').click();
  await expect(panel(page, 'Outline')).toBeVisible();
  await expect
    .poll(() =>
      page.evaluate(() => document.activeElement?.closest('[data-region]')?.getAttribute('data-region')),
    )
    .toBe('left');
  await page.keyboard.press('Escape');
  await expect(panel(page, 'Outline')).toHaveCount(0);
  await page.getByRole('button', { name: 'Inspector', exact: true }).click();
  await expect(panel(page, 'Inspector')).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(panel(page, 'Outline')).toBeVisible();
});

test('[WI-66] how hard a run is being stopped is said as it happens', async ({ page, serve }) => {
  const { fake, url } = await serve(sampleNotebook());
  await openPage(page, url);
  fake.status('fit', 'running');
  const chip = page.locator('[data-cell-id=fit] .chip').first();
  for (const [stage, words] of [
    ['interrupting', 'interrupting…'],
    ['terminating', 'terminating…'],
    ['killing', 'killing…'],
  ] as const) {
    fake.send('cell_stopping', { cell_id: 'fit', stage });
    await expect(chip).toContainText(words);
  }
  fake.status('fit', 'idle');
  await expect(chip).toHaveCount(0);
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
  await note.getByRole('button', { name: 'See both' }).click();
  await expect(note.locator('.diff-line')).toHaveText(
    [' a = 1', '−b = 3', '+b = 4'].map((line) => new RegExp(`^\\s*${line.trim().replace('+', '\\+')}\\s*$`)),
  );
  await note.getByRole('button', { name: 'Keep mine' }).click();
  await expect
    .poll(() => fake.received.findLast((frame) => frame.type === 'cell_source_update')?.payload)
    .toMatchObject({ cell_id: 'a', source: 'a = 1\nb = 4', force: true });
});

test('[WI-68] a folder that is gone is said for as long as it is', async ({ page, serve }) => {
  const { fake, url } = await serve(sampleNotebook());
  await openPage(page, url);
  fake.body = { ...fake.body, folder_problem: 'The folder /home/me is not there any more.' };
  fake.broadcastState();
  await expect(page.locator('[data-folder-problem]')).toHaveText(
    'The folder /home/me is not there any more.',
  );
  const { folder_problem: _mended, ...body } = fake.body;
  fake.body = body;
  fake.broadcastState();
  await expect(page.locator('[data-folder-problem]')).toHaveCount(0);
});

for (const scheme of ['light', 'dark'] as const) {
  for (const width of [1440, 900]) {
    test(`[WI-69] nothing stands in the way of assistive tools: ${scheme}, ${width} px`, async ({
      page,
      serve,
    }) => {
      test.setTimeout(90_000);
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 900 });
      const { fake, url } = await serve(sampleNotebook());
      await openPage(page, url);
      fake.status('fit', 'running');
      await page.locator('[data-cell-id=daily] .bar').click();
      await rail(page, 'Graph').click();
      await expect(page.locator('[data-dag-node=daily]')).toBeVisible();
      await expectAccessible(page, { exclude: 'iframe' });
      await rail(page, 'Environment').click();
      await expect(panel(page, 'Environment')).toBeVisible();
      await rail(page, 'Logs').click();
      await expectAccessible(page, { exclude: 'iframe' });
    });
  }
}
