import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cellOfFile, fileUse, pictureText, readingCell } from '../../src-shared/notebook/dataFiles.ts';
import { mountCell } from '../../src-shared/notebook/mountCell.ts';
import { addDataFile } from './addDataFile.ts';
import { type NotebookFolder, notebookFolder } from './folder/notebookFolder.ts';

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'cellar-drop-'));
  writeFileSync(join(root, 'sent'), 'a,b\n1,2\n');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

let count = 0;
function folder(...files: readonly string[]): string {
  count += 1;
  const dir = join(root, `n${count}`);
  mkdirSync(dir);
  for (const file of files) writeFileSync(join(dir, file), 'mine');
  return dir;
}

const add = (dir: NotebookFolder, fileName: string) =>
  addDataFile(dir, { path: join(root, 'sent'), fileName });

describe('[WI-273] a dropped file is copied under an unused name', () => {
  it.each<[string, string, readonly string[], string]>([
    ['its own', 'trips.csv', [], 'trips.csv'],
    ['with a number', 'trips.csv', ['trips.csv', 'trips-2.csv'], 'trips-3.csv'],
    ['without folders', '../../up/trips.CSV', [], 'trips.CSV'],
    ['without characters that file systems reject', ' .a<b>:c\u0000\u202e.parquet', [], 'a_b__c__.parquet'],
    ['with a number before a double ending', 'a.csv.gz', ['a.csv.gz'], 'a-2.csv.gz'],
    ['of a database', 'shop.DB', [], 'shop.DB'],
    ['of a workbook', 'Book 1.xlsx', [], 'Book 1.xlsx'],
    ['in any language', 'Übersicht 日本.json', [], 'Übersicht 日本.json'],
  ])('%s', async (_what, fileName, existing, expected) => {
    const dir = notebookFolder(folder(...existing));
    expect(await add(dir, fileName)).toBe(expected);
    expect(readFileSync(join(dir, expected), 'utf8')).toBe('a,b\n1,2\n');
    for (const file of existing) expect(readFileSync(join(dir, file), 'utf8')).toBe('mine');
  });

  it.each(['run.py', 'notebook.toml', '.csv', 'csv', '', `${'x'.repeat(300)}.csv`, 'NUL.csv', 'a.csv/..'])(
    'no data file: %j',
    async (fileName) => {
      const dir = notebookFolder(folder());
      await expect(add(dir, fileName)).rejects.toThrow('is not a file that a cell can read');
      expect(readdirSync(dir)).toEqual([]);
    },
  );

  it('an existing link with that name stays, and nothing is written through it', async () => {
    const dir = notebookFolder(folder());
    symlinkSync(join(root, 'elsewhere'), join(dir, 'trips.csv'));
    expect(await add(dir, 'trips.csv')).toBe('trips-2.csv');
    expect(lstatSync(join(dir, 'trips.csv')).isSymbolicLink()).toBe(true);
    expect(readdirSync(root)).not.toContain('elsewhere');
  });
});

describe('[WI-274] the cell reads the file into an unused name', () => {
  const read = (
    path: string,
    usedNames: readonly string[] = [],
    packages: readonly string[] = ['pandas', 'polars'],
  ) => readingCell(path, { taken: new Set(usedNames), packages: new Set(packages) });

  it.each<[string, string, readonly string[], string]>([
    ['a CSV', 'Bike trips 2024.csv', [], 'bike_trips_2024 = pd.read_csv("Bike trips 2024.csv")'],
    ['a TSV', 'a.tsv', [], 'a = pd.read_csv("a.tsv", sep="\\t")'],
    ['a Parquet file', 'a.parquet', ['a'], 'a_2 = pd.read_parquet("a.parquet")'],
    ['JSON', '2024.json', [], 'data_2024 = pd.read_json("2024.json")'],
    ['lines of JSON', 'class.jsonl', [], 'data = pd.read_json("class.jsonl", lines=True)'],
    ['a name with a quote and a backslash', 'a"\\b.csv', [], 'a_b = pd.read_csv("a\\"\\\\b.csv")'],
    ['a name without letters', '---.csv', [], 'data = pd.read_csv("---.csv")'],
  ])('%s', (_what, path, usedNames, line) => {
    const text = read(path, usedNames);
    expect(text?.split('\n')).toEqual(['import pandas as pd', '', line, line.split(' ')[0]]);
  });

  it('with polars if the notebook has it and no pandas; other files get no cell', () => {
    expect(read('a.csv', [], ['polars'])).toBe('import polars as pl\n\na = pl.read_csv("a.csv")\na');
    expect(read('a.csv', [], [])).toContain('pd.read_csv');
    expect(read('a.docx')).toBeNull();
  });
});

describe('[WI-330] the kind of a file decides its cell', () => {
  it.each([
    ['a.csv', 'table'],
    ['a.CSV.gz', 'table'],
    ['dir/a.tsv.gz', 'table'],
    ['a.tar.gz', null],
    ['a.json.gz', null],
    ['a.xlsx', 'table'],
    ['a.feather', 'table'],
    ['a.db', 'database'],
    ['a.sqlite3', 'database'],
    ['a.duckdb', 'database'],
    ['a.JPEG', 'picture'],
    ['a.svg', null],
    ['a.py', null],
    ['.csv', null],
    ['dir/.png', null],
    ['csv', null],
    ['a.constructor', null],
  ] as const)('%s is %s', (name, use) => expect(fileUse(name)).toBe(use));

  const around = { taken: new Set<string>(), packages: new Set<string>(), connections: [] };

  it('a database gets a connection named after it, or uses its existing one', () => {
    const shop = { name: 'shop', driver: 'sqlite', path: 'data/shop.db' };
    const fresh = cellOfFile('data/shop.db', around);
    expect(fresh).toMatchObject({ language: 'sql', connection: shop });
    expect(cellOfFile('data/shop.db', { ...around, connections: [shop] })).toEqual({
      language: 'sql',
      source: fresh?.source,
    });
    const other = { ...shop, path: 'other.db' };
    expect(cellOfFile('data/shop.db', { ...around, connections: [other] })?.connection?.name).toBe('shop_2');
    expect(cellOfFile('日本.sqlite', around)?.connection?.name).toBe('db');
    expect(cellOfFile('big.duckdb', around)?.source).toContain('information_schema');
  });

  it.each([
    ['images/a.png', '![a](images/a.png)'],
    ['images/a b (1).png', '![a b (1)](images/a%20b%20%281%29.png)'],
    ['images/[x] #1.png', '![x  #1](images/%5Bx%5D%20%231.png)'],
  ])('the text of the picture %s', (path, text) => expect(pictureText(path)).toBe(text));

  it.each([
    ['file:///d/rides.csv.gz', 'rides_table = pd.read_csv(rides)\nrides_table'],
    ['s3://b/a.tsv', 'rides_table = pd.read_csv(rides, sep="\\t")\nrides_table'],
    ['https://x.example/a.parquet?v=1', 'rides_table = pd.read_parquet(rides)\nrides_table'],
    ['file:///d/raw', 'Path(rides).rglob("*"))[:100]'],
  ])('a cell reads the mount of %s by its variable', (uri, end) => {
    expect(mountCell({ name: 'rides', uri }, around).endsWith(end)).toBe(true);
  });
});

describe('[WI-338] a picture is copied into a folder of pictures', () => {
  it('a folder is created, and keeps its contents', async () => {
    const dir = notebookFolder(folder());
    expect(await add(dir, 'map.png')).toBe('images/map.png');
    expect(await add(dir, 'map.png')).toBe('images/map-2.png');
    expect(readdirSync(join(dir, 'images')).sort()).toEqual(['map-2.png', 'map.png']);
  });

  it('never through a link', async () => {
    const dir = notebookFolder(folder());
    mkdirSync(join(root, 'elsewhere-pictures'));
    symlinkSync(join(root, 'elsewhere-pictures'), join(dir, 'images'));
    await expect(add(dir, 'map.png')).rejects.toThrow();
    expect(readdirSync(join(root, 'elsewhere-pictures'))).toEqual([]);
  });

  it('unless it is too large for a page', async () => {
    const dir = notebookFolder(folder());
    const path = join(root, 'large');
    writeFileSync(path, '');
    truncateSync(path, 32 * 1024 ** 2 + 1);
    await expect(addDataFile(dir, { path, fileName: 'a.png' })).rejects.toThrow('larger than 32 MiB');
    expect(readdirSync(dir)).toEqual([]);
  });
});
