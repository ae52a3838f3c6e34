/**
 * Tests a result in a browser, with a real server: it is promoted, read by another notebook, published, opened by a
 * visitor, and withdrawn.
 */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { test } from '../support/realServerFixture.ts';
import { openReady, rest } from '../support/rest.ts';

test('[RG-18] a result is promoted in one notebook and read in another; [RG-34] it is published, verified by a visitor and withdrawn', async ({
  page,
  browser,
  serveReal,
  started,
}) => {
  const { server, sessionId, url, dir } = await serveReal(
    [
      { id: 'raw', source: 'raw = [3, 1, 2]' },
      { id: 'tidy', source: 'tidy = sorted(raw)' },
      { id: 'shown', source: 'print(tidy)' },
    ],
    { own: true },
  );
  const run = (sid: string, cell: string) =>
    rest<{ stdout: string; error: string | null }>(
      server.url,
      'POST',
      `/v1/notebooks/${sid}/cells/${cell}/execute`,
    );
  await run(sessionId, 'shown');

  await page.goto(url);
  await page.locator('[data-cell-id=tidy] .bar').click();
  const inspector = page.getByRole('complementary').filter({ hasText: 'Promote…' }).first();
  await inspector.getByRole('button', { name: 'Promote…' }).first().click();
  const promoting = page.getByRole('dialog', { name: 'Promote a result of tidy' });
  await promoting.getByLabel('Name', { exact: true }).fill('team/tidy');
  await promoting.getByRole('button', { name: 'Promote', exact: true }).click();
  await expect(page.locator('.toast-words')).toHaveText('Promoted as team/tidy: 2 versions copied.');

  const reader = await writeReadyNotebook(join(dir, '../reader'), {
    cells: [{ id: 'reads', source: '# @dataset values team/tidy\nprint(sum(values))' }],
  });
  const { session_id } = await openReady(server.url, reader);
  expect((await run(session_id, 'reads')).body).toMatchObject({ error: null, stdout: '6\n' });

  await page.goto(`${server.url}/#/artifacts`);
  await page.getByRole('button', { name: /^team\/tidy/ }).click();
  const details = page.getByRole('complementary', { name: 'Details of the artifact' });
  await details.getByRole('button', { name: 'Publish…' }).click();
  const publishing = page.getByRole('dialog', { name: 'Publish this artifact' });
  await publishing.getByLabel('Title (optional)').fill('Tidy numbers');
  await publishing.getByRole('button', { name: 'Save' }).click();
  const link = (await publishing.getByRole('link').getAttribute('href')) ?? '';
  expect(link).toContain('/p/');
  await page.keyboard.press('Escape');

  // A visitor, with a new browser profile.
  const profile = await browser.newContext();
  started.ends.push(() => profile.close());
  const visitor = await profile.newPage();
  await visitor.goto(link);
  await expect(visitor.getByRole('heading', { name: 'Tidy numbers' })).toBeVisible();
  const recorded = (await visitor.locator('pre').last().textContent()) ?? '';
  const downloading = visitor.waitForEvent('download');
  await visitor.getByRole('link', { name: 'Download the data' }).click();
  const file = await (await downloading).path();
  const digest = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  expect([digest, (await visitor.locator('body').innerText()).includes(digest)]).toEqual([digest, true]);
  expect(recorded.length).toBeGreaterThan(0);

  await expect(details.getByRole('region', { name: 'Kept because' })).toContainText('Published Tidy numbers');
  await details.getByRole('button', { name: 'Withdraw…' }).click();
  await page
    .getByRole('alertdialog', { name: 'Withdraw this publication?' })
    .getByRole('button', { name: 'Withdraw' })
    .click();
  await expect(details.getByRole('region', { name: 'Kept because' })).toContainText('Publication withdrawn');
  await visitor.reload();
  await expect(visitor.getByText('This publication was withdrawn')).toBeVisible();
  const gone = await fetch(`${link}/data`);
  expect(gone.status).toBe(410);
});
