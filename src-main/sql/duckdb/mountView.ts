/** Makes the statement that shows the files of a mount as a view in DuckDB. */

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SqlError } from '../sqlError.ts';

/** The formats of files in a mount; the first one that is present is used (docs/spec/sql.md, 3). */
const FORMATS: readonly { readonly reader: string; readonly endings: readonly string[] }[] = [
  { reader: 'read_parquet', endings: ['.parquet'] },
  { reader: 'read_csv', endings: ['.csv', '.csv.gz', '.tsv'] },
  { reader: 'read_json', endings: ['.json', '.jsonl', '.ndjson'] },
];

/**
 * The statement that creates a view of a mount's files with the mount's name.
 * @throws SqlError when it has no such files
 */
export function mountView(name: string, root: string): string {
  const files = filesOf(root);
  for (const { reader, endings } of FORMATS) {
    const matching = files.filter((file) => endings.some((ending) => file.toLowerCase().endsWith(ending)));
    if (matching.length === 0) continue;
    const list = matching.map((file) => `'${file.replaceAll("'", "''")}'`).join(', ');
    return `CREATE TEMP VIEW "${name.replaceAll('"', '""')}" AS SELECT * FROM ${reader}([${list}], union_by_name = true)`;
  }
  throw new SqlError(`The mount "${name}" contains no Parquet, CSV or JSON files (${root}).`);
}

function filesOf(root: string): readonly string[] {
  const stats = statSync(root, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (stats.isFile()) return [root];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
