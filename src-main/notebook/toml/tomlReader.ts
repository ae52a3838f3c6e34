/** Reads typed values from the tables of notebook.toml, and reports a wrong value with its line. */

import { NotebookFileError } from './notebookFileError.ts';
import type { TomlPath } from './tomlOp.ts';
import { lineOf } from './tomlScan.ts';
import { nodeAt, startOf, treeOf } from './tomlTree.ts';
import { isTable, type TomlRecord } from './tomlValue.ts';

/**
 * A table being read, with its position in the file, so that a wrong value is reported by line and path.
 * Absent keys are null (or the fallback).
 */
export interface TableReader {
  readonly table: TomlRecord;
  readonly path: TomlPath;
  text(key: string): string | null;
  /** A required string that is not blank. */
  requiredText(key: string): string;
  number(key: string): number | null;
  integer(key: string): number | null;
  time(key: string): string | null;
  texts(key: string): Readonly<Record<string, string>>;
  /** Any table, made JSON-safe; `{}` when absent. */
  json(key: string): Readonly<Record<string, unknown>>;
  subtable(key: string): TableReader | null;
  tables(key: string): readonly TableReader[];
  /** Refuses the table. @throws NotebookFileError naming the line of `key` (of the table when null) */
  fail(key: string | null, problem: string): never;
}

/** Reads the root of a parsed document. `text` is the same document, for line numbers in errors. */
export function readerOf(table: TomlRecord, text: string, path: TomlPath = []): TableReader {
  const fail = (key: string | null, problem: string): never => {
    const place = key === null ? path : [...path, key];
    throw new NotebookFileError(`${nameOf(place)}${problem}`, { line: lineAt(text, place) });
  };
  const own = (key: string): unknown => (Object.hasOwn(table, key) ? table[key] : undefined);
  const expect = <T>(key: string, what: string, accept: (value: unknown) => T | undefined): T | null => {
    const value = own(key);
    if (value === undefined) return null;
    const accepted = accept(value);
    return accepted === undefined ? fail(key, ` must be ${what}, not ${kindOf(value)}`) : accepted;
  };
  const reader: TableReader = {
    table,
    path,
    fail,
    text: (key) => expect(key, 'a string', (value) => (typeof value === 'string' ? value : undefined)),
    requiredText: (key) => {
      const value = reader.text(key);
      if (value === null) return fail(null, `${path.length === 0 ? '' : ': '}the key ${key} is missing`);
      return value.trim() === '' ? fail(key, ' must not be empty') : value;
    },
    number: (key) =>
      expect(key, 'a finite number', (value) => (Number.isFinite(value) ? Number(value) : undefined)),
    integer: (key) =>
      expect(key, 'an integer', (value) => (Number.isInteger(value) ? Number(value) : undefined)),
    time: (key) => expect(key, 'a date and time', isoTime),
    texts: (key) => {
      const value = expect(key, 'a table of strings', (value) => (isTable(value) ? value : undefined)) ?? {};
      return Object.fromEntries(
        Object.entries(value).map(([name, item]): [string, string] => {
          if (typeof item === 'string') return [name, item];
          return readerOf(value, text, [...path, key]).fail(name, ` must be a string, not ${kindOf(item)}`);
        }),
      );
    },
    json: (key) => {
      const value = expect(key, 'a table', (value) => (isTable(value) ? value : undefined));
      return value === null ? {} : jsonTable(value);
    },
    subtable: (key) => {
      const value = expect(key, 'a table', (value) => (isTable(value) ? value : undefined));
      return value === null ? null : readerOf(value, text, [...path, key]);
    },
    tables: (key) => {
      const value =
        expect(key, 'an array of tables', (value) => (Array.isArray(value) ? value : undefined)) ?? [];
      return value.map((item: unknown, index) => {
        if (isTable(item)) return readerOf(item, text, [...path, key, index]);
        return fail(key, ` must hold tables only, not ${kindOf(item)}`);
      });
    },
  };
  return reader;
}

/** A TOML table as plain JSON: dates become ISO text, integers beyond 2^53 their digits. */
export function jsonTable(table: TomlRecord): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(table).map(([key, value]) => [key, jsonValue(value)]));
}

function jsonValue(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(jsonValue);
  return isTable(value) ? jsonTable(value) : value;
}

/** A time as ISO text. Hand-written files sometimes quote the time; both forms mean the same. */
function isoTime(value: unknown): string | undefined {
  if (!(value instanceof Date) && typeof value !== 'string') return undefined;
  const time = new Date(value instanceof Date ? value.getTime() : value);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

function kindOf(value: unknown): string {
  if (typeof value === 'string') return 'a string';
  if (typeof value === 'number') return 'a number';
  if (typeof value === 'bigint') return 'an integer that large';
  if (typeof value === 'boolean') return 'a boolean';
  if (value instanceof Date) return 'a date';
  return Array.isArray(value) ? 'an array' : 'a table';
}

function nameOf(path: TomlPath): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`))
    .join('');
}

/** The line of the deepest part of `path` in the text. Only called when reporting an error. */
function lineAt(text: string, path: TomlPath): number | null {
  const root = treeOf(text);
  for (let length = path.length; length > 0; length -= 1) {
    const node = nodeAt(root, path.slice(0, length));
    const start = node === null ? null : startOf(node);
    if (start !== null) return lineOf(text, start);
  }
  return null;
}
