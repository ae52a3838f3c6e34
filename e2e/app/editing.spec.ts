/**
 * The editor of a cell in a browser: its height, the caret's visibility, conflicts between two texts, pasted prompts
 * and bracket colours. Against a fake server.
 */

import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell } from '../support/fakeServerNotebook.ts';
import { longUnless } from '../support/longOnly.ts';

const notebook = () =>
  fakeBody({
    name: 'Edit',
    cells: ['a', 'b', 'c'].map((id) =>
      fakeCell({ id, defines: [id], source: `${id} = 1\n${id} + 1`, status: 'ready' }),
    ),
  });

test('the editor’s box grows and shrinks with the text, and contains the scroll bar of a long line', async ({
  page,
  serve,
}) => {
  const { url } = await serve(notebook());
  await openPage(page, url);
  await page.locator('[data-cell-id=a] .code').click();
  const place = page.locator('[data-editor=live]');
  await expect(place).toHaveCount(1);
  const height = (): Promise<number> => place.evaluate((node) => node.getBoundingClientRect().height);
  /** The distance in px from the lower edge of a part of the editor to the lower edge of the editor's box. */
  const above = (part: string): Promise<number> =>
    place.evaluate((node, selector) => {
      const inner = node.querySelector(selector);
      if (inner === null) throw new Error(`no ${selector}`);
      return Math.round(node.getBoundingClientRect().bottom - inner.getBoundingClientRect().bottom);
    }, part);
  await page.keyboard.press('Control+End');
  const before = await height();
  for (let line = 1; line <= 30; line += 1) {
    await page.keyboard.press('Enter');
    await expect.poll(height).toBe(before + 20 * line);
  }
  await expect.poll(() => above('.cursor')).toBe(10);

  await page.keyboard.insertText(`x = ${'1 + '.repeat(80)}1`);
  await expect.poll(height).toBe(before + 600 + 8);
  await expect.poll(() => above('.scrollbar.horizontal')).toBe(0);
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await expect.poll(height).toBe(36);
});

test('[ED-95] a cell whose text ends with a line break keeps its height when its editor opens', async ({
  page,
  serve,
}) => {
  const cells = ['a', 'b'].map((id) => fakeCell({ id, source: `${id} = 1\n${id}\n`, status: 'ready' }));
  const { fake, url } = await serve(fakeBody({ name: 'Edit', cells }));
  await openPage(page, url);
  const cell = page.locator('[data-cell-id=a]');
  const height = (): Promise<number> => cell.evaluate((node) => node.getBoundingClientRect().height);
  await expect(cell.locator('.code-text span').first()).toBeVisible();
  const before = await height();
  await cell.locator('.code').click();
  await expect(cell.locator('[data-editor=live]')).toHaveCount(1);
  await page.keyboard.press('Control+End');
  await expect(cell.locator('.view-line')).toHaveCount(2);
  expect(await height()).toBe(before);
  await page.keyboard.type('2');
  await expect.poll(() => fake.body.cells[0]?.source).toBe('a = 1\na2\n');
});

test('[ED-67] the caret stays visible when keys move it, also in a text taller than the editor', async ({
  page,
  serve,
}) => {
  const { url } = await serve(notebook());
  await openPage(page, url);
  await page.locator('[data-cell-id=a] .code').click();
  await expect(page.locator('[data-editor=live]')).toHaveCount(1);
  /** Whether all of the caret's line is inside the scroll box. */
  const isInSight = (): Promise<boolean> =>
    page.evaluate(() => {
      const [caret, box] = ['.live-editor .cursor', '[data-scroll-root]'].map((one) =>
        document.querySelector(one)?.getBoundingClientRect(),
      );
      if (caret === undefined || box === undefined) return false;
      return caret.height > 0 && caret.top >= box.top && caret.bottom <= box.bottom;
    });
  await page.keyboard.press('Control+End');
  for (let line = 0; line < 60; line += 1) {
    await page.keyboard.press('Enter');
    await page.keyboard.type(`x${line}`);
  }
  await expect.poll(isInSight).toBe(true);
  await page.keyboard.press('Control+Home');
  await expect.poll(isInSight).toBe(true);
  await page.mouse.wheel(0, 3_000);
  await expect.poll(isInSight).toBe(false);
  await page.keyboard.type('y');
  await expect.poll(isInSight).toBe(true);
  await page.keyboard.press('Control+End');
  await expect.poll(isInSight).toBe(true);

  await page.keyboard.insertText(Array.from({ length: 700 }, (_none, at) => `z${at} = ${at}`).join('\n'));
  await expect.poll(isInSight).toBe(true);
  await page.keyboard.press('Control+Home');
  await expect.poll(isInSight).toBe(true);
  await page.keyboard.press('Control+End');
  await expect.poll(isInSight).toBe(true);
  await page.keyboard.press('Control+Z');
  await expect.poll(isInSight).toBe(true);
  // A short text that becomes a long one in one step.
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText('short');
  await expect.poll(isInSight).toBe(true);
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(Array.from({ length: 700 }, (_none, at) => `z${at} = ${at}`).join('\n'));
  await expect.poll(isInSight).toBe(true);
});

for (const { choice, text } of [
  { choice: 'Keep mine', text: 'mine' },
  { choice: 'Take theirs', text: 'theirs' },
]) {
  test(
    `[ED-73] after choosing between two texts the caret stays in place: ${choice}`,
    longUnless(choice === 'Take theirs', 'e2e/app/editing.spec.ts'),
    async ({ page, serve }) => {
      const { fake, url } = await serve(notebook());
      fake.script = {
        cell_source_update: (payload, socket) => {
          if (payload.force) return fake.setCell('a', { source: payload.source });
          fake.setCell('a', { source: 'theirs' });
          fake.broadcastState();
          fake.send(
            'error',
            { error: 'Locked', code: 'cell_locked', cell_id: 'a', held_by: 'other' },
            socket,
          );
        },
      };
      await openPage(page, url);
      const cell = page.locator('[data-cell-id=a]');
      await cell.locator('.code').click();
      await expect(page.locator('[data-editor=live]')).toBeVisible();
      await page.keyboard.press('Control+A');
      await page.keyboard.type('mine');
      await cell.getByRole('button', { name: choice }).click();
      await expect(cell.getByRole('button', { name: choice })).toHaveCount(0);
      await page.keyboard.press('Control+End');
      await page.keyboard.type('2');
      await expect(cell.locator('.view-lines')).toHaveText(`${text}2`);

      await page.keyboard.press('Escape');
      await cell.getByRole('button', { name: 'Take theirs' }).press('Enter');
      await expect(cell.getByRole('button', { name: 'Take theirs' })).toHaveCount(0);
      await expect(cell).toBeFocused();
    },
  );
}

test('[WI-276] text pasted from a console loses its prompts; undo restores it as pasted', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(
    fakeBody({
      name: 'Paste',
      cells: [fakeCell({ id: 'a', source: '' }), fakeCell({ id: 'b', source: 'y' })],
    }),
  );
  await openPage(page, url);
  await page.locator('[data-cell-id=a]').press('Enter');
  await expect(page.locator('[data-cell-id=a] [data-editor=live]')).toBeVisible();
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', '>>> x = 1\n... \n>>> x\n1');
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  });
  await expect.poll(() => fake.cell('a').source).toBe('x = 1\n\nx');
  await page.keyboard.press('Control+z');
  await expect.poll(() => fake.cell('a').source).toContain('>>> x = 1');
});

test('[WI-370] brackets in a cell that is being edited have the colour of the text around them', async ({
  page,
  serve,
}) => {
  const { url } = await serve(notebook());
  await openPage(page, url);
  for (const id of ['a', 'b']) {
    await page.locator(`[data-cell-id=${id}] .code`).click();
    await expect(page.locator(`[data-cell-id=${id}] [data-editor=live]`)).toBeVisible();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\nz = f(g[1])');
    await expect(page.locator(`[data-cell-id=${id}] .view-lines`)).toContainText('f(g[1])');
    await expect(page.locator('[class*=bracket-highlighting]')).toHaveCount(0);
    await page.keyboard.press('Escape');
  }
});
