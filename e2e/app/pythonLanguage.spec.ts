/**
 * Tests Python language features in a browser: completion, rename, go to definition, error marks and formatting. With a
 * fake server that answers like the language server.
 */

import type { Locator, Page } from '@playwright/test';
import { ROUTES } from '../../src-shared/wire/routes/all.ts';
import type {
  CompletionItem,
  LanguageAnswer,
  LanguageQuestion,
} from '../../src-shared/wire/routes/language.ts';
import { expectAccessible } from '../support/axe.ts';
import type { FakeServer } from '../support/fakeServer.ts';
import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell } from '../support/fakeServerNotebook.ts';
import { longOnly, longUnless } from '../support/longOnly.ts';

const CELLS = [
  fakeCell({ id: 'make', source: 'df = load()', defines: ['df'] }),
  fakeCell({ id: 'use', source: 'df', references: ['df'] }),
];

const item = (label: string, more: Partial<CompletionItem> = {}): CompletionItem => ({
  label,
  kind: 'method',
  detail: '',
  insert: label,
  replaces: null,
  from_run: false,
  item: null,
  ...more,
});
const ITEMS = [
  item('city', { kind: 'column', detail: 'string', from_run: true }),
  item('groupby', { item: '1:0', detail: '(by) -> DataFrameGroupBy' }),
  item('_private'),
];
const span = (character: number, length: number) => ({
  start: { line: 0, character },
  end: { line: 0, character: character + length },
});

type Scripted = (question: LanguageQuestion) => Partial<LanguageAnswer>;

function script(fake: FakeServer, answers: Scripted): LanguageQuestion[] {
  const questions: LanguageQuestion[] = [];
  fake.answers = {
    ...fake.answers,
    askLanguage: ({ body }: { readonly body: unknown }) => {
      const question = ROUTES.askLanguage.body.parse(body);
      questions.push(question);
      return { state: 'ready', words: null, ...answers(question) };
    },
  };
  return questions;
}

const list = (page: Page): Locator => page.locator('.suggest-widget.visible');

async function enter(page: Page): Promise<void> {
  await page.locator('[data-outline=use]').click();
  await page.locator('[data-cell-id=use]').press('Enter');
  await expect(page.locator('[data-cell-id=use] [data-editor=live]')).toBeVisible();
  await page.keyboard.press('Control+End');
}

for (const scheme of ['light', 'dark'] as const) {
  test(
    `[LS-5] attributes are offered after a dot and accepted by keyboard, ${scheme}`,
    longUnless(scheme === 'light', 'e2e/app/pythonLanguage.spec.ts'),
    async ({ page, serve }) => {
      await page.emulateMedia({ colorScheme: scheme });
      const { fake, url } = await serve(fakeBody({ name: 'N', cells: CELLS }));
      script(fake, ({ ask }) =>
        ask === 'complete'
          ? { items: ITEMS }
          : ask === 'document'
            ? { markdown: 'Group rows by a key.' }
            : {},
      );
      await openPage(page, url);
      await enter(page);
      await page.keyboard.type('.');
      await expect(list(page).getByRole('option')).toHaveCount(3);
      await expect(list(page).getByRole('option').first()).toContainText('city');
      await page.keyboard.press('ArrowDown');
      await expect(list(page).locator('.focused')).toContainText('groupby');
      await page.keyboard.press('Control+Space');
      await expect(page.locator('.suggest-details')).toContainText('Group rows by a key.');
      await expectAccessible(page);
      await page.keyboard.press('Enter');
      await expect.poll(() => fake.cell('use').source).toBe('df.groupby');
    },
  );
}

test('[LS-7] a rename changes all cells of the variable and is undone in one step', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(fakeBody({ name: 'N', cells: CELLS }));
  script(fake, (question) => {
    if (question.ask !== 'rename') return {};
    const { name } = question;
    if (name === null) return { renames: 'df', span: span(0, 2) };
    if (name === 'taken')
      return { renames: null, edits: [], words: 'Another cell already uses the name taken.' };
    const edits = ['make', 'use'].map((cell_id) => ({ cell_id, span: span(0, 2), text: name }));
    return { renames: 'df', edits };
  });
  await openPage(page, url);
  await enter(page);
  await page.keyboard.press('F2');
  const dialog = page.getByRole('dialog', { name: 'Rename df' });
  const field = dialog.getByLabel('New name');
  await expect(field).toBeFocused();
  await field.fill('taken');
  await field.press('Enter');
  await expect(dialog).toContainText('Another cell already uses the name taken.');
  await expectAccessible(page);
  await field.fill('frame');
  await field.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect
    .poll(() => ['make', 'use'].map((id) => fake.cell(id).source))
    .toEqual(['frame = load()', 'frame']);
  await page.keyboard.press('Control+z');
  await expect.poll(() => ['make', 'use'].map((id) => fake.cell(id).source)).toEqual(['df = load()', 'df']);
});

test('[LS-6] [LS-8] F12 goes to the cell of a definition, and shows another file', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(fakeBody({ name: 'N', cells: CELLS }));
  let inFile = false;
  script(fake, ({ ask }) => {
    if (ask !== 'definition') return {};
    const file = { in: 'file', path: 'helpers.py', local: true, span: span(4, 5), first_line: 0 } as const;
    if (inFile) return { places: [{ ...file, text: 'def clean(): ...' }] };
    return { places: [{ in: 'cell', cell_id: 'make', span: span(0, 2) }] };
  });
  await openPage(page, url);
  await enter(page);
  await page.keyboard.press('F12');
  await expect(page.locator('[data-cell-id=make] .code-mark')).toHaveAttribute('data-line', '1');
  inFile = true;
  await enter(page);
  await page.keyboard.press('F12');
  const dialog = page.getByRole('dialog', { name: 'Definition in helpers.py' });
  await expect(dialog).toContainText('def clean(): ...');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('[LS-9] errors are marked in the text', async ({ page, serve }) => {
  const { fake, url } = await serve(fakeBody({ name: 'N', cells: CELLS }));
  script(fake, ({ ask }) =>
    ask === 'diagnostics'
      ? { faults: [{ span: span(0, 2), severity: 'warn', code: 'x', message: 'This is odd.', fix: null }] }
      : {},
  );
  await openPage(page, url);
  await enter(page);
  await expect(page.locator('[data-cell-id=use] .squiggly-warning')).toBeVisible();
});

test('[LS-10] without a language server the names of cells are offered, and the status bar reports the reason', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(fakeBody({ name: 'N', cells: CELLS }));
  script(fake, () => ({ state: 'off', words: 'There is none here.' }));
  await openPage(page, url);
  await enter(page);
  await page.keyboard.type(' + d');
  await expect(list(page).getByRole('option', { name: 'df' })).toBeVisible();
  await expect(page.locator('[data-language=off]')).toHaveText('Python completion is off');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test(
  '[LS-10] names of cells do not wait for a starting server; its completions are added when it is ready',
  longOnly('e2e/app/pythonLanguage.spec.ts'),
  async ({ page, serve }) => {
    const { fake, url } = await serve(fakeBody({ name: 'N', cells: CELLS }));
    let answer = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/language', async (route) => {
      await gate;
      await route.continue();
    });
    script(fake, ({ ask }) => (ask === 'complete' ? { items: [item('dict', { kind: 'class' })] } : {}));
    await openPage(page, url);
    await enter(page);
    await page.keyboard.type(' + d');
    await expect(list(page).getByRole('option')).toHaveCount(1);
    await expect(list(page).getByRole('option', { name: 'df' })).toBeVisible();
    answer();
    await expect(list(page).getByRole('option', { name: 'dict' })).toBeVisible();
  },
);

test('[LS-12] a cell is formatted by shortcut, as one undo step', async ({ page, serve }) => {
  const { fake, url } = await serve(fakeBody({ name: 'N', cells: CELLS }));
  let text: string | null = 'df.formatted()';
  script(fake, ({ ask }) => (ask === 'format' ? { text, words: text === null ? 'bad syntax' : null } : {}));
  await openPage(page, url);
  await enter(page);
  await page.keyboard.press('Alt+Shift+F');
  await expect.poll(() => fake.cell('use').source).toBe('df.formatted()');
  await page.keyboard.press('Escape');
  await page.keyboard.press('z');
  await expect.poll(() => fake.cell('use').source).toBe('df');
  text = null;
  await page.keyboard.press('Alt+Shift+F');
  await expect(page.locator('.toast-words')).toContainText('was not formatted: bad syntax');
  expect(fake.cell('use').source).toBe('df');
});
