import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, describe, expect, it } from 'vitest';
import type { CellValue } from '../columns/cellValue.ts';
import { SecondThread } from '../service/secondThread.ts';
import { TableCache } from '../service/tableCache.ts';
import type { ViewQuery } from '../service/tableQuery.ts';
import { ByteSink } from './byteSink.ts';
import { writeQuoted } from './csvField.ts';
import { EXPORTERS, type ExportFormat } from './tableExport.ts';

const folder = new URL('../fixtures/', import.meta.url);
const expected: Record<string, { readonly pageable: boolean }> = JSON.parse(
  readFileSync(new URL('expected.json', folder), 'utf8'),
);
const TABLES = Object.keys(expected).filter((name) => expected[name]?.pageable);

/** The tables here are too small for the second thread: it never starts. */
const second = new SecondThread(new URL('nowhere.ts', import.meta.url));

const file = (name: string) => ({ path: fileURLToPath(new URL(`${name}.arrow`, folder)), sha256: name });

async function exported(format: ExportFormat, query: ViewQuery): Promise<Buffer> {
  const view = new TableCache(1 << 26).view(query);
  if (view.kind === 'other') throw new Error(view.reason);
  const exportRun = EXPORTERS[format](view.table, view.order, second);
  const pieces: Uint8Array[] = [];
  for (let piece = await exportRun.next(); piece !== null; piece = await exportRun.next()) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** RFC 4180, distinguishing quoted empty fields from missing ones. */
function parseCsv(text: string): (string | null)[][] {
  const rows: (string | null)[][] = [];
  let at = 0;
  while (at < text.length) {
    const row: (string | null)[] = [];
    for (;;) {
      const field = /"((?:[^"]|"")*)"|([^",\r\n]*)/y;
      field.lastIndex = at;
      const match = field.exec(text);
      if (match === null) throw new Error(`no field at ${at}`);
      at = field.lastIndex;
      row.push(
        match[1] !== undefined ? match[1].replaceAll('""', '"') : match[2] === '' ? null : (match[2] ?? ''),
      );
      if (text[at] === ',') at += 1;
      else break;
    }
    if (text.slice(at, at + 2) !== '\r\n')
      throw new Error(`a line ends in ${JSON.stringify(text.slice(at, at + 2))}`);
    at += 2;
    rows.push(row);
  }
  return rows;
}

/** A value of a page in the form of a CSV field. */
function asField(value: CellValue): string | null {
  if (value === null) return null;
  if (value === 'Infinity') return 'inf';
  if (value === '-Infinity') return '-inf';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function page(query: ViewQuery) {
  const reference = new TableCache(1 << 26).page({ ...query, offset: 0, limit: 500 });
  if (!reference.pageable) throw new Error(reference.reason);
  return reference;
}

const VIEWS: Readonly<Record<string, Partial<ViewQuery>>> = {
  'as stored': {},
  sorted: { sortDir: 'desc' },
  searched: { search: '1' },
  'filtered to nothing': { search: 'no row has this \u{1f600}' },
};

describe.each(TABLES)('[VA-31] %s as CSV', (name) => {
  it.each(Object.keys(VIEWS))('%s: the rows of its page', async (view) => {
    const [first = null] = page(file(name)).columns;
    const query = { ...file(name), ...VIEWS[view], ...(view === 'sorted' ? { sortBy: first } : {}) };
    const current = page(query);
    const [header, ...rows] = parseCsv((await exported('csv', query)).toString('utf8'));
    expect(header).toEqual([...current.columns]);
    // Bytes are truncated on a page and complete in a file.
    const plain = (row: readonly CellValue[]) => row.map(asField);
    const isCut = (text: string | null) => text?.includes('… (') ?? false;
    expect(rows.length).toBe(current.rows.length);
    rows.forEach((row, at) => {
      const expected = plain(current.rows[at] ?? []);
      row.forEach((field, column) => {
        // A table with one column writes nulls as empty text, because readers skip blank lines.
        const alone = row.length === 1 ? (expected[column] ?? '') : expected[column];
        if (!isCut(expected[column] ?? null)) expect(field, `${header?.[column]} ${at}`).toEqual(alone);
      });
    });
  });
});

describe.each(TABLES)('[VA-32] %s as Parquet', (name) => {
  it.each(Object.keys(VIEWS))('%s: a reader gets the rows of its page', async (view) => {
    const [first = null] = page(file(name)).columns;
    const query = { ...file(name), ...VIEWS[view], ...(view === 'sorted' ? { sortBy: first } : {}) };
    const current = page(query);
    const bytes = await exported('parquet', query);
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    const rows = await parquetReadObjects({ file: buffer });
    expect(rows.length).toBe(current.rows.length);
    rows.forEach((row, at) => {
      const values = Object.values(row);
      current.rows[at]?.forEach((value, column) => {
        expect(
          values[column] === null || values[column] === undefined,
          `${current.columns[column]} ${at}`,
        ).toBe(value === null);
        if (typeof value === 'number' || typeof value === 'boolean') {
          const actual = values[column];
          expect(
            typeof actual === 'bigint' ? Number(actual) : actual,
            `${current.columns[column]} ${at}`,
          ).toBe(value);
        }
      });
    });
  });
});

describe('[VA-31] rows longer than a piece', () => {
  const dir = mkdtempSync(join(tmpdir(), 'csv-rows-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  it('of three thousand texts each', async () => {
    const text = (column: number, row: number) => `${column} ${row} `.padEnd((column + row) % 70, 'x');
    const names = Array.from({ length: 3000 }, (_, column) => `c${column}`);
    const columns = Object.fromEntries(
      names.map((name, column) => [
        name,
        vectorFromArray([text(column, 0), text(column, 1), text(column, 2)], new Utf8()),
      ]),
    );
    const path = join(dir, 'wide.arrow');
    writeFileSync(path, tableToIPC(new Table(columns), 'stream'));
    const [, ...rows] = (await exported('csv', { path, sha256: 'wide' })).toString('utf8').split('\r\n');
    expect(rows).toEqual([...[0, 1, 2].map((row) => names.map((_, c) => text(c, row)).join(',')), '']);
  });
});

describe('[VA-32] texts of a Parquet file', () => {
  const COUNT = 20_000;
  const CASES: Readonly<Record<string, (row: number) => string | null>> = {
    'one for all': () => 'x',
    'a few, with nulls': (row) => (row % 7 === 0 ? null : `é${row % 37}`),
    'as many as a dictionary holds': (row) => `text ${row % 4096}`,
    'one more than that': (row) => `text ${row % 4097}`,
    'all different': (row) => `a prefix they share ${row}`,
    'different in the middle only': (row) => `same begin ${row % 3000} same end`,
    'empty and long': (row) => (row % 2 === 0 ? '' : 'long '.repeat(40)),
    'nothing but null': () => null,
  };
  const dir = mkdtempSync(join(tmpdir(), 'parquet-texts-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  it.each(Object.keys(CASES))('%s', async (name) => {
    const values = Array.from({ length: COUNT }, (_, row) => CASES[name]?.(row) ?? null);
    const path = join(dir, 'texts.arrow');
    writeFileSync(path, tableToIPC(new Table({ x: vectorFromArray(values, new Utf8()) }), 'stream'));
    const bytes = await exported('parquet', { path, sha256: name });
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    const rows = await parquetReadObjects({ file: buffer });
    expect(rows.findIndex((row, at) => (row['x'] ?? null) !== values[at])).toBe(-1);
    expect(rows.length).toBe(COUNT);
  });
});

describe('[VA-31] fields of a CSV', () => {
  for (const [text, field] of [
    ['plain', 'plain'],
    ['', '""'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['old\rmac', '"old\rmac"'],
    [' blanks ', ' blanks '],
    ['ünï 🙂', 'ünï 🙂'],
    ['"', '""""'],
    ['=1+1', '=1+1'],
  ] as const) {
    it(JSON.stringify(text), () => {
      const sink = new ByteSink(1);
      writeQuoted(sink, Buffer.from(text));
      expect(Buffer.from(sink.bytes.subarray(0, sink.used)).toString('utf8')).toBe(field);
    });
  }
});
