/** The languages of cells: their names, and what adding and changing one sends. */
import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import { expect, openPage, test } from '../testing/fixture.ts';

const TEXT = 'import csv\ntrips = 12_000';

function notebook() {
  return fakeBody({
    name: 'Languages',
    connections: [{ name: 'lake', driver: 'bigquery', auth: {}, options: {} }],
    cells: [
      fakeCell({ id: 'py', source: TEXT, defines: ['trips'] }),
      fakeCell({ id: 'sql', language: 'sql', source: 'SELECT 1', defines: ['result'] }),
      fakeCell({ id: 'r', language: 'r', source: 'total <- 1' }),
      fakeCell({ id: 'ask', language: 'prompt', source: 'Be brief.', defines: ['answer'] }),
      fakeCell({ id: 'dial', language: 'widget', source: 'alpha = slider(0, 1)' }),
      fakeCell({ id: 'words', language: 'markdown', source: '# Title' }),
    ],
  });
}

test('[ED-63] every language has its icon and name in the bar of a cell', async ({ page, serve }) => {
  const { url } = await serve(notebook());
  await openPage(page, url);
  for (const [id, word] of [
    ['sql', 'SQL'],
    ['r', 'R'],
    ['ask', 'Prompt'],
    ['dial', 'Widget'],
  ] as const) {
    const mark = page.locator(`[data-cell-id=${id}] .bar .cell-language`);
    await expect(mark).toHaveText(word);
    await expect(mark.locator('svg')).toBeAttached();
  }
});

test('[ED-63] a cell is changed to each language with one undo, and added in each', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  for (const [title, language, first] of [
    // A cell that becomes SQL names the only connection there is.
    ['Change to SQL', 'sql', '# @sql connection=lake\n'],
    ['Change to R', 'r', ''],
    ['Change to prompt', 'prompt', ''],
    ['Change to widget', 'widget', ''],
  ] as const) {
    await page.locator('[data-cell-id=py] .cell-name').click();
    await page.keyboard.press('Control+Shift+P');
    await page.keyboard.type(title);
    await page.keyboard.press('Enter');
    await expect.poll(() => fake.body.cells[0]?.language).toBe(language);
    await expect.poll(() => fake.body.cells[0]?.source).toBe(`${first}${TEXT}`);
    // Done once the new cell is the current one.
    const id = fake.body.cells[0]?.id ?? '';
    await expect(page.locator(`[data-cell-id=${id}]`)).toHaveAttribute('aria-current', 'true');
    await page.keyboard.press('z');
    await expect
      .poll(() => fake.body.cells.map((one) => one.id))
      .toEqual(['py', 'sql', 'r', 'ask', 'dial', 'words']);
  }
  await page.locator('.add-end').getByRole('button', { name: 'Add a cell in another language' }).click();
  await page.getByRole('menuitem', { name: 'Prompt' }).click();
  await expect.poll(() => fake.body.cells.at(-1)?.language).toBe('prompt');
});
