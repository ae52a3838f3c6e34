/** Notebooks, cells and displays as input of exports, for tests. */

import type { Cell } from '../../../src-shared/wire/cell.ts';
import type { Output } from '../../../src-shared/wire/output.ts';
import { sampleCell, sampleOutput } from '../../../src-shared/wire/testing/sampleNotebook.ts';
import type { ArtifactStore } from '../../artifacts/artifact.ts';
import { NOTHING_HIDDEN } from '../../lib/redactor.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { ExportedCell, ExportView } from '../exportView.ts';

/** A display with the given fields. For tests. */
export function display(parts: Partial<Output>): Output {
  return sampleOutput({ content_type: 'json/object', ...parts });
}

/** A cell as input of an export, with the given fields. For tests. */
export function exportedCell(
  parts: Partial<Omit<Cell, 'annotations'>> & { readonly annotations?: Partial<Cell['annotations']> },
  more: Partial<Omit<ExportedCell, 'cell'>> = {},
): ExportedCell {
  const { id = 'c0000001', annotations, ...rest } = parts;
  const plain = sampleCell({ id, status: 'ready', ...rest });
  const cell: Cell = { ...plain, annotations: { ...plain.annotations, ...annotations } };
  return {
    cell,
    title: id,
    sourceHash: 'source-hash',
    runtime: {
      provenanceHash: null,
      sourceHash: null,
      envHash: null,
      inputs: [],
      reopenIdentity: null,
      error: null,
      errorSourceHash: null,
      displays: [],
      executionSamples: [],
      lastExecutionMethod: null,
      cacheHit: false,
      logRun: null,
      shownRuns: null,
      consoleDigest: null,
      errorProvenance: null,
      facts: null,
      lastRun: null,
      stoppedMs: null,
      testResult: null,
      widgetValues: {},
    },
    stored: {},
    isLoop: false,
    fetches: [],
    ...more,
  };
}

/** A notebook as input of an export. For tests. */
export function exportView(
  dir: NotebookFolder,
  store: ArtifactStore,
  parts: Partial<ExportView> = {},
): ExportView {
  return {
    dir,
    name: 'Sales of May',
    notebookId: 'n1',
    lockfileHash: 'lock',
    app: { cells: {} },
    dag: { edges: [], topological_order: [], leaves: [], roots: [], variable_producer: {} },
    cells: [],
    store,
    redactor: NOTHING_HIDDEN,
    ...parts,
  };
}
