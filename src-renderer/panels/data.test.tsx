import { refusal } from '../../e2e/support/fakeServer.ts';
import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import { sampleNotebook } from '../../e2e/support/fakeServerSamples.ts';
import { expect, openPage, test } from '../testing/fixture.ts';
import type { Page } from '../testing/page.tsx';

/** What a browser passes for each item: a folder has a name and no bytes. */
type Dropped = readonly [name: string, kind: 'file' | 'folder', size?: number];

function transferOf(dropped: readonly Dropped[]): DataTransfer {
  const files = dropped.map(([name, , size = 8]) => {
    const file = new File(['a,b\n1,2\n'.slice(0, Math.min(size, 8))], name);
    Object.defineProperty(file, 'size', { value: size });
    return file;
  });
  const items = dropped.map(([, kind]) => ({
    kind: 'file',
    webkitGetAsEntry: () => ({ isDirectory: kind === 'folder' }),
  }));
  return { types: ['Files'], files, items, getData: () => '' } as unknown as DataTransfer;
}

function drop(...dropped: readonly Dropped[]): void {
  const event = Object.assign(new Event('drop', { bubbles: true, cancelable: true }), {
    dataTransfer: transferOf(dropped),
  });
  document.body.dispatchEvent(event);
}

const words = (page: Page, text: string) => page.locator('.toast-words', { hasText: text });
const LIST_TABLES = "SELECT type, name, sql FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name";

test('[WI-330] dropped data, databases and pictures become the right cells in one undo step', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(
    fakeBody({ name: 'Drops', cells: [fakeCell({ id: 'a', source: 'a = 1' })] }),
  );
  const paths = ['trips.xlsx', 'shop.db', 'images/map (1).png'];
  let nth = 0;
  fake.answers = {
    addFile: () => ({ path: paths[nth++] ?? '' }),
    setConnections: ({ body }) => {
      const { connections } = body as { connections: Record<string, unknown>[] };
      fake.body = { ...fake.body, connections };
      return { connections, malformed_connections: [], cells: fake.body.cells };
    },
  };
  await openPage(page, url);
  await page.locator('[data-cell-id=a] .cell-name').click();
  drop(['trips.xlsx', 'file'], ['shop.db', 'file'], ['map (1).png', 'file']);
  await expect(words(page, 'trips.xlsx, shop.db and 1 more were copied')).toBeVisible();
  await expect
    .poll(() => fake.body.cells.map(({ language, source }) => `${language}: ${source}`))
    .toEqual([
      'python: a = 1',
      'python: import pandas as pd\n\ntrips = pd.read_excel("trips.xlsx")\ntrips',
      `sql: # @sql connection=shop\n${LIST_TABLES}`,
      'markdown: ![map (1)](images/map%20%281%29.png)',
    ]);
  expect(fake.body.connections).toMatchObject([{ name: 'shop', driver: 'sqlite', path: 'shop.db' }]);
  await page.locator('[data-cell-id=a] .cell-name').click();
  await page.keyboard.press('z');
  await expect.poll(() => fake.body.cells.map(({ id }) => id)).toEqual(['a']);
  await expect.poll(() => fake.body.connections).toEqual([]);
});

test.for<[string, Dropped, string]>([
  ['another kind', ['notes.docx', 'file'], 'notes.docx is not a file that a cell can read'],
  ['an empty file', ['none.csv', 'file', 0], 'none.csv is empty'],
  ['a large picture', ['a.png', 'file', 33 * 1024 ** 2], 'a.png is larger than 32 MiB'],
])(
  '[WI-331] what cannot be used is reported and nothing is sent: %s',
  async ([, dropped, text], { page, serve }) => {
    const { fake, url } = await serve(sampleNotebook());
    await openPage(page, url);
    drop(dropped, ['also.docx', 'file'], ['ok.csv', 'file', 0]);
    await expect(words(page, text)).toBeVisible();
    expect(fake.requests.filter(({ name }) => name === 'addFile')).toEqual([]);
  },
);

test('[WI-331] no connection is declared if another one cannot be read, since that one would be lost', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  fake.body = { ...fake.body, malformed_connections: [{ name: 'old', error: 'missing driver', body: {} }] };
  await openPage(page, url);
  drop(['shop.db', 'file']);
  await expect(words(page, 'the connection “old” in notebook.toml cannot be read')).toBeVisible();
  expect(fake.requests.filter(({ name }) => name === 'addFile' || name === 'setConnections')).toEqual([]);
});

test('[WI-331] a file that the server refuses to copy is reported with its reason', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  fake.answers = { addFile: refusal(409, 'A link is in the way.') };
  await openPage(page, url);
  drop(['a.csv', 'file']);
  await expect(words(page, 'a.csv was not copied: A link is in the way.')).toBeVisible();
});

test.for<[string, Dropped, string, string]>([
  [
    'a large file',
    ['Rides 2024.csv', 'file', 600 * 1024 ** 2],
    'file:///data/rides.csv',
    'import pandas as pd\n\nrides_2024_table = pd.read_csv(Rides_2024)\nrides_2024_table',
  ],
  [
    'a folder',
    ['raw', 'folder'],
    'file:///data/raw',
    'from pathlib import Path\n\nsorted(str(path) for path in Path(raw).rglob("*"))[:100]',
  ],
])(
  '[WI-332] what is not copied is mounted, with a cell that reads it: %s',
  async ([, dropped, uri, source], { page, serve }) => {
    const { fake, url } = await serve(fakeBody({ name: 'Mounts', cells: [] }));
    await openPage(page, url);
    drop(dropped);
    await page.getByRole('button', { name: 'Add mount' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a mount' });
    await expect(dialog).toContainText(`The browser does not show where ${dropped[0]} is.`);
    await dialog.getByRole('textbox', { name: 'Location' }).fill(uri);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toHaveCount(0);
    await expect.poll(() => fake.body.mounts.map((mount) => mount.uri)).toEqual([uri]);
    await expect.poll(() => fake.body.cells.map((cell) => cell.source)).toEqual([source]);
  },
);

test('[WI-333] pasted files become cells as dropped ones do; a picture pasted with text does not', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(
    fakeBody({ name: 'Paste', cells: [fakeCell({ id: 'a', source: 'a = 1' })] }),
  );
  fake.answers = { addFile: { path: 'images/image.png' } };
  await openPage(page, url);
  await page.locator('[data-cell-id=a] .cell-name').click();
  const paste = (text: string): void => {
    const clipboardData = { ...transferOf([['image.png', 'file']]), getData: () => text };
    const event = new Event('paste', { bubbles: true, cancelable: true });
    document.querySelector('[data-cell-id=a]')?.dispatchEvent(Object.assign(event, { clipboardData }));
  };
  paste('');
  await expect
    .poll(() => fake.body.cells.map((cell) => cell.source))
    .toEqual(['a = 1', '![image](images/image.png)']);
  paste('b = 2');
  await expect.poll(() => fake.body.cells.some((cell) => cell.source === 'b = 2')).toBe(true);
  expect(fake.requests.filter(({ name }) => name === 'addFile')).toHaveLength(1);
});

const SCHEMA = {
  connection: 'shop',
  driver: 'sqlite',
  tables: [
    {
      catalog: null,
      schema: 'main',
      name: 'or"ders',
      columns: [{ name: 'id', type: 'INTEGER', nullable: false }],
    },
  ],
};

test('[WI-334] [WI-335] the data panel shows first rows of files and tables, and inserts cells that read them', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(fakeBody({ name: 'Data', cells: [] }));
  const modified_at = '2026-01-01T00:00:00Z';
  fake.files = [
    { path: 'data/trips.csv', kind: 'data', size: 100, modified_at },
    { path: 'data/notes.xml', kind: 'data', size: 100, modified_at },
    { path: 'shop.db', kind: 'data', size: 100, modified_at },
  ];
  fake.body = { ...fake.body, connections: [{ name: 'shop', driver: 'sqlite', path: 'shop.db' }] };
  const copyRequests: unknown[] = [];
  fake.answers = {
    connectionSchema: SCHEMA,
    sampleData: ({ body }) => {
      copyRequests.push(body);
      return {
        columns: [
          { name: 'id', type: 'int64' },
          { name: 'note', type: 'text' },
        ],
        rows: [
          [1, '<b>bold</b>'],
          [2, null],
        ],
      };
    },
  };
  await openPage(page, url);
  await page
    .getByRole('navigation', { name: 'Panels' })
    .getByRole('button', { name: 'Data', exact: true })
    .click();
  const files = page.getByRole('region', { name: 'Data files' });
  await expect(files.locator('[data-file]')).toHaveCount(2);
  await files.getByRole('button', { name: 'Show the first rows of data/trips.csv' }).click();
  const dialog = page.getByRole('dialog', { name: 'First rows of data/trips.csv' });
  await expect(dialog.locator('tbody tr')).toHaveText(['1<b>bold</b>', '2null']);
  await dialog.getByRole('button', { name: 'Insert a cell that reads this' }).click();
  await expect(dialog).toHaveCount(0);
  const table = page.getByRole('region', { name: 'Connections' });
  await table.locator('summary', { hasText: 'shop' }).click();
  await table.getByRole('button', { name: 'Show the first rows of or"ders' }).click();
  await expect(page.getByRole('dialog', { name: 'First rows of or"ders' }).locator('tbody tr')).toHaveCount(
    2,
  );
  await page.keyboard.press('Escape');
  await table.getByRole('button', { name: 'Insert a cell that reads or"ders' }).click();
  await expect
    .poll(() => fake.body.cells.map((cell) => cell.source))
    .toEqual([
      'import pandas as pd\n\ntrips = pd.read_csv("data/trips.csv")\ntrips',
      '# @sql connection=shop\nSELECT *\nFROM "main"."or""ders"\nLIMIT 1000',
    ]);
  expect(copyRequests).toEqual([
    { of: 'file', path: 'data/trips.csv' },
    { of: 'table', connection: 'shop', table: { catalog: null, schema: 'main', name: 'or"ders' } },
  ]);
});

test('[WI-334] data without first rows shows the reason', async ({ page, serve }) => {
  const { fake, url } = await serve(fakeBody({ name: 'Data', cells: [] }));
  fake.files = [{ path: 'bad.csv', kind: 'data', size: 100, modified_at: '2026-01-01T00:00:00Z' }];
  fake.answers = { sampleData: refusal(400, 'The file is not a CSV file.') };
  await openPage(page, url);
  await page
    .getByRole('navigation', { name: 'Panels' })
    .getByRole('button', { name: 'Data', exact: true })
    .click();
  await page.getByRole('button', { name: 'Show the first rows of bad.csv' }).click();
  await expect(page.getByRole('dialog', { name: 'First rows of bad.csv' }).getByRole('alert')).toContainText(
    'The file is not a CSV file.',
  );
});

test.for<
  [what: string, cells: readonly (readonly [source: string, tests: string])[], rest: readonly string[]]
>([
  ['the empty cell of a new notebook', [['', '']], []],
  [
    'the empty cell that is selected',
    [
      ['a = 1', ''],
      ['\n', ''],
    ],
    ['a = 1'],
  ],
  ['not a cell with text', [['a = 1', '']], ['a = 1']],
  ['not a cell with tests', [['', 'assert True']], ['']],
])(
  '[WI-408] a dropped file only replaces an empty cell, and undo restores it: %s',
  async ([, texts, rest], { page, serve }) => {
    const cells = texts.map(([source, test_source], at) => fakeCell({ id: `c${at}`, source, test_source }));
    const { fake, url } = await serve(fakeBody({ name: 'Drops', cells }));
    fake.answers = { addFile: () => ({ path: 'trips.csv' }) };
    await openPage(page, url);
    await page.locator(`[data-cell-id=c${cells.length - 1}] .cell-name`).click();
    drop(['trips.csv', 'file']);
    const sources = () => fake.body.cells.map(({ source }) => source);
    await expect
      .poll(sources)
      .toEqual([...rest, 'import pandas as pd\n\ntrips = pd.read_csv("trips.csv")\ntrips']);
    await expect(words(page, 'trips.csv was copied')).toBeVisible();
    await page.locator('[data-cell-id] .cell-name').last().click();
    await page.keyboard.press('z');
    await expect.poll(sources).toEqual(texts.map(([source]) => source));
  },
);

test('[WI-408] an empty cell that is typed into while the dropped file is added stays', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(fakeBody({ name: 'Drops', cells: [fakeCell({ id: 'a', source: '' })] }));
  fake.answers = { addFile: () => ({ path: 'trips.csv' }) };
  let release = (): void => undefined;
  fake.gates.addCell = new Promise((resolve) => {
    release = resolve;
  });
  await openPage(page, url);
  await expect(page.locator('[data-editor]')).toBeFocused();
  drop(['trips.csv', 'file']);
  await expect.poll(() => fake.requests.some(({ name }) => name === 'addCell')).toBe(true);
  await page.keyboard.type('x = 1');
  release();
  await expect(words(page, 'trips.csv was copied')).toBeVisible();
  await expect
    .poll(() => fake.body.cells.map(({ source }) => source))
    .toEqual(['x = 1', 'import pandas as pd\n\ntrips = pd.read_csv("trips.csv")\ntrips']);
});
