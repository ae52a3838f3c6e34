/**
 * Editing cells in the whole window, against a fake server: automatic saving, the keyboard, locked cells, and
 * text that cannot be saved.
 */

import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import { expect, openPage, test } from '../testing/fixture.ts';

const notebook = () =>
  fakeBody({
    name: 'Edit',
    cells: ['a', 'b', 'c'].map((id) =>
      fakeCell({ id, defines: [id], source: `${id} = 1\n${id} + 1`, status: 'ready' }),
    ),
  });

test('[WI-5] typing is saved automatically, and a run sends the edit first', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  fake.script = { cell_execute: ({ cell_id }) => fake.status(cell_id, 'running') };
  await openPage(page, url);
  await page.locator('[data-cell-id=a] .code').click();
  await expect(page.locator('[data-editor]')).toHaveCount(1);
  await page.keyboard.press('Control+End');
  await page.keyboard.type('23');
  await expect.poll(() => fake.cell('a').source).toBe('a = 1\na + 123');
  await expect(page.locator('[data-saved=true]')).toBeVisible();
  fake.received.length = 0;
  await page.keyboard.type('4');
  await page.keyboard.press('Control+Enter');
  await expect(page.locator('[data-cell-id=a]')).toHaveAttribute('data-status', 'running');
  await expect
    .poll(() => fake.received.map((frame) => frame.type))
    .toEqual(['cell_source_update', 'cell_execute']);
  await expect.poll(() => fake.cell('a').source).toBe('a = 1\na + 1234');
  await expect(page.locator('[data-editor]')).toHaveCount(0);
});

test('a notebook can be used with the keyboard alone', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  await expect(page.locator('[data-cell-id=a]')).toBeVisible();
  const focused = page.locator('.cell.focus');
  await page.keyboard.press('j');
  await expect(focused).toHaveAttribute('data-cell-id', 'a');
  await page.keyboard.press('ArrowDown');
  await expect(focused).toHaveAttribute('data-cell-id', 'b');
  await expect(page.locator('[data-cell-id=b]')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-cell-id=b] [data-editor]')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-editor]')).toHaveCount(0);
  await expect(page.locator('[data-cell-id=b]')).toBeFocused();
  await page.keyboard.press('b');
  await expect(focused).toHaveAttribute('data-cell-id', 'new3');
  await expect.poll(() => fake.body.cells.map((cell) => cell.id)).toEqual(['a', 'b', 'new3', 'c']);
  await expect(page.locator('[data-cell-id=new3] [data-editor]')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(() => fake.body.cells.map((cell) => cell.id)).toEqual(['a', 'new3', 'b', 'c']);
  const shown = () =>
    page.locator('[data-cell-id]').evaluateAll((all) => all.map((one) => one.getAttribute('data-cell-id')));
  await expect.poll(shown).toEqual(['a', 'new3', 'b', 'c']);
  await page.keyboard.press('d');
  await page.keyboard.press('d');
  await expect(page.locator('[data-cell-id]')).toHaveCount(3);
  await expect(focused).toHaveAttribute('data-cell-id', 'b');
  await expect(page.locator('[data-cell-id=b]')).toBeFocused();
  await page.keyboard.press('k');
  await expect(focused).toHaveAttribute('data-cell-id', 'a');
  await page.keyboard.press('Shift+Enter');
  await expect(focused).toHaveAttribute('data-cell-id', 'b');
  await expect.poll(() => fake.received.filter((frame) => frame.type === 'cell_execute')).toHaveLength(1);
});

test('an edit in another window is shown here', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  await expect(page.locator('[data-cell-id=a]')).toContainText('a = 1');
  fake.setCell('a', { source: 'a = 99' });
  fake.broadcastState();
  await expect(page.locator('[data-cell-id=a]')).toContainText('a = 99');
});

test('[WI-6] a locked cell keeps the typed text and offers a choice', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  const edits: unknown[] = [];
  fake.script = {
    cell_source_update: (payload, socket) => {
      edits.push(payload);
      const error = 'This cell was changed elsewhere a moment ago';
      if (!payload.force)
        fake.send('error', { error, code: 'cell_locked', cell_id: 'a', held_by: 'other window' }, socket);
    },
  };
  await openPage(page, url);
  await page.locator('[data-cell-id=a] .code').click();
  await expect(page.locator('[data-editor]')).toBeVisible();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('mine');
  const cell = page.locator('[data-cell-id=a]');
  await expect(cell).toContainText('This cell was changed elsewhere a moment ago');
  await cell.getByRole('button', { name: 'Keep mine' }).click();
  await expect.poll(() => edits.at(-1)).toEqual({ cell_id: 'a', source: 'mine', force: true });
});

test('[WI-81] a text the disk refuses stays, with the reason, until it is written', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(notebook());
  const reason = 'The text of this cell could not be saved: no space left on device. Free some space.';
  fake.script = {
    cell_source_update: ({ cell_id, source }) => {
      fake.setCell(cell_id, { source, file_problem: reason, unsaved: true });
      fake.broadcastState();
    },
  };
  await openPage(page, url);
  await page.locator('[data-cell-id=a] .code').click();
  await expect(page.locator('[data-editor]')).toBeVisible();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('mine = 2');
  const cell = page.locator('[data-cell-id=a]');
  await expect(cell).toContainText(reason);
  await expect(page.locator('[data-saved=false]')).toBeVisible();
  // Another window shows the same: the text is in the session.
  await page.reload();
  await expect(cell).toContainText('mine = 2');
  await expect(cell).toContainText(reason);
  await expect(page.locator('[data-saved=false]')).toBeVisible();
  const { file_problem: _reason, unsaved: _unsaved, ...written } = fake.cell('a');
  fake.body = { ...fake.body, cells: fake.body.cells.map((one) => (one.id === 'a' ? written : one)) };
  fake.broadcastState();
  await expect(cell).not.toContainText(reason);
  await expect(page.locator('[data-saved=true]')).toBeVisible();
});

test('renaming the notebook', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  await page.getByRole('button', { name: 'Rename notebook: Edit' }).click();
  await page.keyboard.type('Rides of 2025');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Rename notebook: Rides of 2025' })).toBeVisible();
  await expect.poll(() => fake.body.name).toBe('Rides of 2025');
  await expect.poll(() => document.title).toMatch(/Rides of 2025/);
});

test('[WI-72] a notebook of one empty cell opens in edit mode; otherwise Enter edits the first cell', async ({
  page,
  serve,
}) => {
  const empty = await serve(fakeBody({ name: 'New', cells: [fakeCell({ id: 'only' })] }));
  await openPage(page, empty.url);
  await expect(page.locator('[data-cell-id=only] [data-editor]')).toBeVisible();
  await page.keyboard.type('x = 1');
  await expect.poll(() => empty.fake.cell('only').source).toBe('x = 1');
  const { url } = await serve(notebook());
  await openPage(page, url);
  await expect(page.locator('[data-cell-id=a]')).toBeVisible();
  await expect(page.locator('[data-editor]')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-cell-id=a] [data-editor]')).toBeVisible();
});

test('[WI-275] !pip install offers to install the package and removes the line', async ({ page, serve }) => {
  const source = '!pip install pandas\nx = 1';
  const fault = {
    severity: 'warn' as const,
    code: 'magic_line',
    line: 1,
    subject: '!pip',
    message: '`!pip` is a Jupyter command, not Python.',
  };
  const cells = [fakeCell({ id: 'a', source, annotation_diagnostics: [fault] })];
  const { fake, url } = await serve(fakeBody({ name: 'Pip', cells }));
  await openPage(page, url);
  await page.getByRole('button', { name: 'Add pandas', exact: true }).click();
  await expect.poll(() => fake.cell('a').source).toBe('x = 1');
  await expect(page.getByRole('dialog')).toContainText('pandas');
});
