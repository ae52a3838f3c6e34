/**
 * The inspector and the log drawer, in the whole window against a fake server: why a cell is stale, and its
 * stored results compared.
 */

import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import { sampleNotebook } from '../../e2e/support/fakeServerSamples.ts';
import { expect, openPage, test } from '../testing/fixture.ts';
import type { Page } from '../testing/page.tsx';

const rail = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name, exact: true });
const panel = (page: Page, name: string) => page.getByRole('complementary', { name });

test('[WI-405][WI-63][SO-321][WI-310] the inspector explains the focused cell and lists its stored results', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  const storedResult = (version: number, current: boolean) => ({
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
  fake.results.set('daily', [storedResult(6, true), storedResult(5, false)]);
  fake.runs.set('daily', [
    { duration_ms: 4_100, cache_hit: false, cpu_ms: 3_900, peak_bytes: 700_000_000 },
    { duration_ms: 3, cache_hit: true },
    {
      duration_ms: 2_100,
      cache_hit: false,
      cpu_ms: 1_800,
      peak_bytes: 412_000_000,
      gpu_peak_bytes: 2_000_000_000,
    },
  ]);
  const input = (
    kind: 'source' | 'input' | 'unseen',
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
    inputs: [
      input('source', '', 'same', null),
      input('input', 'trips', 'changed', 'trips'),
      { ...input('unseen', 'process', 'same', null), detail: 'It started another process.' },
    ],
    code: [],
    last_run: { at: '2025-03-01T09:14:00.000Z', duration_ms: 2_100, cache_hit: false },
  });
  await openPage(page, url);
  const inspector = panel(page, 'Inspector');
  await expect(inspector).toContainText('No cell selected');
  await page.locator('[data-cell-id=daily] .bar').click();
  await expect(inspector.getByRole('heading', { name: 'Why is daily stale?' })).toBeVisible();
  await expect(inspector).toContainText('trips ran again and its result changed.');
  await expect(inspector).toContainText('took 2.1 s');
  await expect(inspector.locator('.inputs dd')).toHaveText([
    ...['unchanged', 'changed · 312 new rows'],
    // It is unknown whether the process is the same.
    'It started another process.',
  ]);
  await expect(inspector.locator('.inputs dt').first()).toHaveText('code');
  await expect(inspector.locator('.kept')).toHaveCount(2);
  await expect(inspector.locator('.kept-now')).toContainText('v6');
  await expect(inspector.locator('.kept-now')).toContainText('334 × 3 · 10 kB');
  await expect(
    inspector.getByRole('img', { name: 'Durations of the latest 3 runs, oldest first: 4.1 s, 3 ms, 2.1 s' }),
  ).toBeVisible();
  await expect(inspector).toContainText('CPU time1.8 s');
  await expect(inspector).toContainText('Peak memory412.0 MB');
  await expect(inspector).toContainText('GPU memory2.0 GB');
  await inspector.getByRole('button', { name: 'Run', exact: true }).click();
  await expect
    .poll(() => fake.received.findLast(({ type }) => type !== 'cell_focus'))
    .toEqual({
      type: 'cell_execute',
      payload: { cell_id: 'daily', queue: true },
    });
  await inspector.getByRole('button', { name: 'trips', exact: true }).first().click();
  await expect(inspector.getByRole('heading', { name: 'Why is trips up to date?' })).toBeVisible();
});

test('[WI-63] the inspector shows what changed in the code since the last run, compared with the current file', async ({
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
  // Typed back to the original text: there is nothing to show, even before the server answers.
  fake.setCell('trips', { source: before });
  fake.broadcastState();
  await expect(change).toHaveCount(0);
});

test('[WI-71] two stored results are chosen and compared: tables, texts, and values that cannot be compared', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  const storedResult = (version: number, variable = 'daily') => ({
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
  fake.results.set('daily', [
    storedResult(3),
    storedResult(2),
    storedResult(1),
    storedResult(3, 'display 1'),
  ]);
  const queryOf = (before: number, after: number): string =>
    `?${new URLSearchParams({ before: `svc:daily@${before}`, after: `svc:daily@${after}` })}`;
  fake.comparisons.set(queryOf(2, 3), {
    kind: 'table',
    rows: { before: 300, after: 334 },
    columns_added: ['rain'],
    columns_removed: [],
    differences: [{ row: 4, column: 'km', before: null, after: 2.5 }],
    rows_compared: 300,
  });
  fake.comparisons.set(queryOf(1, 3), { kind: 'text', before: 'a\nb', after: 'a\nc' });
  await openPage(page, url);
  await page.locator('[data-cell-id=daily] .bar').click();
  await panel(page, 'Inspector').getByRole('button', { name: 'Compare results' }).click();
  const dialog = page.getByRole('dialog', { name: 'Results of daily' });
  await expect(dialog.locator('.compare-facts')).toHaveText('Rows300 → 334Columns addedrain');
  await expect(dialog.locator('tbody tr td')).toHaveText(['5', 'km', '(none)', '2.5']);
  // Only one variable has two results, so there is no field to choose a variable.
  await expect(dialog.getByRole('combobox')).toHaveCount(2);
  await dialog.getByRole('combobox', { name: 'Before' }).click();
  await page.getByRole('option', { name: /v1/ }).click();
  await expect(dialog.locator('.diff-before')).toHaveText('−b');
  await expect(dialog.locator('.diff-after')).toHaveText('+c');
  await dialog.getByRole('combobox', { name: 'Before' }).click();
  await page.getByRole('option', { name: /v3/ }).click();
  await expect(dialog).toContainText('Identical, byte for byte.');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('[WI-71] the comparison is a command too, even if there is nothing to compare', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  const storedResult = (version: number) => ({
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
  fake.results.set('daily', [storedResult(2), storedResult(1)]);
  const query = new URLSearchParams({ before: 'svc:daily@1', after: 'svc:daily@2' });
  fake.comparisons.set(`?${query}`, { kind: 'text', before: 'a', after: 'b' });
  await openPage(page, url);
  const compare = async (id: string): Promise<void> => {
    await page.locator(`[data-cell-id=${id}] .bar`).click();
    await page.keyboard.press('Control+Shift+P');
    await page.keyboard.insertText('compare');
    await page.getByRole('option', { name: 'Compare stored results' }).click();
  };
  await compare('daily');
  const dialog = page.getByRole('dialog', { name: 'Results of daily' });
  await expect(dialog.locator('.diff-after')).toHaveText('+b');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.locator('[data-cell-id=daily]')).toBeFocused();
  await compare('trips');
  await expect(page.getByRole('dialog', { name: 'Results of trips' })).toContainText(
    'fewer than two stored results',
  );
});

test('[WI-63] each of many readers of a cell links to it', async ({ page, serve }) => {
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

test('[WI-63] the server’s log of the notebook is in the drawer', async ({ page, serve }) => {
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
