/** The Vim keys of the editor in a browser: modes, commands, and switching them on and off. Against a fake server. */

import { expectAccessible } from '../support/axe.ts';
import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell } from '../support/fakeServerNotebook.ts';

const notebook = () =>
  fakeBody({
    name: 'Vim',
    cells: ['a', 'b'].map((id) =>
      fakeCell({ id, defines: [id], source: `${id} = 1\nsecond = 2\nthird = 3`, status: 'ready' }),
    ),
  });

test('[WI-380] cells are edited with Vim keys when the setting is on', async ({ page, serve }) => {
  const { url } = await serve(notebook());
  await openPage(page, url);
  await page.keyboard.press('Control+,');
  await page.getByRole('switch', { name: 'Vim keys' }).click();
  await page.getByRole('button', { name: 'Done' }).click();

  await page.locator('[data-cell-id=a] .bar').click({ position: { x: 60, y: 8 } });
  await page.keyboard.press('Enter');
  const editor = page.locator('.live-editor-node');
  const text = page.locator('[data-cell-id=a] .view-lines');
  const status = page.locator('.vim-status');
  await expect(editor).toHaveAttribute('data-vim', 'normal');
  await expect(status).toContainText('NORMAL');

  await page.keyboard.type('ggdd');
  await expect(text).not.toContainText('a = 1');
  await page.keyboard.type('u');
  await expect(text).toContainText('a = 1');
  await page.keyboard.type('ggA + 41');
  await expect(editor).toHaveAttribute('data-vim', 'insert');
  await expect(status).toContainText('INSERT');
  await page.keyboard.press('Escape');
  await expect(editor).toHaveAttribute('data-vim', 'normal');
  await expect(text).toContainText('a = 1 + 41');

  // Escape first ends a command that waits for more keys.
  await page.keyboard.type('2');
  await page.keyboard.type('d');
  await expect(editor).toHaveAttribute('data-vim', 'pending');
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-editor=live]')).toHaveCount(1);
  await page.keyboard.type(':s/41/7/');
  await page.keyboard.press('Enter');
  await expect(text).toContainText('a = 1 + 7');
  await page.keyboard.type(':w');
  await page.keyboard.press('Enter');
  await expect(status).toContainText('saves cells as you type');
  await expectAccessible(page);
  if (process.env['CELLAR_TEST_SHOTS'] !== undefined)
    await page.screenshot({ path: `${process.env['CELLAR_TEST_SHOTS']}/vim.png` });

  await page.keyboard.press('Escape');
  await expect(page.locator('[data-editor=live]')).toHaveCount(0);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-cell-id=b] [data-vim=normal]')).toHaveCount(1);

  await page.keyboard.press('Control+,');
  await page.getByRole('switch', { name: 'Vim keys' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.locator('[data-vim]')).toHaveCount(0);
});
