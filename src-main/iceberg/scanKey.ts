/** Computes the provenance hash of a scan, under which the data plane stores its rows. */

import { createHash } from 'node:crypto';
import type { ScanFilter } from './plan/filters.ts';

/** The identity of a scan for its provenance: two scans with the same key return the same rows. */
export interface ScanKey {
  readonly identity: string;
  /** The id of the snapshot; a text if the table has none. */
  readonly snapshotId: bigint | string;
  readonly schemaId: number;
  readonly columns: readonly string[] | null;
  readonly filters: readonly ScanFilter[];
}

/**
 * The provenance hash of a scan (docs/spec/core-services.md, 5). The hashed text equals that of the reference
 * implementation, byte for byte.
 */
export function scanProvenance({ identity, snapshotId, schemaId, columns, filters }: ScanKey): string {
  const columnText = columns === null ? '*' : `[${sortedByCodePoint(columns).map(pythonText).join(', ')}]`;
  const parts = [
    `table:${identity}@${snapshotId}`,
    `schema:${schemaId}`,
    'executor:scan@v1',
    `columns:${columnText}`,
    `filters:${filterFingerprint(filters)}`,
  ];
  return createHash('sha256').update(parts.join(''), 'utf8').digest('hex');
}

/** The first 16 digits of the MD5 of the filters as compact JSON; their order does not matter. */
export function filterFingerprint(filters: readonly ScanFilter[]): string {
  if (filters.length === 0) return 'nofilter';
  const texts = filters.map(
    ({ column, op, value }) => `{"column":${json(column)},"op":${json(op)},"value":${json(value)}}`,
  );
  return createHash('md5')
    .update(`[${texts.sort().join(',')}]`, 'utf8')
    .digest('hex')
    .slice(0, 16);
}

/** JSON in Python's format: ASCII only. */
function json(value: string | number | bigint | boolean): string {
  if (typeof value === 'number') return pythonNumber(value);
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Python writes small fractions with a two-digit exponent: 1e-05 for 0.00001. */
function pythonNumber(value: number): string {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  return value === 0 || power >= -4 ? String(value) : `${mantissa}e-${String(-power).padStart(2, '0')}`;
}

/** Python sorts by code point, JavaScript by UTF-16 unit. */
function sortedByCodePoint(texts: readonly string[]): readonly string[] {
  return [...texts].sort((a, b) => Buffer.compare(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8')));
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A text in the format of Python's repr. Column names rarely contain anything but letters. */
function pythonText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let escaped = '';
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (character === '\\' || character === quote) escaped += `\\${character}`;
    else if (Object.hasOwn(ESCAPES, character)) escaped += ESCAPES[character];
    else if (code < 0x20 || code === 0x7f) escaped += `\\x${code.toString(16).padStart(2, '0')}`;
    else escaped += character;
  }
  return `${quote}${escaped}${quote}`;
}
