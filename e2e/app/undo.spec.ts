/** Undo in a browser: the steps of the editor come before those of the notebook. Against a fake server. */

import type { Page } from '@playwright/test';
import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell } from '../support/fakeServerNotebook.ts';

const notebook = () =>
  fakeBody({
    name: 'Undo',
    cells: ['a', 'b', 'c'].map((id) =>
      fakeCell({
        id,
        defines: [id],
        source: `${id} = 1`,
        status: 'ready',
        console_stdout: `result of ${id}\n`,
        test_source: `def test_${id}(): ...`,
      }),
    ),
  });

const cellIds = (page: Page) => () =>
  page.locator('[data-cell-id]').evaluateAll((all) => all.map((one) => one.getAttribute('data-cell-id')));

test('[ED-1] in edit mode, undo first reverts the editor’s own steps, then the notebook’s', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  await page.locator('[data-cell-id=a] .cell-name').click();
  await page.keyboard.press('Alt+ArrowDown');
  await expect.poll(cellIds(page)).toEqual(['b', 'a', 'c']);
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-cell-id=a] [data-editor=live]')).toBeVisible();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('9');
  await expect.poll(() => fake.cell('a').source).toBe('a = 19');
  await page.keyboard.press('Control+Z');
  await expect.poll(() => fake.cell('a').source).toBe('a = 1');
  await expect.poll(cellIds(page)).toEqual(['b', 'a', 'c']);
  await page.keyboard.press('Control+Z');
  await expect.poll(cellIds(page)).toEqual(['a', 'b', 'c']);
});
