/**
 * The runs panel and status bar, in the whole window against a fake server: the queue, the cost of cells,
 * time left, automatic runs.
 */

import { FakeRunQueue } from '../../../e2e/support/fakeRunQueue.ts';
import { sampleNotebook } from '../../../e2e/support/fakeServerSamples.ts';
import { AUTO_RUN_OFF } from '../../../src-shared/wire/autoRun.ts';
import { expect, openPage, test } from '../../testing/fixture.ts';
import type { Page } from '../../testing/page.tsx';

const openRuns = (page: Page) =>
  page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name: 'Runs', exact: true }).click();
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('[EX-92] the queue is listed in its order, and its runs can be moved and removed', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  const queue = new FakeRunQueue(fake);
  fake.script = queue.script;
  await openPage(page, url);
  await openRuns(page);
  await expect(section(page, 'Queue')).toContainText('Nothing is waiting to run.');
  queue.add(['trips', 'daily', 'fit', 'summary']);
  const rows = section(page, 'Queue').getByRole('listitem');
  await expect(rows).toHaveText([/^daily2.1 s/, /^loss/, /^summary/]);
  await expect(page.getByRole('button', { name: 'Move daily up' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Move summary down' })).toBeDisabled();
  await page.getByRole('button', { name: 'Run summary next' }).click();
  await expect(rows).toHaveText([/^summary/, /^daily/, /^loss/]);
  await page.getByRole('button', { name: 'Move daily down' }).click();
  await expect(rows).toHaveText([/^summary/, /^loss/, /^daily/]);
  await page.getByRole('button', { name: 'Move daily up' }).click();
  await page.getByRole('button', { name: 'Remove loss from the queue' }).click();
  await expect(rows).toHaveText([/^summary/, /^daily/]);
  await section(page, 'Queue').getByRole('button', { name: 'Remove all' }).click();
  await expect(section(page, 'Queue')).toContainText('Nothing is waiting to run.');
});

test('[EX-96] the cost of each cell is a table, sorted by pressing a header, and requested again when a run ends', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  const cell = (cell_id: string, more: object) => ({
    cell_id,
    cell_name: cell_id,
    status: 'ready' as const,
    duration_ms: 0,
    cache_hit: false,
    artifact_uri: null,
    execution_count: 3,
    ...more,
  });
  let spent = 6_000;
  let saved = 90_000;
  fake.script = {
    profiling_request: (_payload, socket) =>
      fake.send(
        'profiling_summary',
        {
          total_execution_ms: spent,
          cache_hits: 2,
          cache_misses: 4,
          cache_savings_ms: saved,
          team_cache_savings_ms: 0,
          team_cache_hits: 0,
          team_contributors: [],
          team_promotions: [],
          total_artifact_bytes: 0,
          cell_profiles: [
            cell('trips', { total_ms: 1_700, last_ms: 840, hits: 1, saved_ms: 840, peak_bytes: 412_000_000 }),
            cell('daily', { total_ms: 4_300, last_ms: 2_100, hits: 1, saved_ms: 89_000, cpu_ms: 900 }),
          ],
        },
        socket,
      ),
  };
  await openPage(page, url);
  await openRuns(page);
  const cost = section(page, 'Cost');
  await expect(cost).toContainText('Runs took 6.0 s. The cache saved 1:30.');
  const names = cost.locator('tbody th');
  await expect(names).toHaveText(['daily', 'trips']);
  await expect(cost.locator('tbody tr').first()).toHaveText(/daily2.1 s4.3 s211:29900 ms/);
  await expect(cost.getByRole('columnheader', { name: 'GPU memory' })).toHaveCount(0);
  await cost.getByRole('button', { name: 'Memory' }).click();
  await expect(names).toHaveText(['trips', 'daily']);
  await expect(cost.getByRole('columnheader', { name: 'Memory' })).toHaveAttribute('aria-sort', 'descending');
  await cost.getByRole('button', { name: 'Cell', exact: true }).click();
  await expect(names).toHaveText(['daily', 'trips']);
  saved = 0;
  spent = 7_000;
  fake.status('daily', 'running');
  await expect(page.locator('[data-cell-id=daily]').getByRole('button', { name: /^Stop/ })).toBeVisible();
  fake.status('daily', 'ready');
  await expect(cost).toContainText('Runs took 7.0 s. The cache has saved no time yet.');
});

test('[EX-91] the status bar shows the progress of a run of several cells, and the remaining time', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  await openPage(page, url);
  const rest = page.locator('[data-rest]');
  await expect(rest).toHaveCount(0);
  const run_progress = { completed: 1, total: 4, remaining_ms: 3_600_000, untimed: 0 };
  fake.send('cell_status', { cell_id: 'daily', status: 'running', run_progress });
  await expect(rest).toHaveText(/^Cell 2 of 4 · about (1:00:00|59:5\d) left$/);
  fake.send('cell_status', { cell_id: 'daily', status: 'ready' });
  const untimed = { completed: 2, total: 4, remaining_ms: 3_600_000, untimed: 1 };
  fake.send('cell_status', { cell_id: 'fit', status: 'running', run_progress: untimed });
  await expect(rest).toHaveText(/^Cell 3 of 4 · more than (1:00:00|59:5\d) left$/);
  await expect(rest).toHaveAttribute('title', /One cell has never run/);
  fake.send('cell_status', { cell_id: 'fit', status: 'ready' });
  await expect(rest).toHaveCount(0);
});

test('[EX-90] automatic runs are set for the notebook; a skipped run shows the reason, and a cell can be excluded', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  await openPage(page, url);
  await expect(page.locator('[data-auto-run]')).toHaveCount(0);
  await openRuns(page);
  const auto = page.locator('.runs').getByRole('region', { name: 'Automatic runs' });
  await auto.getByRole('radio', { name: 'Lazy' }).click();
  await expect(page.locator('[data-auto-run]')).toHaveText('Automatic runs: lazy');
  await auto.getByRole('radio', { name: 'Live' }).click();
  await expect(page.locator('[data-auto-run]')).toHaveText('Automatic runs: live');
  const limit = auto.getByLabel('Longest automatic run (s)');
  await expect(limit).toHaveValue('10');
  await limit.fill('2.5');
  await limit.press('Enter');
  await expect.poll(() => fake.body.auto_run).toEqual({ mode: 'live', limit_seconds: 2.5, except: [] });
  const message = 'Its last run took 14 s, and the limit for automatic runs is 2.5 s.';
  fake.send('auto_run_report', { queued: [], skipped: [{ cell_id: 'daily', message }] });
  await expect(page.locator('[data-auto-run]')).toHaveText('Automatic runs: live · 1 not run automatically');
  await expect(page.locator('[data-auto-run]')).toHaveAttribute('title', `daily: ${message}`);
  await auto.getByRole('button', { name: 'daily' }).click();
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await expect(inspector.locator('[data-auto-skipped]')).toHaveText(
    `This cell is not run automatically. ${message}`,
  );
  await inspector.getByRole('switch', { name: 'Run this cell automatically' }).click();
  await expect.poll(() => fake.body.auto_run?.except).toEqual(['daily']);
  await expect(inspector.locator('[data-auto-skipped]')).toHaveCount(0);
  await inspector.getByRole('switch', { name: 'Run this cell automatically' }).click();
  await expect.poll(() => fake.body.auto_run?.except).toEqual([]);
});

test('[EX-93] in a notebook with live runs, an edit is reported when its cell is left', async ({
  page,
  serve,
}) => {
  const body = sampleNotebook();
  const { fake, url } = await serve({ ...body, auto_run: { ...AUTO_RUN_OFF, mode: 'live' } });
  await openPage(page, url);
  const fit = page.locator('[data-cell-id=fit]');
  await fit.locator('.code').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('# now');
  await expect.poll(() => fake.cell('fit').source).toContain('# now');
  const reported = () =>
    fake.received.flatMap((frame) => (frame.type === 'auto_run' ? [frame.payload.cell_ids] : []));
  expect(reported()).toEqual([]);
  await page.keyboard.press('Escape');
  await expect.poll(reported).toEqual([['fit']]);
});
