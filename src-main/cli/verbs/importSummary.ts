import type { SnapshotReport } from '../../../src-shared/wire/routes/transfer.ts';

/** What became of a snapshot, in lines. */
export function snapshotSummary(report: SnapshotReport): string {
  const { imported_artifacts, replaced_notebook_id, by_reference_cells: cells } = report;
  const lines = [
    `${imported_artifacts} results came along.`,
    ...(replaced_notebook_id === null ? [] : ['It got another id: a notebook beside it has the one it had.']),
    ...(cells.length === 0 ? [] : [`Without their results: ${cells.join(', ')}`]),
  ];
  return `${lines.join('\n')}\n`;
}
