/**
 * Tests commands on cells in a browser: clipboard, merge and split, folded output, renaming, the menu of a cell and the
 * desktop's native menu. With a fake server.
 */

import type { Page } from '@playwright/test';
import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell } from '../support/fakeServerNotebook.ts';

const notebook = () =>
  fakeBody({
    name: 'Keys',
    cells: [
      ...['a', 'b', 'c'].map((id) =>
        fakeCell({ id, defines: [id], source: `${id} = 1\n${id} + 1`, status: 'ready' }),
      ),
      fakeCell({ id: 't', language: 'markdown', source: 'words', status: 'ready' }),
    ],
  });

const focused = (page: Page) => page.locator('.cell.focus');
const cellIds = (page: Page) => () =>
  page.locator('[data-cell-id]').evaluateAll((all) => all.map((one) => one.getAttribute('data-cell-id')));

test('[ED-5] cells are copied and pasted with the browser’s own commands, and pasted text from elsewhere becomes cells', async ({
  page,
  serve,
  context,
}) => {
  const { fake, url } = await serve(notebook());
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openPage(page, url);
  await page.keyboard.press('k');
  await expect(focused(page)).toHaveAttribute('data-cell-id', 't');
  await page.keyboard.press('Control+C');
  await expect(page.getByText('Cell copied').first()).toBeVisible();
  await page.keyboard.press('Control+V');
  await expect.poll(() => fake.body.cells.at(-1)?.source).toBe('words');
  await expect.poll(() => fake.body.cells.at(-1)?.language).toBe('markdown');
  await page.evaluate(() => navigator.clipboard.writeText('# %%\nx = 1\n\n# %% [markdown]\n# # Title\n'));
  await page.keyboard.press('v');
  await expect.poll(() => fake.body.cells.map((cell) => cell.source).slice(-2)).toEqual(['x = 1', '# Title']);
});

test('[ED-1] cells are merged and split, each in one step', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+M');
  await expect.poll(cellIds(page)).toEqual(['a', 'c', 't']);
  await expect.poll(() => fake.cell('a').source).toBe('a = 1\na + 1\nb = 1\nb + 1');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-editor=live]')).toBeVisible();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Control+Shift+Minus');
  await expect.poll(() => fake.cell('a').source).toBe('a = 1\na + 1');
  await expect.poll(() => fake.body.cells[1]?.source).toBe('b = 1\nb + 1');
  // The caret moves to the new cell; before that, Escape would leave the old one.
  await expect(page.locator('[data-cell-id^=new] [data-editor=live]')).toBeVisible();
  await expect(page.locator('[data-cell-id^=new] [data-editor=live] :focus')).toBeAttached();
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-editor=live]')).toHaveCount(0);
  await page.keyboard.press('z');
  await expect.poll(cellIds(page)).toEqual(['a', 'c', 't']);
  await page.keyboard.press('z');
  await expect.poll(cellIds(page)).toEqual(['a', 'b', 'c', 't']);
  await expect.poll(() => fake.cell('a').source).toBe('a = 1\na + 1');
});

test('output is folded, the page scrolls, and a cell is renamed in place', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  fake.setCell('a', { console_stdout: 'hello from a\n' });
  await openPage(page, url);
  const cell = page.locator('[data-cell-id=a]');
  await expect(cell).toContainText('hello from a');
  await page.keyboard.press('j');
  await page.keyboard.press('o');
  await expect(cell).not.toContainText('hello from a');
  await cell.getByRole('button', { name: 'Show output' }).click();
  await expect(cell).toContainText('hello from a');
  await page.keyboard.press('F2');
  await page.keyboard.type('first one');
  await page.keyboard.press('Enter');
  await expect.poll(() => fake.cell('a').source).toBe('# @name first one\na = 1\na + 1');
  await page.keyboard.press('z');
  await expect.poll(() => fake.cell('a').source).toBe('a = 1\na + 1');
  await page.keyboard.press('F2');
  await expect(page.locator('[data-cell-id=a] .cell-rename')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(cell).toBeFocused();
  await page.setViewportSize({ width: 1280, height: 300 });
  const top = () => page.locator('[data-scroll-root]').evaluate((root) => root.scrollTop);
  await cell.focus();
  await page.keyboard.press('Space');
  await expect.poll(top).toBeGreaterThan(50);
  await page.keyboard.press('Shift+Space');
  await expect.poll(top).toBeLessThan(20);
});

test('[ED-3] the menu of a cell is fully visible, with the most common commands first', async ({
  page,
  serve,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const { url } = await serve(notebook());
  await openPage(page, url);
  const card = page.locator('[data-cell-id=c]');
  const menu = page.getByRole('menu');
  const rows = menu.getByRole('menuitem');
  const openers = [
    () => card.locator('.cell-name').click({ button: 'right' }),
    async () => {
      await card.hover();
      await page.getByRole('button', { name: 'More: c' }).click();
    },
  ];
  for (const open of openers) {
    await open();
    await expect(menu).toBeVisible();
    expect((await rows.locator('.menu-label').allInnerTexts()).slice(0, 7)).toEqual([
      'Run cell',
      'More ways to run',
      'Stop cell',
      'Cut cells',
      'Copy cells',
      'Paste cells below',
      'Delete cell',
    ]);
    for (const row of await rows.all()) await expect(row).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Escape');
    await expect(menu).toHaveCount(0);
  }
});

test('[ED-3] the native menu runs commands of the page', async ({ page, serve }) => {
  await page.addInitScript(() => {
    const listeners: ((id: string) => void)[] = [];
    Object.assign(window, {
      sendCommand: (id: string) => {
        for (const listener of listeners) listener(id);
      },
      cellarShell: {
        platform: 'linux',
        remember: () => {},
        setRunState: () => {},
        onOpenPath: () => () => {},
        onCommand: (listener: (id: string) => void) => {
          listeners.push(listener);
          return () => listeners.splice(listeners.indexOf(listener), 1);
        },
      },
    });
  });
  const { url } = await serve(notebook());
  await openPage(page, url);
  await page.evaluate(() =>
    (window as unknown as { sendCommand: (id: string) => void }).sendCommand('view.palette'),
  );
  await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible();
});
