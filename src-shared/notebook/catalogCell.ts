/** Makes the source of a cell that reads a table of an Iceberg catalog, for the Data panel. */

import { type NotebookFacts, unusedName } from './dataFiles.ts';
import { isPythonName } from './pythonNames.ts';

/**
 * The Python text of a cell that reads a table of a catalog and shows it. Its `@table` line makes the cell stale when
 * the table has a new snapshot; with a pin it always reads that snapshot.
 */
export function catalogCell(
  {
    catalog,
    namespace,
    table,
    snapshotId,
  }: {
    readonly catalog: string;
    readonly namespace: string;
    readonly table: string;
    readonly snapshotId: string | null;
  },
  { taken: usedNames, packages }: Pick<NotebookFacts, 'taken' | 'packages'>,
): string {
  const name = unusedName(table, { taken: usedNames, otherwise: 'rows', isName: isPythonName });
  const frame = packages.has('polars') && !packages.has('pandas') ? 'polars' : 'pandas';
  const pin = snapshotId === null ? '' : ` snapshot=${snapshotId}`;
  return [
    `# @table ${name}_table ${catalog}:${namespace}.${table}${pin}`,
    `${name} = svc.materialize(${name}_table, snapshot_id=${name}_table_snapshot).${frame}()`,
    name,
  ].join('\n');
}
