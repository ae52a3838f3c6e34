/**
 * How the window shows cells, against a fake server: status, cause of staleness, a run, text cells, and an
 * empty notebook.
 */

import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import { sampleNotebook } from '../../e2e/support/fakeServerSamples.ts';
import { expect, openPage, test } from '../testing/fixture.ts';

test('[WI-1] every status has its shape, label and cause', async ({ page, serve }) => {
  const { url } = await serve(sampleNotebook());
  await openPage(page, url);
  const mark = (id: string) => page.locator(`[data-cell-id=${id}] .bar [data-status]`);
  await expect(mark('trips')).toHaveAttribute('data-status', 'ready');
  await expect(mark('daily')).toHaveAttribute('data-status', 'stale');
  await expect(mark('fit')).toHaveAttribute('data-status', 'idle');
  await expect(mark('weather')).toHaveAttribute('data-status', 'error');
  await expect(page.locator('[data-cell-id=trips] .chip')).toHaveText(['cached']);
  await expect(page.locator('[data-cell-id=daily] .chip')).toHaveText([
    'stale: trips changed',
    '2.1 s last time',
  ]);
  await expect(page.getByRole('group', { name: 'daily, stale' })).toBeVisible();
  await expect(page.locator('[data-counts]')).toHaveText('1 stale · 1 failed');
});

test('[WI-1] a run is shown from click to result', async ({ page, serve }) => {
  const { fake, url } = await serve(sampleNotebook());
  fake.script = {
    cell_execute: ({ cell_id }) => fake.status(cell_id, 'running'),
    cell_cancel: ({ cell_id }) => fake.status(cell_id, 'idle'),
  };
  await openPage(page, url);
  const cell = page.locator('[data-cell-id=summary]');
  await cell.getByRole('button', { name: 'Run cell: summary' }).click();
  await expect(cell).toHaveAttribute('data-status', 'running');
  await expect(cell.locator('.chip')).toHaveText(['0:00']);
  await expect(page.getByRole('button', { name: 'Run stale', exact: true })).toBeDisabled();
  fake.output('summary', { cache_hit: true, duration_ms: 4 });
  fake.status('summary', 'ready');
  await expect(cell.locator('.chip')).toHaveText(['cached · 4 ms']);
  await cell.getByRole('button', { name: 'Run cell: summary' }).click();
  await cell.getByRole('button', { name: 'Stop: summary' }).click();
  await expect(cell).toHaveAttribute('data-status', 'idle');
});

test('[WI-1] the causes of staleness are shown', async ({ page, serve }) => {
  const causes = {
    self: { reason: 'self' as const, details: [{ type: 'source_changed' as const }] },
    env: { reason: 'env' as const, details: [{ type: 'env_changed' as const, package: 'notebook env' }] },
    both: {
      reason: 'upstream' as const,
      details: ['a', 'b', 'c', 'd'].map((id) => ({ type: 'input_changed' as const, cell_id: id })),
    },
  };
  const { url } = await serve(
    fakeBody({
      name: 'Causes',
      cells: [
        fakeCell({ id: 'a', defines: ['a'], status: 'error', error: 'boom' }),
        fakeCell({ id: 'b', defines: ['b'], causality: causes.self }),
        fakeCell({ id: 'c', defines: ['c'], causality: causes.env }),
        fakeCell({ id: 'd', defines: ['d'], status: 'stale', causality: causes.both }),
        fakeCell({
          id: 'e',
          defines: ['e'],
          status: 'stale',
          staleness_reasons: ['upstream'],
          upstream_ids: ['a'],
        }),
      ],
    }),
  );
  await openPage(page, url);
  await expect(page.locator('[data-cell-id=b] .chip')).toHaveText('source changed since the last run');
  await expect(page.locator('[data-cell-id=c] .chip')).toHaveText('environment changed');
  await expect(page.locator('[data-cell-id=d] .chip')).toHaveText('stale: a, b and 2 more changed');
  await expect(page.locator('[data-cell-id=e] .chip')).toHaveText('stale: a failed');
});

test('[WI-11] text cells are rendered clean: no raw HTML, links open elsewhere', async ({ page, serve }) => {
  const source =
    '# Title\n<img src=x onerror="window.hit=1"> [site](https://example.org) [bad](javascript:alert(1))\n\nhttps://plain.example\nthe next line';
  const { url } = await serve(
    fakeBody({ name: 'Text', cells: [fakeCell({ id: 't', language: 'markdown', status: 'ready', source })] }),
  );
  await openPage(page, url);
  const cell = page.locator('[data-cell-id=t]');
  await expect(cell.getByRole('heading', { name: 'Title' })).toBeVisible();
  await expect(cell.locator('img')).toHaveCount(0);
  const links = cell.getByRole('link');
  await expect(links).toHaveText(['site', 'https://plain.example']);
  for (const link of await links.all()) {
    await expect(link).toHaveAttribute('rel', /noopener/);
    await expect(link).toHaveAttribute('target', '_blank');
  }
  await expect(cell.locator('p br')).toHaveCount(1);
  expect(await page.evaluate(() => 'hit' in window)).toBe(false);
});

test('[WI-339] an empty notebook offers three ways to begin', async ({ page, serve }) => {
  const { fake, url } = await serve(fakeBody({ name: 'Empty', cells: [] }));
  await openPage(page, url);
  await expect(page.getByRole('heading', { name: 'Nothing here yet' })).toBeVisible();
  await expect(page.locator('.empty-way strong')).toHaveText(['Write code', 'Read a file', 'Write text']);
  await page.getByRole('button', { name: 'Python', exact: true }).click();
  await expect(page.locator('[data-cell-id=new0]')).toBeVisible();
  await expect.poll(() => fake.body.cells.map((cell) => cell.language)).toEqual(['python']);
  await page.keyboard.press('Escape');
  await page.keyboard.press('z');
  await page.getByRole('button', { name: /^Write text/ }).click();
  await expect.poll(() => fake.body.cells.map((cell) => cell.language)).toEqual(['markdown']);
});
