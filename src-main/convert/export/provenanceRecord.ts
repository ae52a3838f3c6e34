import type { ArtifactRow } from '../../artifacts/artifact.ts';
import type { ExportedCell, ExportView } from '../exportView.ts';
import { isVariableLabel } from '../labels.ts';

/**
 * The content of `provenance.json` in an exported zip: what was computed from what, without the values
 * (docs/spec/export-and-import.md, 1).
 */
export function provenanceRecord(view: ExportView): Buffer {
  const cells = view.cells.map((exported) => [exported.cell.id, cellRecord(exported)]);
  return jsonBytes({
    notebook_id: view.notebookId,
    lockfile_hash: view.lockfileHash,
    dag: view.dag,
    cells: Object.fromEntries(cells),
  });
}

function cellRecord({ cell, sourceHash, stored }: ExportedCell) {
  const outputs = Object.entries(stored).flatMap(([name, [newest]]) =>
    newest === undefined || !isVariableLabel(name) ? [] : [outputRecord(name, newest)],
  );
  const { defines, references, status, artifact_uri } = cell;
  return { source_hash: sourceHash, defines, references, status, artifact_uri, outputs };
}

function outputRecord(name: string, { id, version, contentSha256 }: ArtifactRow) {
  return { name, artifact_id: id, version, content_sha256: contentSha256 };
}

export function jsonBytes(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}
