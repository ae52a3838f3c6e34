/**
 * Completion in SQL cells in a browser: keywords, tables, columns and values, and the connection of a new SQL cell.
 * Against a fake server.
 */

import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell } from '../support/fakeServerNotebook.ts';
import { LEFT_OUT, longOnly, longUnless } from '../support/longOnly.ts';

const SQL = '# @sql connection=db\nSELECT 1';
const TABLES = [
  {
    catalog: null,
    schema: 'public',
    name: 'trips',
    columns: [
      { name: 'id', type: 'bigint', nullable: false },
      { name: 'price', type: 'numeric', nullable: true },
    ],
  },
  {
    catalog: null,
    schema: 'old',
    name: 'Trips',
    columns: [{ name: 'fare', type: 'numeric', nullable: true }],
  },
];

function notebook(driver = 'postgresql') {
  return fakeBody({
    name: 'Tables',
    connections: [{ name: 'db', driver, auth: {}, options: {} }],
    cells: [
      fakeCell({ id: 'py', source: 'limit = 2', defines: ['limit'] }),
      fakeCell({ id: 'sql', language: 'sql', source: SQL, defines: ['result'] }),
    ],
  });
}

const list = (page: Page): Locator => page.locator('.suggest-widget.visible');

async function write(page: Page, text: string, id = 'sql'): Promise<void> {
  await page.locator(`[data-outline=${id}]`).click();
  await page.locator(`[data-cell-id=${id}]`).press('Enter');
  await expect(page.locator(`[data-cell-id=${id}] [data-editor=live]`)).toBeVisible();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(text);
}

const schemaAnswer = { connectionSchema: { connection: 'db', driver: 'postgresql', tables: TABLES } };

/** What is typed after `SELECT 1`, an entry of the list, and the line after the first entry is accepted. */
const ROWS: readonly (readonly [what: string, typed: string, named: string, taken: string])[] = [
  ['a keyword', '\nUNI', 'UNION', 'UNION'],
  ['a table of another schema, quoted', '\nFROM old', 'old.Trips', 'FROM old."Trips"'],
  ['a column by its short name', '\nFROM trips t WHERE t.', 'price', 'FROM trips t WHERE t.id'],
  ['a value of the notebook', '\nFROM trips WHERE id = :', 'limit', 'FROM trips WHERE id = :limit'],
  // Simpler forms of the rows above; src-renderer/editor/sql/sqlOffers.test.ts tests what is offered.
  ...(LEFT_OUT === null
    ? ([
        ['a table', '\nFROM tri', 'trips', 'FROM trips'],
        ['a column of the table', '\nFROM trips WHERE pri', 'price', 'FROM trips WHERE price'],
      ] as const)
    : []),
];
test('[ED-64] keywords, tables, columns and values are offered in SQL', async ({ page, serve }) => {
  const body = notebook();
  const cells = ROWS.map((_, at) => fakeCell({ id: `sql${at}`, language: 'sql', source: SQL }));
  const { fake, url } = await serve({ ...body, cells: [...body.cells, ...cells] });
  fake.answers = schemaAnswer;
  await openPage(page, url);
  expect(fake.requests.filter(({ name }) => name === 'connectionSchema')).toEqual([]);
  for (const [at, [what, typed, named, taken]] of ROWS.entries()) {
    await test.step(what, async () => {
      await write(page, typed, `sql${at}`);
      await expect(list(page).getByRole('option', { name: named }).first()).toBeVisible();
      await page.keyboard.press('Tab');
      await expect.poll(() => fake.cell(`sql${at}`).source.split('\n').at(-1)).toBe(taken);
      // The schema is requested once, by the first completion list of the notebook.
      expect(fake.requests.filter(({ name }) => name === 'connectionSchema').length).toBeLessThan(2);
    });
  }
});

test(
  '[ED-64] completion does not wait for the tables: it offers keywords first, then the updated list',
  longOnly('e2e/app/sqlCompletion.spec.ts', 'src-renderer/live/connectionTables.test.ts'),
  async ({ page, serve }) => {
    const { fake, url } = await serve(notebook());
    let answer = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/connections/db/schema', async (route) => {
      await gate;
      await route.continue();
    });
    fake.answers = schemaAnswer;
    await openPage(page, url);
    await write(page, '\nFROM trips ORDER BY ');
    await page.keyboard.type('pri');
    await expect(list(page).getByRole('option')).toHaveCount(1);
    await expect(list(page)).toContainText('PRIMARY'.toLowerCase());
    answer();
    await expect(list(page).getByRole('option', { name: 'price' })).toBeVisible();
    await expectAccessible(page);
    // No entry is selected: Enter inserts a line break.
    await page.keyboard.press('Enter');
    await page.keyboard.type('DESC');
    await expect.poll(() => fake.cell('sql').source).toBe(`${SQL}\nFROM trips ORDER BY pri\nDESC`);
  },
);

test(
  '[ED-64] with an unreachable database only its tables are missing from the list',
  longOnly('e2e/app/sqlCompletion.spec.ts', 'src-renderer/live/connectionTables.test.ts'),
  async ({ page, serve }) => {
    const { fake, url } = await serve(notebook());
    await page.route('**/connections/db/schema', (route) =>
      route.fulfill({ status: 400, json: { detail: 'host not found' } }),
    );
    await openPage(page, url);
    await write(page, '\nORD');
    await expect(list(page)).toContainText('ORDER');
    await page.keyboard.press('Tab');
    await expect.poll(() => fake.cell('sql').source.split('\n').at(-1)).toBe('ORDER');
    await expect(page.getByText('host not found')).toHaveCount(0);
  },
);

for (const [what, connections, named] of [
  ['the only connection', [{ name: 'db', driver: 'sqlite', auth: {}, options: {} }], 'db'],
  ['a DuckDB in memory if there is no connection', [], 'memory'],
] as const) {
  test(
    `[SQ-64] a new SQL cell names ${what}`,
    longUnless(named === 'db', 'e2e/app/sqlCompletion.spec.ts'),
    async ({ page, serve }) => {
      const cells = [fakeCell({ id: 'a', source: 'x = 1' })];
      const { fake, url } = await serve(fakeBody({ name: 'N', cells, connections: [...connections] }));
      fake.answers = {
        setConnections: () => ({
          ...fake.body,
          connections: [{ name: 'memory', driver: 'duckdb', auth: {}, options: {} }],
        }),
      };
      await openPage(page, url);
      await page.locator('.add-end').getByRole('button', { name: 'Add a cell in another language' }).click();
      await page.getByRole('menuitem', { name: 'SQL' }).click();
      await expect.poll(() => fake.body.cells.at(-1)?.source).toBe(`# @sql connection=${named}\n`);
      const changes = fake.requests.filter(({ name }) => name === 'setConnections');
      const declared =
        connections.length > 0 ? [] : [{ connections: [{ name: 'memory', driver: 'duckdb' }] }];
      expect(changes.map(({ body }) => body)).toEqual(declared);
      // [SQ-65] The caret is below that line.
      await page.keyboard.type('SELECT 1');
      await expect.poll(() => fake.body.cells.at(-1)?.source).toBe(`# @sql connection=${named}\nSELECT 1`);
    },
  );
}
