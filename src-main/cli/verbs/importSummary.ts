/** Formats the report about an imported snapshot for the terminal, for `svc import`. */

import type { SnapshotReport } from '../../../src-shared/wire/routes/transfer.ts';

/** The result of importing a snapshot, as lines. */
export function snapshotSummary(report: SnapshotReport): string {
  const { imported_artifacts, replaced_notebook_id, by_reference_cells: cells } = report;
  const lines = [
    `${imported_artifacts} results imported.`,
    ...(replaced_notebook_id === null
      ? []
      : ['It has a new id, because a notebook with the same id already exists.']),
    ...(cells.length === 0 ? [] : [`Cells without results: ${cells.join(', ')}`]),
  ];
  return `${lines.join('\n')}\n`;
}
