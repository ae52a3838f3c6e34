import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readingCell } from '../../src-shared/notebook/dataFiles.ts';
import { addDataFile } from './addDataFile.ts';

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

const add = (dir: string, fileName: string) => addDataFile(dir, { path: join(root, 'sent'), fileName });

describe('[WI-273] a dropped file is copied under an unused name', () => {
  it.each<[string, string, readonly string[], string]>([
    ['its own', 'trips.csv', [], 'trips.csv'],
    ['with a number', 'trips.csv', ['trips.csv', 'trips-2.csv'], 'trips-3.csv'],
    ['without folders', '../../up/trips.CSV', [], 'trips.CSV'],
    ['without what a file system stumbles over', ' .a<b>:c\u0000\u202e.parquet', [], 'a_b__c__.parquet'],
    ['in any language', 'Übersicht 日本.json', [], 'Übersicht 日本.json'],
  ])('%s', async (_what, fileName, existing, expected) => {
    const dir = folder(...existing);
    expect(await add(dir, fileName)).toBe(expected);
    expect(readFileSync(join(dir, expected), 'utf8')).toBe('a,b\n1,2\n');
    for (const file of existing) expect(readFileSync(join(dir, file), 'utf8')).toBe('mine');
  });

  it.each(['run.py', 'notebook.toml', '.csv', 'csv', '', `${'x'.repeat(300)}.csv`, 'NUL.csv', 'a.csv/..'])(
    'no data file: %j',
    async (fileName) => {
      const dir = folder();
      await expect(add(dir, fileName)).rejects.toThrow('is not a file that a cell can read');
      expect(readdirSync(dir)).toEqual([]);
    },
  );

  it('an existing link with that name stays, and nothing is written through it', async () => {
    const dir = folder();
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
    ['a name of quotes', 'a"\\b.csv', [], 'a_b = pd.read_csv("a\\"\\\\b.csv")'],
    ['a name of nothing', '---.csv', [], 'data = pd.read_csv("---.csv")'],
  ])('%s', (_what, path, usedNames, line) => {
    const text = read(path, usedNames);
    expect(text?.split('\n')).toEqual(['import pandas as pd', '', line, line.split(' ')[0]]);
  });

  it('with polars if the notebook has it and no pandas; other files get no cell', () => {
    expect(read('a.csv', [], ['polars'])).toBe('import polars as pl\n\na = pl.read_csv("a.csv")\na');
    expect(read('a.csv', [], [])).toContain('pd.read_csv');
    expect(read('a.xlsx')).toBeNull();
  });
});
