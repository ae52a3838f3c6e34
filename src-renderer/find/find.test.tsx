/** Find and replace in the notebook window, against a fake server: replacing one or all, and its undo. */

import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import { expect, openPage, test } from '../testing/fixture.ts';

const notebook = () =>
  fakeBody({
    name: 'Find',
    cells: [
      fakeCell({ id: 'a', source: 'rain = 1\nRain = 2', status: 'ready' }),
      fakeCell({
        id: 'b',
        source: 'print(1)',
        status: 'ready',
        console_stdout: '\u001b[31mrai\u001b[0mn fell\n',
      }),
      fakeCell({ id: 'c', source: 'x = rain', status: 'ready' }),
    ],
  });

test('[ED-6] replaces one, replaces all, and undoes it in one step', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  const sources = () => fake.body.cells.map((cell) => cell.source);
  const start = sources();
  await page.keyboard.press('Control+H');
  await page.getByRole('textbox', { name: 'Find' }).fill('rain');
  await page.getByRole('textbox', { name: 'Replace with' }).fill('snow');
  await page.getByRole('button', { name: 'Replace', exact: true }).click();
  await expect.poll(sources).toEqual(['snow = 1\nRain = 2', 'print(1)', 'x = rain']);
  await page.getByRole('button', { name: 'Replace all' }).click();
  await expect.poll(sources).toEqual(['snow = 1\nsnow = 2', 'print(1)', 'x = snow']);
  await expect(page.getByText('2 replaced in 2 cells').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('z');
  await expect.poll(sources).toEqual(['snow = 1\nRain = 2', 'print(1)', 'x = rain']);
  await page.keyboard.press('z');
  await expect.poll(sources).toEqual(start);
});

test('[ED-6] the undo offered after replacing reverts only the replacement', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  const sources = () => fake.body.cells.map((cell) => cell.source);
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  await page.locator('[data-cell-id=b] .cell-name').click();
  await page.keyboard.press('d');
  await page.keyboard.press('d');
  await expect.poll(sources).toHaveLength(2);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.keyboard.press('Control+H');
  await page.getByRole('textbox', { name: 'Find' }).fill('x');
  await page.getByRole('textbox', { name: 'Replace with' }).fill('x');
  await page.getByRole('button', { name: 'Replace all' }).click();
  await expect(page.getByText('1 replaced in 0 cells').first()).toBeVisible();
  await expect(undo).toHaveCount(0);
  await page.getByRole('textbox', { name: 'Replace with' }).fill('y');
  await page.getByRole('button', { name: 'Replace all' }).click();
  await expect(undo).toBeVisible();
  // After another edit, an undo would revert that edit instead.
  await page.keyboard.press('Escape');
  await page.locator('[data-cell-id=a] .cell-name').click();
  await page.keyboard.press('b');
  await expect.poll(sources).toHaveLength(3);
  await expect(undo).toHaveCount(0);
});
