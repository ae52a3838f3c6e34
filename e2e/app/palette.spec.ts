/** The command palette in a browser: every command, reasons for disabled ones, recent ones. Against a fake server. */

import { expectAccessible } from '../support/axe.ts';
import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell } from '../support/fakeServerNotebook.ts';

const notebook = () =>
  fakeBody({
    name: 'Palette',
    cells: [
      fakeCell({ id: 't', language: 'markdown', source: '# Rain in June', status: 'ready' }),
      fakeCell({ id: 'a', source: 'import csv\n\nrain = load()', defines: ['rain'], status: 'ready' }),
      fakeCell({ id: 'b', source: 'total = rain', defines: ['total'], status: 'ready' }),
    ],
  });

test('[ED-3] the palette has every command, gives the reason for a disabled one, and remembers recent ones', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  await page.keyboard.press('Control+Shift+P');
  const palette = page.getByRole('dialog', { name: 'Commands' });
  await expect(palette).toBeVisible();
  await expect(palette.getByRole('combobox')).toBeFocused();
  await expectAccessible(page, { only: '.pick' });
  await expect(palette.locator('[data-command="cell.delete"]')).toHaveAttribute('aria-disabled', 'true');
  await expect(palette.locator('[data-command="cell.delete"]')).toContainText('select a cell first');
  await page.keyboard.insertText('add cell below');
  await expect(palette.getByRole('option').first()).toContainText('Add cell below');
  await page.keyboard.press('Enter');
  await expect(palette).toHaveCount(0);
  await expect(page.locator('[data-cell-id=new3] [data-editor=live]')).toBeVisible();
  await expect.poll(() => fake.body.cells).toHaveLength(4);
  // The shortcut also works while a text is edited, despite the editor's own keys.
  await page.keyboard.press('Control+Shift+P');
  await expect(palette.getByRole('option').first()).toContainText('Add cell below');
  await page.keyboard.press('Escape');
  await expect(palette).toHaveCount(0);
  await page.keyboard.type('x = 1');
  await expect.poll(() => fake.cell('new3').source).toBe('x = 1');
});
