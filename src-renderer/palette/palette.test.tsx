/** The command palette, quick open and the page of shortcuts, in the whole window against a fake server. */

import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import { expect, openPage, storeBefore, test } from '../testing/fixture.ts';

const notebook = () =>
  fakeBody({
    name: 'Palette',
    cells: [
      fakeCell({ id: 't', language: 'markdown', source: '# Rain in June', status: 'ready' }),
      fakeCell({ id: 'a', source: 'import csv\n\nrain = load()', defines: ['rain'], status: 'ready' }),
      fakeCell({ id: 'b', source: 'total = rain', defines: ['total'], status: 'ready' }),
    ],
  });

test('[ED-3] every command is in the palette', async ({ page, serve }) => {
  const { COMMANDS } = await import('../commands/registry.ts');
  const { url } = await serve(notebook());
  await openPage(page, url);
  await page.keyboard.press('Control+Shift+P');
  await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible();
  const ids = () =>
    page
      .locator('[data-command]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-command') ?? '').sort());
  await expect.poll(ids).toEqual(COMMANDS.map((command) => command.id).sort());
});

test('quick open finds cells, variables, headings, source and notebooks', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  const recents = [{ path: '/home/me/rain-2024', name: 'Rain of 2024', openedAtMs: 1 }];
  await storeBefore(page, url, { 'cellar.recents': JSON.stringify(recents) });
  await openPage(page, url);
  const dialog = page.getByRole('dialog', { name: 'Go to' });
  const go = async (query: string, name: RegExp) => {
    await page.keyboard.press('Control+P');
    await expect(dialog).toBeVisible();
    await page.keyboard.insertText(query);
    await dialog.getByRole('option', { name }).first().click();
    await expect(dialog).toHaveCount(0);
  };
  await page.keyboard.press('Control+P');
  await expect(dialog).toBeVisible();
  await page.keyboard.insertText('rain');
  await expect(dialog.getByRole('option')).toHaveCount(7);
  await page.keyboard.press('Escape');
  await go('total', /^total/);
  await expect(page.locator('.cell.focus')).toHaveAttribute('data-cell-id', 'b');
  await go('rain', /line 3/);
  await expect(page.locator('[data-cell-id=a] [data-line="3"]')).toBeVisible();
  await go('june', /Rain in June/);
  await expect(page.locator('.cell.focus')).toHaveAttribute('data-cell-id', 't');
  await go('csv', /import csv/);
  await expect(page.locator('[data-cell-id=a] [data-line="1"]')).toBeVisible();
  await go('2024', /Rain of 2024/);
  await expect
    .poll(() => fake.requests.filter((call) => call.name === 'openNotebook').map((call) => call.body))
    .toEqual([{ path: '/home/me/rain-2024' }]);
});

test('[ED-3] the shortcuts page lists the registry and can be searched', async ({ page, serve }) => {
  const { url } = await serve(notebook());
  await openPage(page, url);
  await page.keyboard.press('h');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(dialog).toBeVisible();
  await expect(dialog).toContainText('Delete cell');
  await dialog.getByRole('searchbox').fill('merge');
  await expect(dialog.locator('.shortcut-row')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.keyboard.press('?');
  await expect(dialog).toBeVisible();
});

test('[ED-3] quick open finds cells that arrive while it is open, and those that load after it opened', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  await page.keyboard.press('Control+P');
  const dialog = page.getByRole('dialog', { name: 'Go to' });
  await expect(dialog).toBeVisible();
  const late = fakeCell({ id: 'late', source: 'latecomer = 1', defines: ['latecomer'] });
  fake.body = { ...fake.body, cells: [...fake.body.cells, late] };
  fake.broadcastState();
  await page.keyboard.insertText('latecomer');
  await expect(dialog.getByRole('option').first()).toHaveText('latecomerlatecomer = 1');
  await page.keyboard.press('Enter');
  await expect(page.locator('.cell.focus')).toHaveAttribute('data-cell-id', 'late');
});
