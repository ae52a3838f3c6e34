/** The setup cell in a browser: its badge, and the commands that make and unmake it. Against a fake server. */

import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell } from '../support/fakeServerNotebook.ts';

test('[SO-177] the set-up cell has a badge, and a command makes a cell the set-up cell or a normal one', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(
    fakeBody({
      name: 'Set up',
      cells: [
        fakeCell({ id: 'a', source: '# @name options\nimport os\n', defines: ['os'] }),
        fakeCell({ id: 'b', source: '# @setup\nx = 1', defines: ['x'] }),
      ],
    }),
  );
  fake.cell('b').annotation_diagnostics = [
    {
      severity: 'warn',
      code: 'setup_not_first',
      message:
        'The setup cell must be the first cell, so this is a normal cell. Move it above the other cells, or remove the @setup line.',
      line: 1,
    },
  ];
  await openPage(page, url);
  const card = page.locator('[data-cell-id=a]');
  const badge = (id: string) => page.locator(`[data-cell-id=${id}] .chip`, { hasText: 'Setup cell' });
  await expect(badge('a')).toHaveCount(0);
  await expect(badge('b')).toHaveCount(0);

  await card.locator('.cell-name').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Setup cell' }).click();
  await page.getByRole('menuitem', { name: 'Make this the setup cell' }).click();
  await expect.poll(() => fake.cell('a').source).toBe('# @name options\n# @setup\nimport os\n');
  await expect(badge('a')).toBeVisible();
  await expect(badge('a')).toHaveAttribute('title', /^Runs before every Python cell/);

  await page.getByRole('button', { name: 'Notebook menu' }).click();
  await page.getByRole('menuitem', { name: 'Undo' }).click();
  await expect.poll(() => fake.cell('a').source).toBe('# @name options\nimport os\n');
  await expect(badge('a')).toHaveCount(0);
  await page.getByRole('button', { name: 'Notebook menu' }).click();
  await page.getByRole('menuitem', { name: 'Redo' }).click();
  await expect(badge('a')).toBeVisible();

  await page.keyboard.press('ControlOrMeta+Shift+p');
  await page.keyboard.type('Make this a normal cell');
  await page.keyboard.press('Enter');
  await expect.poll(() => fake.cell('a').source).toBe('# @name options\nimport os\n');
  await expect(badge('a')).toHaveCount(0);
});
