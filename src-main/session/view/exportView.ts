/** Makes the input of an export from an open notebook: its cells with their outputs. */

import { loopOf } from '../../../src-shared/notebook/loop.ts';
import type { ArtifactStore } from '../../artifacts/artifact.ts';
import type { ExportView } from '../../convert/exportView.ts';
import type { Redactor } from '../../lib/redactor.ts';
import { cellRuntimeOf } from '../keys/runtimeRecord.ts';
import { nameOf } from '../keys/statuses.ts';
import type { SessionState } from '../state/state.ts';
import { viewCell, viewDag } from './view.ts';
import { viewApp } from './viewApp.ts';

/** The open notebook as input of an export. */
export function exportViewOf(
  state: SessionState,
  { store, redactor }: { readonly store: ArtifactStore; readonly redactor: Redactor },
): ExportView {
  return {
    dir: state.path,
    name: state.file.name,
    notebookId: state.notebookId,
    lockfileHash: state.environment.environment.lockfile_hash,
    dag: viewDag(state),
    app: viewApp(state.file),
    cells: Array.from(state.cells.values(), (cell) => ({
      cell: viewCell(state, cell),
      title: nameOf(cell),
      sourceHash: cell.analysis.sourceHash,
      runtime: cellRuntimeOf(cell),
      stored: cell.artifacts,
      isLoop: loopOf(cell.analysis) !== null,
      fetches: cell.analysis.annotations.fetches.map(({ name, url, sha256, refetch }) => ({
        name,
        url,
        pin: sha256,
        refetch,
      })),
    })),
    store,
    redactor,
  };
}
