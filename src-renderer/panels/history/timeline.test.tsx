import { sampleNotebook } from '../../../e2e/support/fakeServerSamples.ts';
import { expect, openPage, test } from '../../testing/fixture.ts';

test('[HI-26] [HI-27] the timeline shows what the notebook was, and restores it as one undo step', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  const change = (cell_id: string, at: string, more: object = {}) => ({
    ...{ at, cell_id, title: `title of ${cell_id}`, why: 'edit' as const, author: null, present: true },
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
  const dialog = page.getByRole('dialog', { name: /^The notebook / });
  await expect(dialog.getByRole('listitem')).toHaveText([/^dailyother text$/, /^summaryadded since$/]);
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
