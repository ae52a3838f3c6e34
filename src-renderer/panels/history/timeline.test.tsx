/**
 * The history panel, in the whole window against a fake server: restoring an earlier notebook, and the
 * changes since the last commit.
 */

import { sampleNotebook } from '../../../e2e/support/fakeServerSamples.ts';
import { expect, openPage, test } from '../../testing/fixture.ts';

test('[HI-26] [HI-27] the timeline shows what the notebook was, and restores it as one undo step', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  const change = (cell_id: string, at: string, more: object = {}) => ({
    at,
    cell_id,
    title: `title of ${cell_id}`,
    why: 'edit' as const,
    author: null,
    present: true,
    ...more,
  });
  fake.answers = {
    notebookTimeline: {
      changes: [
        change('fit', '2026-01-02T12:00:00.000Z', { author: 'ada' }),
        change('gone', '2026-01-02T11:59:50.000Z', { why: 'deleted', present: false }),
        change('daily', '2026-01-01T12:00:00.000Z', { why: 'outside' }),
      ],
    },
    notebookThen: ({ query }) => ({
      at: query['at'] ?? '',
      cells: [
        { cell_id: 'daily', title: 'daily', past: 'daily = 7', now: fake.cell('daily').source },
        { cell_id: 'summary', title: 'summary', past: null, now: fake.cell('summary').source },
      ],
    }),
  };
  const before = fake.cell('daily').source;
  await openPage(page, url);
  await page
    .getByRole('navigation', { name: 'Panels' })
    .getByRole('button', { name: 'History', exact: true })
    .click();
  const entries = page.getByRole('complementary', { name: 'History' }).getByRole('listitem');
  await expect(entries).toHaveText([
    /^loss and Deleted: title of gone.*saved · before deletion · by ada$/,
    /^daily.*changed by another program$/,
  ]);
  await entries.nth(1).getByRole('button').click();
  const dialog = page.getByRole('dialog', { name: /^Notebook as of / });
  await expect(dialog.getByRole('listitem')).toHaveText([/^dailydifferent text$/, /^summaryadded since$/]);
  await expect(dialog.locator('.diff-before')).toContainText(['daily = 7']);
  await dialog.getByRole('button', { name: /^summary/ }).click();
  await expect(dialog).toContainText('This cell did not exist then. Restoring deletes it.');
  await dialog.getByRole('checkbox', { name: 'Restore daily' }).click();
  await expect(dialog.getByRole('button', { name: 'Restore 1 cell' })).toBeVisible();
  await dialog.getByRole('checkbox', { name: 'Restore daily' }).click();
  await dialog.getByRole('button', { name: 'Restore 2 cells' }).click();
  await expect(dialog).toHaveCount(0);
  await expect.poll(() => fake.cell('daily').source).toBe('daily = 7');
  await expect(page.locator('[data-cell-id=summary]')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await expect.poll(() => fake.cell('daily').source).toBe(before);
  await expect(page.locator('[data-cell-id=summary]')).toHaveCount(1);
});

test('[HI-42] the history shows what changed since the last commit', async ({ page, serve }) => {
  const { fake, url } = await serve(sampleNotebook());
  const now = fake.cell('daily').source;
  fake.answers = {
    notebookTimeline: { changes: [] },
    sinceCommit: {
      commit: { hash: 'a'.repeat(40), subject: 'Add the daily totals', at: '2026-01-02T12:00:00+01:00' },
      changes: [
        { path: 'cells/daily.py', before: 'daily = 7', after: now },
        { path: 'cells/old.py', before: 'old = 1', after: null },
        { path: 'notebook.toml', before: null, after: 'x = 1' },
      ],
      truncated: false,
    },
  };
  await openPage(page, url);
  await page
    .getByRole('navigation', { name: 'Panels' })
    .getByRole('button', { name: 'History', exact: true })
    .click();
  const section = page.getByRole('region', { name: 'Since the last commit' });
  await expect(section).toContainText('Add the daily totals');
  await expect(section.getByRole('listitem')).toHaveText([
    /^daily.*cells\/daily\.py · changed$/,
    /^cells\/old\.py.*deleted$/,
    /^notebook\.toml.*added$/,
  ]);
  await section.getByRole('listitem').nth(0).getByRole('button').click();
  const difference = page.getByRole('region', { name: 'cells/daily.py in the last commit and now' });
  await expect(difference).toContainText('daily = 7');
});
