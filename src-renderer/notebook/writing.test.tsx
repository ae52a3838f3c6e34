/**
 * Tests writing aids in a complete window, against a fake server: the slash menu, previews of text, pasted
 * pictures and scripts, folding.
 */

import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import { expect, openPage, test } from '../testing/fixture.ts';
import type { Page } from '../testing/page.tsx';
import { slashItems } from './slash/slashItems.ts';

const cellOf = (page: Page, id: string) => page.locator(`[data-cell-id=${id}]`);
const menu = (page: Page) => page.getByRole('listbox', { name: 'Language or snippet' });
const shownIds = (): readonly string[] =>
  [...document.querySelectorAll('.cells [data-cell-id]')].map(
    (card) => card.getAttribute('data-cell-id') ?? '',
  );

async function command(page: Page, title: string): Promise<void> {
  await page.keyboard.press('F1');
  await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible();
  await page.keyboard.insertText(title);
  await page.keyboard.press('Enter');
}

test.for<[typed: string, keys: readonly string[], language: string, source: RegExp, before?: string]>([
  ['/mark', ['Enter'], 'markdown', /^$/],
  ['/call', ['Enter'], 'markdown', /^> \[!NOTE\]/],
  ['/chart', ['ArrowDown', 'Enter'], 'python', /ax\.bar/],
  ['/', ['ArrowUp', 'Enter'], 'markdown', /mermaid/],
  // The line break that ends its file is not part of the text.
  ['/chart', ['Enter'], 'python', /ax\./, '\n'],
])(
  '[ED-78] a slash in an empty cell offers languages and snippets: %s',
  async ([typed, keys, language, source, before = ''], { page, serve }) => {
    const { fake, url } = await serve(
      fakeBody({
        name: 'Slash',
        cells: [fakeCell({ id: 'a', source: before }), fakeCell({ id: 'b', source: 'b = 1' })],
      }),
    );
    await openPage(page, url);
    await cellOf(page, 'a').locator('.code').click();
    await expect(page.locator('.slash-tip')).toBeVisible();
    await page.keyboard.type(typed);
    await expect(menu(page)).toBeVisible();
    for (const key of keys) await page.keyboard.press(key);
    await expect(menu(page)).toHaveCount(0);
    await expect.poll(() => fake.body.cells[0]?.language).toBe(language);
    await expect.poll(() => source.test(fake.body.cells[0]?.source ?? '')).toBe(true);
    expect(fake.body.cells).toHaveLength(2);
    await expect(page.locator('[data-editor]')).toBeFocused();
  },
);

test('[ED-78] Escape keeps what was typed, and continued typing does not open the menu again', async ({
  page,
  serve,
}) => {
  const { url } = await serve(fakeBody({ name: 'Slash', cells: [fakeCell({ id: 'a', source: '' })] }));
  await openPage(page, url);
  // The only cell of a notebook opens for editing immediately.
  await expect(page.locator('[data-editor]')).toBeFocused();
  await page.keyboard.type('/csv');
  await expect(menu(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(menu(page)).toHaveCount(0);
  await expect(page.locator('[data-editor]')).toHaveValue('/csv');
  await page.keyboard.type('/x');
  await expect(menu(page)).toHaveCount(0);
});

test('[ED-78] every typed word is the start of a word of the item', () => {
  expect(slashItems('read csv', []).map(({ id }) => id)).toEqual(['python csv']);
  expect(slashItems('zzz', [])).toEqual([]);
  expect(slashItems('', []).length).toBeGreaterThan(10);
});

test('[ED-79] line numbers are shown, and the setting survives a reload', async ({ page, serve }) => {
  const { url } = await serve(
    fakeBody({ name: 'Lines', cells: [fakeCell({ id: 'a', source: 'a = 1\n\nb = 2' })] }),
  );
  await openPage(page, url);
  const lines = cellOf(page, 'a').locator('.code-lines');
  await expect(lines).toHaveCount(0);
  await command(page, 'Show or hide line numbers');
  await expect(lines).toHaveAttribute('data-text', '1\n2\n3');
  await page.reload();
  await expect(lines).toHaveAttribute('data-lines', '3');
  await expect(cellOf(page, 'a').locator('.code-text')).toHaveText('a = 1\n\nb = 2');
});

const LIVE_TEXT = '# Results\n\nTotal: {{ total }}';

test('[ED-76] a text is previewed while it is typed, with the values of cells and whether they are old', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(
    fakeBody({
      name: 'Text',
      cells: [
        fakeCell({
          id: 'a',
          source: 'total = 42',
          defines: ['total'],
          status: 'ready',
          artifact_uris: { total: 'u1' },
        }),
        fakeCell({ id: 't', language: 'markdown', source: LIVE_TEXT }),
      ],
    }),
  );
  fake.variables = [
    {
      name: 'total',
      cell_id: 'a',
      artifact_uri: 'u1',
      content_type: 'json/object',
      rows: null,
      columns: null,
      byte_size: 2,
      value: '42',
    },
  ];
  await openPage(page, url);
  const value = cellOf(page, 't').locator('.value');
  await expect(value).toHaveText('42');
  await expect(value).toHaveAttribute('title', 'The value of total');
  fake.status('a', 'stale');
  await expect(value).toHaveAttribute(
    'title',
    'The value of total in an earlier run: its cell is not up to date',
  );
  await cellOf(page, 't').click();
  await page.keyboard.press('Enter');
  const preview = cellOf(page, 't').getByRole('region', { name: /^Preview of/ });
  await expect(preview.locator('h1')).toHaveText('Results');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('## New {{ total }} ![x](images/p.png)');
  await expect(preview.locator('h2')).toContainText('New 42');
  await expect(preview.locator('img')).toHaveAttribute('src', /\/files\/picture\?path=images%2Fp\.png$/);
});

test('[ED-77] a picture pasted into a text is copied into the folder and shown at the caret', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(
    fakeBody({ name: 'Text', cells: [fakeCell({ id: 't', language: 'markdown', source: 'before ' })] }),
  );
  fake.answers = { addFile: { path: 'images/image.png' } };
  await openPage(page, url);
  await cellOf(page, 't').click();
  await page.keyboard.press('Enter');
  const editor = page.locator('[data-editor]');
  await expect(editor).toBeFocused();
  const box = document.querySelector<HTMLTextAreaElement>('[data-editor]');
  box?.setSelectionRange(7, 7);
  const clipboardData = { files: [new File(['x'], 'image.png')], getData: () => '' };
  box?.dispatchEvent(
    Object.assign(new Event('paste', { bubbles: true, cancelable: true }), { clipboardData }),
  );
  await expect(editor).toHaveValue('before ![image](images/image.png)');
  await expect.poll(() => fake.cell('t').source).toBe('before ![image](images/image.png)');
});

const text = (id: string, source: string) => fakeCell({ id, language: 'markdown', source });

test('[ED-69] a section folds with its cells, stays folded after a reload, and opens when one of them is selected', async ({
  page,
  serve,
}) => {
  const { url } = await serve(
    fakeBody({
      name: 'Sections',
      cells: [
        text('h1', '# One'),
        fakeCell({ id: 'a', source: 'a = 1' }),
        text('h2', '## Inner'),
        fakeCell({ id: 'b', source: 'bikes = 1', defines: ['bikes'], status: 'ready' }),
        text('h3', '# Two'),
        fakeCell({ id: 'c', source: 'c = 1' }),
      ],
    }),
  );
  await openPage(page, url);
  await cellOf(page, 'h1').getByRole('button', { name: 'Fold this section of 3 cells' }).click();
  await expect.poll(shownIds).toEqual(['h1', 'h3', 'c']);
  await page.reload();
  await expect(page.locator('[data-link=live]')).toBeVisible();
  await expect.poll(shownIds).toEqual(['h1', 'h3', 'c']);
  await cellOf(page, 'h1').click();
  await page.keyboard.press('j');
  await expect(cellOf(page, 'h3')).toHaveAttribute('aria-current', 'true');
  // Going to a cell that is hidden opens the sections around it.
  await page.keyboard.press('Control+P');
  const goTo = page.getByRole('dialog', { name: 'Go to' });
  await expect(goTo).toBeVisible();
  await page.keyboard.insertText('bikes');
  await goTo
    .getByRole('option', { name: /^bikes/ })
    .first()
    .click();
  await expect.poll(shownIds).toEqual(['h1', 'a', 'h2', 'b', 'h3', 'c']);
  await command(page, 'Fold all sections');
  await expect.poll(shownIds).toEqual(['h1', 'h3']);
  await command(page, 'Unfold all sections');
  await expect.poll(shownIds).toEqual(['h1', 'a', 'h2', 'b', 'h3', 'c']);
});

test('[ED-69] a folded heading moves with its cells', async ({ page, serve }) => {
  const { fake, url } = await serve(
    fakeBody({
      name: 'Sections',
      cells: [
        text('h1', '# One'),
        fakeCell({ id: 'a', source: 'a = 1' }),
        text('h2', '# Two'),
        fakeCell({ id: 'c', source: 'c = 1' }),
      ],
    }),
  );
  await openPage(page, url);
  await cellOf(page, 'h1').getByRole('button', { name: 'Fold this section of 1 cell' }).click();
  await cellOf(page, 'h1').click();
  await page.keyboard.press('Alt+ArrowDown');
  await expect.poll(() => fake.body.cells.map(({ id }) => id)).toEqual(['h2', 'h1', 'a', 'c']);
});

test('[ED-74] a pasted script is offered as several cells, and a cell is split or duplicated in one undo step', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(
    fakeBody({ name: 'Paste', cells: [fakeCell({ id: 'a', source: 'a = 1' })] }),
  );
  await openPage(page, url);
  await cellOf(page, 'a').locator('.cell-name').click();
  const script = 'import os\n\ndef f():\n    x = 1\n\n    return x\n\nf()\n';
  const clipboardData = {
    files: [],
    items: [],
    getData: (type: string) => (type === 'text/plain' ? script : ''),
  };
  const event = new Event('paste', { bubbles: true, cancelable: true });
  document.querySelector('[data-cell-id=a]')?.dispatchEvent(Object.assign(event, { clipboardData }));
  const sources = () => fake.body.cells.map(({ source }) => source);
  await expect.poll(sources).toEqual(['a = 1', script.trim()]);
  await page.getByRole('button', { name: 'Split into 3 cells' }).click();
  await expect.poll(sources).toEqual(['a = 1', 'import os', 'def f():\n    x = 1\n\n    return x', 'f()']);
  await page.keyboard.press('z');
  await expect.poll(sources).toEqual(['a = 1', script.trim()]);
  await cellOf(page, 'a').locator('.cell-name').click();
  await page.keyboard.press('Shift+d');
  await expect.poll(sources).toEqual(['a = 1', 'a = 1', script.trim()]);
  await page.keyboard.press('z');
  await expect.poll(sources).toEqual(['a = 1', script.trim()]);
});
