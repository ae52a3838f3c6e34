/**
 * Tests typing in a cell before its editor has loaded: text, caret and focus continue in the editor. In a browser whose
 * request for the editor is delayed, with a fake server.
 */

import type { Page } from '@playwright/test';
import type { NotebookBody } from '../../src-shared/wire/notebookState.ts';
import type { FakeServer } from '../support/fakeServer.ts';
import { expect, openPage, storeBefore, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell } from '../support/fakeServerNotebook.ts';
import { longUnless } from '../support/longOnly.ts';

const SOURCE = 'first = 1\nsecond = 2';
const notebook = () =>
  fakeBody({ name: 'Early', cells: [fakeCell({ id: 'a', source: SOURCE, status: 'ready' })] });

type Serve = (body: NotebookBody) => Promise<{ fake: FakeServer; url: string }>;

/** Opens the notebook's page; returns the fake server and the one cell. */
async function openNotebook(page: Page, serve: Serve) {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  return { fake, cell: page.locator('[data-cell-id=a]') };
}

/** Delays the editor's chunk until the returned function is called. */
async function holdEditor(page: Page): Promise<() => void> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/monacoSetup/, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** How edit mode starts, the keys pressed before the editor has loaded, and the text after one more key, X. */
const ROWS: readonly {
  readonly name: string;
  readonly click: boolean;
  readonly isLong?: true;
  readonly before: readonly string[];
  readonly is: string;
}[] = [
  { name: 'a first letter', click: false, before: ['i'], is: `iX${SOURCE}` },
  {
    name: 'a caret moved to the end',
    click: false,
    before: ['Control+End', 'i'],
    isLong: true,
    is: `${SOURCE}iX`,
  },
  {
    name: 'a caret on another line',
    click: false,
    before: ['ArrowDown', 'End'],
    isLong: true,
    is: `${SOURCE}X`,
  },
  { name: 'selected text', click: false, before: ['Control+A'], isLong: true, is: 'X' },
  { name: 'a click', click: true, before: ['i'], is: `iX${SOURCE}` },
];
for (const { name, click, before, is, isLong } of ROWS) {
  test(
    `[ED-41] typing continues in the editor after ${name} before it has loaded`,
    longUnless(isLong !== true, 'e2e/app/earlyTyping.spec.ts'),
    async ({ page, serve }) => {
      const release = await holdEditor(page);
      const { fake, cell } = await openNotebook(page, serve);
      if (click) await cell.locator('.code-text').click({ position: { x: 1, y: 8 } });
      else {
        await cell.focus();
        await page.keyboard.press('Enter');
      }
      await expect(cell.locator('[data-editor=plain]')).toBeFocused();
      for (const key of before) await page.keyboard.press(key);
      release();
      await expect(cell.locator('[data-editor=live]')).toBeVisible();
      await page.keyboard.press('X');
      await expect.poll(() => fake.cell('a').source).toBe(is);
    },
  );
}

test('[ED-41] renaming a cell during typing keeps the caret in place', async ({ page, serve }) => {
  const { fake, cell } = await openNotebook(page, serve);
  await cell.locator('.code-text').click({ position: { x: 1, y: 8 } });
  await expect(cell.locator('[data-editor=live]')).toBeVisible();
  await page.keyboard.type('one');
  await expect.poll(() => fake.cell('a').source).toBe(`one${SOURCE}`);
  fake.setCell('a', { defines: ['renamed'] });
  fake.broadcastState();
  await expect(cell).toContainText('renamed');
  await page.keyboard.type('two');
  await expect.poll(() => fake.cell('a').source).toBe(`onetwo${SOURCE}`);
});

test('[ED-42] an editor that loads after the focus has moved elsewhere does not take it', async ({
  page,
  serve,
}) => {
  const release = await holdEditor(page);
  const { fake, cell } = await openNotebook(page, serve);
  await cell.focus();
  await page.keyboard.press('Enter');
  await expect(cell.locator('[data-editor=plain]')).toBeFocused();
  await page.keyboard.press('F6');
  const region = () =>
    page.evaluate(() => document.activeElement?.closest('[data-region]')?.getAttribute('data-region'));
  await expect.poll(region).toBe('right');
  release();
  await expect(cell.locator('[data-editor=live]')).toBeVisible();
  expect(await region()).toBe('right');
  // The cell does not take the focus when its name changes either.
  fake.setCell('a', { defines: ['renamed'] });
  fake.broadcastState();
  await expect(cell.locator('.cell-name')).toHaveText('renamed');
  expect(await region()).toBe('right');
  await page.keyboard.press('Shift+F6');
  await page.keyboard.type('X');
  await expect.poll(() => fake.cell('a').source).toBe(`X${SOURCE}`);
});

test('[ED-42] an editor that loads does not interrupt the composition of an input method', async ({
  page,
  serve,
}) => {
  const release = await holdEditor(page);
  const { fake, cell } = await openNotebook(page, serve);
  await cell.focus();
  await page.keyboard.press('Enter');
  const plain = cell.locator('[data-editor=plain]');
  await expect(plain).toBeFocused();
  const keys = await page.context().newCDPSession(page);
  const compose = (text: string) =>
    keys.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  await compose('に');
  const loaded = page.waitForResponse(/monacoSetup/);
  release();
  await (await loaded).finished();
  await compose('にほ');
  await compose('にほん');
  await expect(plain).toHaveValue(`にほん${SOURCE}`);
  await keys.send('Input.insertText', { text: '日本' });
  await expect(cell.locator('[data-editor=live]')).toBeVisible();
  await page.keyboard.type('X');
  await expect.poll(() => fake.cell('a').source).toBe(`日本X${SOURCE}`);
});

for (const codeSize of [11, 16]) {
  test(
    `[ED-41] a click sets the caret at its position, also in code of ${codeSize} px`,
    longUnless(codeSize === 16, 'e2e/app/earlyTyping.spec.ts'),
    async ({ page, serve }) => {
      const lines = Array.from({ length: 12 }, (_, i) => `line_${i} = ${i}`);
      const { fake, url } = await serve(
        fakeBody({
          name: 'Sizes',
          cells: [fakeCell({ id: 'a', source: lines.join('\n'), status: 'ready' })],
        }),
      );
      await storeBefore(page, url, { 'cellar.preferences': JSON.stringify({ codeSize }) });
      await openPage(page, url);
      const text = page.locator('[data-cell-id=a] .code-text');
      const place = await text.evaluate((element) => {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          const at = node.textContent?.indexOf('line_9') ?? -1;
          if (at < 0) continue;
          const range = document.createRange();
          range.setStart(node, at + 6);
          range.collapse(true);
          const box = range.getBoundingClientRect();
          return { x: box.left, y: box.top + box.height / 2 };
        }
        throw new Error('the line is not shown');
      });
      await page.mouse.click(place.x, place.y);
      await expect(page.locator('[data-cell-id=a] [data-editor=live]')).toBeVisible();
      await page.keyboard.press('X');
      lines[9] = 'line_9X = 9';
      await expect.poll(() => fake.cell('a').source).toBe(lines.join('\n'));
    },
  );
}
