import type { Page } from '@playwright/test';
import type { FakeServer } from '../support/fakeServer.ts';
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
const shown = (page: Page) => () =>
  page.locator('[data-cell-id]').evaluateAll((all) => all.map((one) => one.getAttribute('data-cell-id')));

test('[ED-5] cells are selected, copied, cut and pasted with keys', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  await page.keyboard.press('j');
  await expect(focused(page)).toHaveAttribute('data-cell-id', 'a');
  await page.keyboard.press('Shift+J');
  await expect(page.locator('.cell.selected')).toHaveCount(2);
  await page.keyboard.press('c');
  await expect(page.getByText('2 cells copied').first()).toBeVisible();
  await page.keyboard.press('v');
  await expect.poll(shown(page)).toEqual(['a', 'b', 'new4', 'new5', 'c', 't']);
  await expect.poll(() => fake.cell('new5').source).toBe('b = 1\nb + 1');
  await expect(page.locator('.cell.selected')).toHaveCount(2);
  await page.keyboard.press('x');
  await expect.poll(shown(page)).toEqual(['a', 'b', 'c', 't']);
  await page.keyboard.press('k');
  await page.keyboard.press('k');
  await page.keyboard.press('Shift+V');
  await expect.poll(shown(page)).toEqual(['new6', 'new7', 'a', 'b', 'c', 't']);
  await expect.poll(() => fake.cell('new6').source).toBe('a = 1\na + 1');
});

test('[ED-5] the browser’s own copy and paste carry cells, and foreign text becomes cells', async ({
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

test('[ED-9] a cell becomes text and code again, and keeps what it says', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  await page.keyboard.press('j');
  await page.keyboard.press('m');
  await expect.poll(shown(page)).toEqual(['new4', 'b', 'c', 't']);
  await expect.poll(() => fake.cell('new4').source).toBe('a = 1\na + 1');
  await expect.poll(() => fake.cell('new4').language).toBe('markdown');
  await expect(page.locator('[data-cell-id=new4]')).toBeFocused();
  await page.keyboard.press('z');
  await expect.poll(shown(page)).toEqual(['a', 'b', 'c', 't']);
  await expect(focused(page)).toHaveAttribute('data-cell-id', 'a');
  await page.keyboard.press('2');
  await expect(page.getByRole('heading', { name: 'a = 1', level: 2 })).toBeVisible();
});

test('[ED-1] cells are merged and split, each in one step', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+M');
  await expect.poll(shown(page)).toEqual(['a', 'c', 't']);
  await expect.poll(() => fake.cell('a').source).toBe('a = 1\na + 1\nb = 1\nb + 1');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-editor=live]')).toBeVisible();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Control+Shift+Minus');
  await expect.poll(() => fake.cell('a').source).toBe('a = 1\na + 1');
  await expect.poll(() => fake.body.cells[1]?.source).toBe('b = 1\nb + 1');
  // The cursor goes on in the new cell; until it is there, Escape would leave the old one.
  await expect(page.locator('[data-cell-id^=new] [data-editor=live]')).toBeVisible();
  await expect(page.locator('[data-cell-id^=new] [data-editor=live] :focus')).toBeAttached();
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-editor=live]')).toHaveCount(0);
  await page.keyboard.press('z');
  await expect.poll(shown(page)).toEqual(['a', 'c', 't']);
  await page.keyboard.press('z');
  await expect.poll(shown(page)).toEqual(['a', 'b', 'c', 't']);
  await expect.poll(() => fake.cell('a').source).toBe('a = 1\na + 1');
});

test('[ED-1] a cell whose text waits for a choice is not merged: the text of the others would go with what is not chosen', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  fake.refuseUpgrades = true;
  fake.dropSockets();
  await page.locator('[data-cell-id=a] .code').click();
  await expect(page.locator('[data-editor=live]')).toBeVisible();
  await page.keyboard.type('mine ');
  fake.setCell('a', { source: 'theirs' });
  fake.refuseUpgrades = false;
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(page.locator('[data-cell-id=a]')).toContainText('This cell was changed elsewhere');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+M');
  await expect(page.getByText('First choose which text to keep: yours or theirs.').first()).toBeVisible();
  await page.getByRole('button', { name: 'Take theirs' }).click();
  await expect(page.locator('[data-saved=true]')).toBeVisible();
  expect(fake.body.cells.map(({ source }) => source).slice(0, 2)).toEqual(['theirs', 'b = 1\nb + 1']);
});

test('[ED-4] who names a cell and presses on another one has the keys there', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  await page.locator('[data-cell-id=a] .cell-name').click();
  await page.keyboard.press('F2');
  await page.keyboard.type('first');
  await page.locator('[data-cell-id=c] .cell-name').click();
  await expect.poll(() => fake.cell('a').source).toContain('# @name first');
  await expect(focused(page)).toHaveAttribute('data-cell-id', 'c');
  await page.keyboard.press('d');
  await page.keyboard.press('d');
  await expect.poll(shown(page)).toEqual(['a', 'b', 't']);
});

test('who has named the notebook by keys stands at its name', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  await page.locator('.header-name').press('Enter');
  await page.keyboard.type('Another name');
  await page.keyboard.press('Enter');
  await expect.poll(() => fake.body.name).toBe('Another name');
  await expect(page.locator('.header-name')).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(page.locator('.header-name')).toBeFocused();
});

/** What is run from now on, and made at once. */
function runsOf(fake: FakeServer): string[] {
  const ran: string[] = [];
  const make = (id: string): void => {
    ran.push(id);
    fake.status(id, 'running');
    fake.output(id);
    fake.status(id, 'ready');
  };
  fake.script = {
    cell_execute: ({ cell_id }) => make(cell_id),
    run_queue_add: ({ cell_ids }) => cell_ids.forEach(make),
    notebook_run_all: () => void ran.push('all'),
  };
  return ran;
}

test('running by keys: in place, onwards, with a new cell, everything stale, everything above', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(notebook());
  const ran = runsOf(fake);
  await openPage(page, url);
  await page.keyboard.press('j');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => ran).toEqual(['a']);
  await page.keyboard.press('Shift+Enter');
  await expect(focused(page)).toHaveAttribute('data-cell-id', 'b');
  await page.keyboard.press('Alt+Enter');
  await expect(focused(page)).toHaveAttribute('data-cell-id', 'new4');
  await expect.poll(() => ran).toEqual(['a', 'a', 'b']);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Shift+Enter');
  await expect.poll(() => ran.at(-1)).toBe('all');
  ran.length = 0;
  fake.status('b', 'stale');
  fake.status('c', 'stale');
  await expect(page.locator('[data-cell-id=c]')).toHaveAttribute('data-status', 'stale');
  await page.keyboard.press('Control+Alt+Enter');
  await expect.poll(() => ran.filter((id) => id !== 'new4')).toEqual(['b', 'c']);
});

test('[ED-3] after a click on a button the keys that run still run; Enter alone is the button’s', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(notebook());
  const ran = runsOf(fake);
  await openPage(page, url);
  const run = page.getByRole('button', { name: 'Run cell: a' });
  await run.click();
  await expect.poll(() => ran).toEqual(['a']);
  // While the cell runs Enter on its button stops it.
  await expect(run).toBeFocused();
  await page.keyboard.press('Enter');
  await expect.poll(() => ran).toEqual(['a', 'a']);
  await expect(run).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => ran).toEqual(['a', 'a', 'a']);
  await page.keyboard.press('Control+Shift+Enter');
  await expect.poll(() => ran).toEqual(['a', 'a', 'a', 'all']);
  await page.keyboard.press('Shift+Enter');
  await expect(focused(page)).toHaveAttribute('data-cell-id', 'b');
  await expect.poll(() => ran).toEqual(['a', 'a', 'a', 'all', 'a']);
});

test('output is folded, the page scrolls, and a cell is named in its place', async ({ page, serve }) => {
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

test('[ED-3] the menus of a cell and of the notebook run commands', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  await page.locator('[data-cell-id=b] .cell-name').click({ button: 'right' });
  await expect(page.getByRole('menu', { name: 'Cell menu' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Move cell up' }).click();
  await expect.poll(shown(page)).toEqual(['b', 'a', 'c', 't']);
  await page.locator('[data-cell-id=c]').hover();
  await page.getByRole('button', { name: 'More: c' }).click();
  await page.getByRole('menuitem', { name: 'Delete cell' }).click();
  await expect.poll(shown(page)).toEqual(['b', 'a', 't']);
  await page.getByRole('button', { name: 'Notebook menu' }).click();
  await page.getByRole('menuitem', { name: /^Undo/ }).click();
  await expect.poll(shown(page)).toEqual(['b', 'a', 'c', 't']);
  await expect.poll(() => fake.cell('c').source).toBe('c = 1\nc + 1');
});

test('[ED-3] the menu of a cell is seen from its first row to its last, what is done most at its top', async ({
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

test('[ED-3] the system’s menu runs commands of the page', async ({ page, serve }) => {
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
