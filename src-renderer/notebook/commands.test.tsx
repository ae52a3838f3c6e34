/**
 * Commands on cells in the whole window, against a fake server: copy and paste, conversion, merging,
 * renaming, run shortcuts and menus.
 */

import type { FakeServer } from '../../e2e/support/fakeServer.ts';
import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import { expect, openPage, test } from '../testing/fixture.ts';
import type { Page } from '../testing/page.tsx';

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

test('[ED-9] a cell is converted to text and back to code, and keeps its content', async ({
  page,
  serve,
}) => {
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

test('[ED-1] does not merge a cell whose draft is unsettled: the merged text could be discarded with it', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  fake.refuseUpgrades = true;
  fake.dropSockets();
  await page.locator('[data-cell-id=a] .code').click();
  await expect(page.locator('[data-editor]')).toBeVisible();
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
  await expect
    .poll(() => fake.body.cells.map(({ source }) => source).slice(0, 2))
    .toEqual(['theirs', 'b = 1\nb + 1']);
});

test('[ED-4] clicking another cell ends renaming and moves the keyboard focus there', async ({
  page,
  serve,
}) => {
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

test('keyboard focus stays on the notebook name after renaming', async ({ page, serve }) => {
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

/** The ids of cells that are run from now on, in order; each run succeeds immediately. */
function runsOf(fake: FakeServer): string[] {
  const ran: string[] = [];
  const finish = (id: string): void => {
    ran.push(id);
    fake.status(id, 'running');
    fake.output(id);
    fake.status(id, 'ready');
  };
  fake.script = {
    cell_execute: ({ cell_id }) => finish(cell_id),
    run_queue_add: ({ cell_ids }) => cell_ids.forEach(finish),
    notebook_run_all: () => void ran.push('all'),
  };
  return ran;
}

test('run shortcuts: in place, then select the next cell, then insert a cell, all cells, all stale cells', async ({
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

test('[ED-3] after a click on a button the run shortcuts still work; Enter presses the button', async ({
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
