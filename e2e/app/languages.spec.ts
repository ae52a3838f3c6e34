/**
 * Cells of each language in a browser: highlighting, the comment key, brackets, names of other cells, and conversion
 * between languages. Against a fake server.
 */

import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import type { FakeServer } from '../support/fakeServer.ts';
import { expect, openPage, type Serve, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell } from '../support/fakeServerNotebook.ts';
import { LEFT_OUT, longOnly } from '../support/longOnly.ts';

test.use({ viewport: { width: 1440, height: 1400 } });

const SQL =
  "# @sql connection=lake\nSELECT id, max(price::int) -- dear\nFROM trips WHERE km > :limit AND day = 'mon' AND n < 1_130";
const PROMPT = '# @model small\nBe brief.\n## About {{ trips }}\nSay **one** thing: `{{ limit }}`';

function notebook() {
  return fakeBody({
    name: 'Languages',
    connections: [{ name: 'lake', driver: 'bigquery', auth: {}, options: {} }],
    cells: [
      fakeCell({
        id: 'py',
        source: 'import csv\ntrips = 12_000 + 0xff_e1  # many',
        defines: ['trips', 'limit'],
      }),
      fakeCell({ id: 'sql', language: 'sql', source: SQL, defines: ['result'], references: ['limit'] }),
      fakeCell({ id: 'r', language: 'r', source: 'total <- sum(trips) # all\nif (TRUE) "yes"' }),
      fakeCell({ id: 'ask', language: 'prompt', source: PROMPT, defines: ['answer'] }),
      fakeCell({ id: 'dial', language: 'widget', source: 'alpha = slider(0, 1, step=0.01)  # fine' }),
      fakeCell({ id: 'words', language: 'markdown', source: '# Title\n\nsome words' }),
    ],
  });
}

/** For each cell: a word, and the theme token of its colour. */
const COLOURS: readonly (readonly [cell: string, word: string, token: string])[] = [
  ['py', 'import', '--code-kw'],
  ['py', '12_000', '--code-num'],
  ['py', '0xff_e1', '--code-num'],
  ['py', '# many', '--code-com'],
  ['sql', '# @sql', '--code-com'],
  ['sql', 'SELECT', '--code-kw'],
  ['sql', 'max', '--code-fn'],
  ['sql', 'int', '--code-fn'],
  ['sql', '-- dear', '--code-com'],
  ['sql', ':limit', '--accent'],
  ['sql', "'mon'", '--code-str'],
  ['sql', '1_130', '--code-num'],
  ['r', '# all', '--code-com'],
  ['r', 'if', '--code-kw'],
  ['r', 'yes', '--code-str'],
  ['ask', '# @model', '--code-com'],
  ['ask', '## About', '--code-kw'],
  ['ask', '{{ trips }}', '--accent'],
  ['ask', '{{ limit }}', '--accent'],
  ['dial', 'slider', '--code-fn'],
  ['dial', '0.01', '--code-num'],
  ['dial', '# fine', '--code-com'],
];

const cell = (page: Page, id: string): Locator => page.locator(`[data-cell-id=${id}]`);

/** The colour of a word, from the innermost element that contains it; null while there is none. */
function colourOf(text: Locator, word: string): Promise<string | null> {
  return text.evaluate((element, expected) => {
    const plain = (node: Element): string => (node.textContent ?? '').replaceAll('\u00a0', ' ');
    const holders = [...element.querySelectorAll('span')].filter((one) => plain(one).includes(expected));
    const innermost = holders.find((one) => !holders.some((other) => other !== one && one.contains(other)));
    return innermost === undefined ? null : getComputedStyle(innermost).color;
  }, word);
}

/** The colour of a theme token in the page. */
function tokenColour(page: Page, token: string): Promise<string> {
  return page.evaluate((name) => {
    const probe = document.createElement('span');
    probe.style.color = `var(${name})`;
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }, token);
}

async function choose(page: Page, id: string): Promise<void> {
  await page.locator(`[data-outline=${id}]`).click();
  await expect(cell(page, id)).toHaveAttribute('aria-current', 'true');
}

async function edit(page: Page, id: string): Promise<void> {
  await choose(page, id);
  await cell(page, id).press('Enter');
  await expect(cell(page, id).locator('[data-editor=live]')).toBeVisible();
}

/** theme.spec.ts tests the colours of both themes; the names of the tokens are the same in both. */
const SCHEMES = LEFT_OUT === null ? (['light', 'dark'] as const) : (['dark'] as const);

test(`[ED-62] each language is highlighted, in and outside edit mode, ${SCHEMES.join(' and ')}`, async ({
  page,
  serve,
}) => {
  const { url } = await serve(notebook());
  for (const scheme of SCHEMES) {
    await page.emulateMedia({ colorScheme: scheme });
    await openPage(page, url);
    for (const [id, word, token] of COLOURS) {
      const expected = await tokenColour(page, token);
      const colour = () => colourOf(cell(page, id).locator('.code-text'), word);
      await expect.poll(colour, `${id}: ${word}, read`).toBe(expected);
    }
    for (const id of ['py', 'sql', 'r', 'ask', 'dial']) {
      await edit(page, id);
      for (const [, word, token] of COLOURS.filter(([of]) => of === id)) {
        const expected = await tokenColour(page, token);
        const colour = () => colourOf(cell(page, id).locator('.view-lines'), word);
        await expect.poll(colour, `${id}: ${word}, written`).toBe(expected);
      }
      await page.keyboard.press('Escape');
    }
  }
});

test('[ED-62] SQL is highlighted in the dialect of its connection', async ({ page, serve }) => {
  const source = (connection: string): string =>
    `# @sql connection=${connection}\nSELECT 'it\\'s' AS one, # two\n'three'`;
  const body = notebook();
  const cells = [
    fakeCell({ id: 'sql', language: 'sql', source: source('lake') }),
    fakeCell({ id: 'plain', language: 'sql', source: source('none') }),
  ];
  const { url } = await serve({ ...body, cells });
  await openPage(page, url);
  const text = cell(page, 'sql').locator('.code-text');
  const [string, comment] = [await tokenColour(page, '--code-str'), await tokenColour(page, '--code-com')];
  const other = cell(page, 'plain').locator('.code-text');
  // In BigQuery a backslash escapes and `#` starts a comment; in PostgreSQL neither does.
  await expect.poll(() => colourOf(text, '# two')).toBe(comment);
  await expect.poll(() => colourOf(other, '# two')).toBe(string);
});

/** For each cell: a line (from 1), and its text after Mod+/. */
const COMMENTS: readonly (readonly [cell: string, line: number, after: string])[] = [
  ['py', 1, '# import csv\ntrips = 12_000 + 0xff_e1  # many'],
  ['sql', 3, SQL.replace('FROM', '-- FROM')],
  // Comments as in Python.
  ...(LEFT_OUT === null
    ? ([
        ['r', 1, '# total <- sum(trips) # all\nif (TRUE) "yes"'],
        ['dial', 1, '# alpha = slider(0, 1, step=0.01)  # fine'],
      ] as const)
    : []),
  ['ask', 1, PROMPT.replace('# @model', '@model')],
  // The complete text of a prompt is sent, so a prompt has no comments.
  ['ask', 4, PROMPT],
  ['words', 3, '# Title\n\n<!-- some words -->'],
];

/** Shows a notebook and tests the rows in it one after the other, each as a separate step. */
function eachRow<T>(
  rows: readonly T[],
  name: (row: T) => string,
  check: (row: T, stage: { readonly page: Page; readonly fake: FakeServer }) => Promise<void>,
) {
  return async ({ page, serve }: { page: Page; serve: Serve }): Promise<void> => {
    const { fake, url } = await serve(notebook());
    await openPage(page, url);
    for (const row of rows) await test.step(name(row), () => check(row, { page, fake }));
  };
}

test(
  '[ED-60] the comment key comments a line, and uncomments it again',
  eachRow(
    COMMENTS,
    ([id, line]) => `${id}, line ${line}`,
    async ([id, line, after], { page, fake }) => {
      const before = fake.cell(id).source;
      await edit(page, id);
      await page.keyboard.press('Control+Home');
      for (let at = 1; at < line; at += 1) await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Control+/');
      // Text typed afterwards shows that the key was processed.
      await page.keyboard.press('Control+End');
      await page.keyboard.type('!');
      await expect.poll(() => fake.cell(id).source).toBe(`${after}!`);
      await page.keyboard.press('Backspace');
      if (after !== before) {
        await page.keyboard.press('Control+Home');
        for (let at = 1; at < line; at += 1) await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Control+/');
      }
      await expect.poll(() => fake.cell(id).source).toBe(before);
    },
  ),
);

/** By cell: what is typed at its end before any answer can arrive, and the resulting end of the text. */
const AT_ONCE: readonly (readonly [cell: string, typed: string, is: string])[] = [
  ['r', '\nmean(tri', 'mean(tri)'],
  ['words', '\n[one', '[one]'],
  ['ask', '\nIn {{ tri', 'In {{ tri}}'],
  ['sql', '\nAND (n', 'AND (n)'],
];
test('[ED-60] brackets close at the first key', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  await edit(page, 'py');
  await page.route(/\.js/, () => {});
  for (const [id, typed, is] of AT_ONCE) {
    await test.step(id, async () => {
      await edit(page, id);
      await page.keyboard.press('Control+End');
      await page.keyboard.type(typed);
      await expect.poll(() => fake.cell(id).source.split('\n').at(-1)).toBe(is);
    });
  }
});

const list = (page: Page): Locator => page.locator('.suggest-widget.visible');

/** For each cell: what is typed at its end, and the end of the text after the name is accepted. */
const NAMES: readonly (readonly [cell: string, typed: string, taken: string])[] = [
  ['r', '\nmean(tri', 'mean(trips)'],
  ['sql', '\nAND n > :', 'AND n > :trips'],
  ['ask', '\nIn {{', 'In {{ trips }}'],
  // Names after their first letters are typed: the same list with one entry less.
  ...(LEFT_OUT === null
    ? ([
        ['sql', '\nAND n > :li', 'AND n > :limit'],
        ['sql', '\nAND n > :tr', 'AND n > :trips'],
        ['ask', '\nIn {{ tri', 'In {{ trips }}'],
      ] as const)
    : []),
];
test(
  '[ED-61] names of other cells are offered',
  eachRow(
    NAMES,
    ([id, typed]) => `${id}, ${JSON.stringify(typed)}`,
    async ([id, typed, taken], { page, fake }) => {
      await edit(page, id);
      await page.keyboard.press('Control+End');
      await page.keyboard.type(typed);
      await expect(list(page)).toBeVisible();
      await expect(list(page)).toContainText(taken.includes('trips') ? 'trips' : 'limit');
      await page.keyboard.press('Tab');
      await expect(list(page)).toHaveCount(0);
      await expect.poll(() => fake.cell(id).source.split('\n').at(-1)).toBe(taken);
    },
  ),
);

test('[ED-61] in Python the list shows the cell of each name, Enter inserts a line break, Escape first closes the list', async ({
  page,
  serve,
}) => {
  const body = notebook();
  const cells = body.cells.map((one) => (one.id === 'r' ? { ...one, upstream_ids: ['py'] } : one));
  const own = fakeCell({ id: 'own', source: 'x = 1', defines: ['tripled'], downstream_ids: ['below'] });
  const below = fakeCell({
    id: 'below',
    source: 'tricky = tripled',
    defines: ['tricky'],
    upstream_ids: ['own'],
  });
  const { fake, url } = await serve({ ...body, cells: [...cells, own, below] });
  await openPage(page, url);
  await edit(page, 'own');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\ny = tri');
  await expect(list(page).getByRole('option')).toHaveCount(1);
  await expect(list(page).getByRole('option').first()).toHaveAccessibleName(/^trips/);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(list(page)).toHaveCount(0);
  await expect(cell(page, 'own').locator('[data-editor=live]')).toBeVisible();
  await page.keyboard.press('Control+Space');
  await expect(list(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.type('p');
  await expect(list(page)).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.type('z = 2');
  await expect.poll(() => fake.cell('own').source).toBe('x = 1\ny = trip\nz = 2');
  await page.keyboard.type('\nw = trip');
  await expect(list(page)).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => fake.cell('own').source).toBe('x = 1\ny = trip\nz = 2\nw = trips');
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-editor=live]')).toHaveCount(0);
});

test(
  '[ED-63] every language has its icon in bar and outline, can be added, and can be converted to in one undo step',
  longOnly('src-renderer/notebook/languages.test.tsx'),
  async ({ page, serve }) => {
    const { fake, url } = await serve(notebook());
    await openPage(page, url);
    for (const [id, language, word] of [
      ['sql', 'sql', 'SQL'],
      ['r', 'r', 'R'],
      ['ask', 'prompt', 'Prompt'],
      ['dial', 'widget', 'Widget'],
    ] as const) {
      await expect(cell(page, id).locator('.bar .cell-language')).toHaveText(word);
      await expect(cell(page, id).locator('.bar .cell-language svg')).toBeVisible();
      await expect(page.locator(`[data-outline=${id}] [data-language=${language}]`)).toHaveText(word);
    }
    await expect(page.locator('[data-outline=py] [data-language]')).toHaveCount(0);
    await expectAccessible(page);

    for (const [title, language, first] of [
      // A cell that becomes SQL names the only connection.
      ['Change to SQL', 'sql', '# @sql connection=lake\n'],
      ['Change to R', 'r', ''],
      ['Change to prompt', 'prompt', ''],
      ['Change to widget', 'widget', ''],
    ] as const) {
      await choose(page, 'py');
      await page.keyboard.press('Control+Shift+P');
      await page.keyboard.type(title);
      await page.keyboard.press('Enter');
      await expect.poll(() => fake.body.cells[0]?.language).toBe(language);
      const text = 'import csv\ntrips = 12_000 + 0xff_e1  # many';
      expect(fake.body.cells[0]?.source).toBe(`${first}${text}`);
      // The command has ended when the new cell is the current one.
      await expect(cell(page, fake.body.cells[0]?.id ?? '')).toHaveAttribute('aria-current', 'true');
      await page.keyboard.press('z');
      await expect
        .poll(() => fake.body.cells.map(({ id }) => id))
        .toEqual(['py', 'sql', 'r', 'ask', 'dial', 'words']);
    }

    await page.locator('.add-end').getByRole('button', { name: 'Add a cell in another language' }).click();
    await page.getByRole('menuitem', { name: 'Prompt' }).click();
    await expect.poll(() => fake.body.cells.at(-1)?.language).toBe('prompt');
  },
);
