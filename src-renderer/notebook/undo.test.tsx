/**
 * Undo and redo in the whole window, against a fake server: cells, order, text and names, and changes of
 * other windows in between.
 */

import { type FakeServer, refusal } from '../../e2e/support/fakeServer.ts';
import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import { expect, openPage, test } from '../testing/fixture.ts';
import type { Page } from '../testing/page.tsx';

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

const shown = (page: Page) => () =>
  page.locator('[data-cell-id]').evaluateAll((all) => all.map((one) => one.getAttribute('data-cell-id')));

test('[ED-2] a cell is deleted without confirmation and restored unchanged', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  const before = structuredClone(fake.cell('b'));
  await page.locator('[data-cell-id=b] .cell-name').click();
  await page.keyboard.press('d');
  await page.keyboard.press('d');
  await expect.poll(shown(page)).toEqual(['a', 'c']);
  await expect(page.getByText('Cell deleted').first()).toBeVisible();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(shown(page)).toEqual(['a', 'b', 'c']);
  await expect(page.locator('[data-cell-id=b]')).toContainText('result of b');
  await expect.poll(() => fake.cell('b')).toEqual(before);
  // By keyboard: the message disappears too, because its Undo would now undo something else.
  await page.locator('[data-cell-id=b] .cell-name').click();
  await page.keyboard.press('d');
  await page.keyboard.press('d');
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeVisible();
  await page.keyboard.press('z');
  await expect.poll(shown(page)).toEqual(['a', 'b', 'c']);
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toHaveCount(0);
});

test('[ED-2] text typed just before the deletion is restored too', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  await page.locator('[data-cell-id=b] .code').click();
  await expect(page.locator('[data-editor]')).toBeVisible();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('23');
  await page.keyboard.press('Escape');
  await page.keyboard.press('d');
  await page.keyboard.press('d');
  await expect.poll(shown(page)).toEqual(['a', 'c']);
  await page.keyboard.press('Control+Z');
  await expect.poll(shown(page)).toEqual(['a', 'b', 'c']);
  await expect.poll(() => fake.cell('b').source).toBe('b = 123');
});

test('[ED-66] repeated delete keys move on to the next cell, however long the server takes', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  const deletes = Promise.withResolvers<void>();
  fake.gates = { deleteCell: deletes.promise };
  await page.locator('[data-cell-id=a] .cell-name').click();
  await page.keyboard.press('d');
  await page.keyboard.press('d');
  await page.keyboard.press('d');
  await page.keyboard.press('d');
  await expect.poll(shown(page)).toEqual(['c']);
  await expect(page.locator('[data-cell-id=c]')).toBeFocused();
  deletes.resolve();
  await expect.poll(() => fake.body.cells.map(({ id }) => id)).toEqual(['c']);
  await page.keyboard.press('Control+Z');
  await expect.poll(shown(page)).toEqual(['b', 'c']);
  await page.keyboard.press('Control+Z');
  await expect.poll(shown(page)).toEqual(['a', 'b', 'c']);
});

test('[ED-66] actions after a delete apply to the remaining cells', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  const deletes = Promise.withResolvers<void>();
  fake.gates = { deleteCell: deletes.promise };
  await page.locator('[data-cell-id=b] .cell-name').click();
  for (const key of ['d', 'd']) await page.keyboard.press(key);
  await expect(page.locator('[data-cell-id=b]')).toHaveCount(0);
  // Up and down skip it, a selection over it excludes it, and a move counts only the other cells.
  for (const key of ['k', 'j', 'Shift+K', 'Escape', 'Alt+ArrowDown']) await page.keyboard.press(key);
  deletes.resolve();
  await expect.poll(() => fake.body.cells.map(({ id }) => id)).toEqual(['c', 'a']);
  const others = Promise.withResolvers<void>();
  fake.gates = { deleteCell: others.promise };
  await page.keyboard.press('j');
  for (const key of ['d', 'd']) await page.keyboard.press(key);
  for (const key of ['d', 'd', 'b']) await page.keyboard.press(key);
  others.resolve();
  await expect(page.locator('[data-cell-id] [data-editor]')).toBeVisible();
  await expect.poll(async () => (await shown(page)()).join(' ')).toMatch(/^new\d$/);
  const deleted = fake.requests.filter(({ name }) => name === 'deleteCell');
  expect(deleted.map(({ params }) => params['cell_id'])).toEqual(['b', 'a', 'c']);
  await expect(page.locator('.banners [role=alert]')).toHaveCount(0);
});

test('[ED-66] a cell that the server refuses to delete gets the focus back', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  fake.answers = { ...fake.answers, deleteCell: refusal(409, 'Not this one.') };
  await page.locator('[data-cell-id=a] .cell-name').click();
  await page.keyboard.press('d');
  await page.keyboard.press('d');
  await expect(page.getByText('Not this one.').first()).toBeVisible();
  await expect(page.locator('[data-cell-id=a]')).toBeFocused();
  await expect.poll(shown(page)).toEqual(['a', 'b', 'c']);
});

test('[ED-1] one stack for cells, order, text and names, undo and redo', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  const state = () => ({
    name: fake.body.name,
    cells: fake.body.cells.map((cell) => `${cell.id}: ${cell.source}`),
  });
  const start = state();
  await page.keyboard.press('j');
  await page.keyboard.press('Alt+ArrowDown');
  await expect.poll(shown(page)).toEqual(['b', 'a', 'c']);
  await page.keyboard.press('b');
  await expect(page.locator('[data-cell-id=new3] [data-editor]')).toBeVisible();
  // In one call: keys far apart in time would be separate undo steps.
  await page.keyboard.insertText('x = 5');
  await expect.poll(() => fake.cell('new3').source).toBe('x = 5');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Rename notebook: Undo' }).click();
  await page.keyboard.type('Other');
  await page.keyboard.press('Enter');
  await expect.poll(() => fake.body.name).toBe('Other');
  await page.locator('[data-cell-id=c] .cell-name').click();
  await page.keyboard.press('d');
  await page.keyboard.press('d');
  await expect.poll(shown(page)).toEqual(['b', 'a', 'new3']);
  // The page shows the undo before the server has performed it.
  await expect.poll(() => fake.body.cells.map(({ id }) => id)).toEqual(['b', 'a', 'new3']);
  const end = state();
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('z');
  await expect.poll(state).toEqual(start);
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('Shift+Z');
  await expect.poll(state).toEqual(end);
});

test('[ED-1] an undo does not revert a later change of another window, and shows a message', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  await page.locator('[data-cell-id=a] .code').click();
  await expect(page.locator('[data-editor]')).toBeVisible();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('2');
  await expect.poll(() => fake.cell('a').source).toBe('a = 12');
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-saved=true]')).toBeVisible();
  fake.setCell('a', { source: 'a = theirs' });
  fake.broadcastState();
  await expect(page.locator('[data-cell-id=a] .code')).toContainText('theirs');
  await page.keyboard.press('z');
  await expect(page.getByText('Undo skipped typing').first()).toBeVisible();
  await expect.poll(() => fake.cell('a').source).toBe('a = theirs');
});

test('[HI-21] a stored action is not undone over an external change, and a message says so', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(notebook());
  const change = { kind: 'source', cellId: 'b', before: 'b = 1', after: 'b = 3' } as const;
  const done = [{ id: 'e1', deed: 'edit', changes: [change] }];
  fake.answers.notebookUndo = { done, undone: [], forgotten: 0, problem: null };
  fake.setCell('b', { source: 'b = 4  # by hand' });
  await openPage(page, url);
  await page.locator('[data-cell-id=b] .cell-name').click();
  await page.keyboard.press('Control+z');
  await expect(page.locator('.toasts')).toContainText(
    'Undo skipped typing: the cell was changed elsewhere in the meantime.',
  );
  expect(fake.cell('b').source).toBe('b = 4  # by hand');
  expect(fake.received.some(({ type }) => type === 'cell_source_update')).toBe(false);
});

test('[ED-7] typed text is sent without another action', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  await page.locator('[data-cell-id=a] .code').click();
  await expect(page.locator('[data-editor]')).toBeVisible();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('7');
  await expect.poll(() => fake.cell('a').source).toBe('a = 17');
  await expect(page.locator('[data-editor]')).toBeVisible();
});

test('[ED-1] switching controls to live is one undo step', async ({ page, serve }) => {
  const source = 'alpha = slider(0, 1)';
  const params = { min: 0, max: 1, step: 0.1 };
  const descriptors = [{ name: 'alpha', kind: 'slider' as const, params, default: 0 }];
  const cell = fakeCell({ id: 'w', language: 'widget', source, widget: { descriptors, values: {} } });
  const { fake, url } = await serve(fakeBody({ name: 'Live', cells: [cell] }));
  await openPage(page, url);
  await page.getByRole('switch', { name: 'Live' }).click();
  await expect.poll(() => fake.cell('w').source).toContain('# @live');
  await page.locator('[data-cell-id=w] .cell-name').click();
  await page.keyboard.press('z');
  await expect.poll(() => fake.cell('w').source).toBe(source);
  await page.keyboard.press('Shift+Z');
  await expect.poll(() => fake.cell('w').source).toContain('# @live');
});

/** The history answers of a server for a deleted SQL cell `gone`. */
function deletedQuery(): Pick<FakeServer['answers'], 'notebookHistory' | 'cellHistory' | 'cellVersion'> {
  const at = '2026-01-01T00:00:00.000Z';
  const version = { version: '1', at, why: 'deleted' as const, author: null, lines: 1, current: false };
  return {
    notebookHistory: { cells: [{ cell_id: 'gone', title: 'select 1', at, present: false }] },
    cellHistory: { cell_id: 'gone', language: 'sql', now: null, versions: [version], problem: null },
    cellVersion: { cell_id: 'gone', version: '1', at, source: 'select 1' },
  };
}

/** Opens the history of the deleted cell, and adds its text as a new cell. */
async function addDeletedText(page: Page): Promise<void> {
  await page.locator('[data-cell-id=a] .cell-name').click();
  await page.keyboard.press('Shift+H');
  await page.getByRole('combobox', { name: 'Cell' }).click();
  await page.getByRole('option', { name: /select 1/ }).click();
  await page.getByRole('button', { name: 'Add as new cell' }).click();
}

test('[HI-10] no “restored” message for a deleted text that could not be put into a new cell', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(notebook());
  const addCell = refusal(409, 'The notebook is held by another program.');
  fake.answers = { ...fake.answers, ...deletedQuery(), addCell };
  await openPage(page, url);
  await addDeletedText(page);
  await expect(page.getByText('The notebook is held by another program.').first()).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // Read once, without waiting: a toast disappears on its own.
  expect(await page.getByText('Version restored').count()).toBe(0);
});

test('[HI-43] the text of a deleted cell becomes a new cell in the language of the deleted one', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(notebook());
  fake.answers = { ...fake.answers, ...deletedQuery() };
  await openPage(page, url);
  await addDeletedText(page);
  await expect.poll(shown(page)).toHaveLength(4);
  const added = (await shown(page)()).find((id) => !['a', 'b', 'c'].includes(id ?? '')) ?? '';
  await expect.poll(() => fake.cell(added)).toMatchObject({ language: 'sql', source: 'select 1' });
});
