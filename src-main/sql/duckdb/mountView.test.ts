import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { mountView } from './mountView.ts';

/** Files of a mount, and what its view reads: the reader and the files, or an error message. */
const ROWS: readonly (readonly [files: readonly string[], reads: string | RegExp])[] = [
  [['a.parquet', 'b.csv', 'c.json'], 'read_parquet a.parquet'],
  [['b.csv', 'c.json', 'd.tsv', 'e.csv.gz'], 'read_csv b.csv d.tsv e.csv.gz'],
  [['c.json', 'd.jsonl', 'e.NDJSON', 'x.txt'], 'read_json c.json d.jsonl e.NDJSON'],
  [['deep/er/a.parquet', 'b.parquet'], 'read_parquet b.parquet deep/er/a.parquet'],
  [["it's.csv"], "read_csv it''s.csv"],
  [['.hidden.csv', 'x.txt'], /"m" contains no Parquet, CSV or JSON files/],
  [[], /"m" contains no Parquet/],
];
test.each(ROWS)('[SQ-23] a mount of %j is a view of the files of the first format', (files, reads) => {
  const root = mkdtempSync(join(tmpdir(), 'cellar-mount-'));
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), '');
  }
  try {
    if (reads instanceof RegExp) expect(() => mountView('m', root)).toThrow(reads);
    else {
      const [reader, ...names] = reads.split(' ');
      const list = names.map((name) => `'${join(root, name)}'`).join(', ');
      expect(mountView('m', root)).toBe(
        `CREATE TEMP VIEW "m" AS SELECT * FROM ${reader}([${list}], union_by_name = true)`,
      );
    }
  } finally {
    rmSync(root, { recursive: true });
  }
});
