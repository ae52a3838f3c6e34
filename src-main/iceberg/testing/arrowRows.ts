/** Compares Arrow tables in tests: their rows and columns as sorted texts. */

import { type Table, tableFromIPC } from 'apache-arrow';

/** A value of an Arrow table as text; different values have different texts. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number') return Object.is(value, -0) ? '0' : String(value);
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (ArrayBuffer.isView(value)) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex');
  }
  const object = value as Iterable<unknown> & { toJSON?: () => unknown };
  if (Symbol.iterator in object) return `[${Array.from(object, shown).sort().join(', ')}]`;
  return String(value);
}

/** The rows of an Arrow table as sorted texts, with columns in the order of their names. */
export function rowsOf(table: Table): readonly string[] {
  const names = table.schema.fields.map(({ name }) => name);
  const order = names.map((name, i) => ({ name, i })).sort((a, b) => (a.name < b.name ? -1 : 1));
  const vectors = order.map(({ name, i }) => ({ name, vector: table.getChildAt(i) }));
  return Array.from({ length: table.numRows }, (_, row) =>
    vectors.map(({ name, vector }) => `${name}=${shown(vector?.get(row))}`).join('; '),
  ).sort();
}

/**
 * The columns with their types, in the order of their names. pyiceberg uses wider offsets for some types,
 * which counts as the same type.
 */
export function typesOf(table: Table): readonly string[] {
  return table.schema.fields
    .map(({ name, type }) => `${name}: ${String(type).replaceAll('Large', '')}`)
    .sort();
}

export async function collected(pieces: AsyncIterable<Uint8Array>): Promise<Table> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return tableFromIPC(Buffer.concat(all));
}
