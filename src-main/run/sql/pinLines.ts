/** Makes the lines of a SQL cell's key for the snapshots at which the tables of a catalog are read. */

import { createHash } from 'node:crypto';
import { readPins } from '../../sql/duckdb/pins.ts';

/**
 * The lines that the snapshots of a catalog's tables add to a key (docs/spec/sql.md, 3). @returns `isWhole`:
 * false if a table has no snapshot yet, so that no stored result matches
 */
export function pinLines(
  catalog: string,
  pins: string,
): { readonly lines: readonly string[]; readonly isWhole: boolean } {
  const tables = Object.entries(readPins(pins)).map(([table, id]) => ({ uri: `${catalog}:${table}`, id }));
  return {
    lines: tables.map(({ uri, id }) => `lake_${sha256(uri).slice(0, 16)}:table:${uri}:${id ?? 'none'}`),
    isWhole: tables.every(({ id }) => id !== null),
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
