/** Computes the diagnostics of all cells, and reuses those of cells that did not change. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { Diagnostic } from '../../../src-shared/wire/cell.ts';
import type { CheckedNotebook } from '../../language/checks/check.ts';
import { diagnosticsOf } from '../../language/checks/checks.ts';
import { callsReadingCode } from '../../language/checks/keptValues.ts';
import { changesInPlace } from '../../language/checks/sharedObjects.ts';
import { readsOtherCells } from '../../language/checks/unseen.ts';
import type { NotebookFile } from '../../notebook/file/notebookFile.ts';
import type { CellState, SessionState } from '../state/state.ts';

/**
 * Every cell with its current diagnostics (docs/spec/annotations.md, 1.3: on open, reload and edit). Cells whose
 * diagnostics do not change keep their identity.
 */
export function withDiagnostics(state: SessionState): SessionState {
  const notebook: CheckedNotebook = { ...state, serverWorkers: state.options.serverWorkers };
  let cells: Map<CellId, CellState> | null = null;
  for (const [id, cell] of state.cells) {
    const diagnostics = keptDiagnostics(cell, notebook);
    if (diagnostics === cell.diagnostics || sameList(diagnostics, cell.diagnostics)) continue;
    cells ??= new Map(state.cells);
    cells.set(id, { ...cell, diagnostics });
  }
  return cells === null ? state : { ...state, cells };
}

/** The inputs of a cell's checks, and their results. */
interface CheckedCell {
  readonly analysis: CellState['analysis'];
  readonly source: string;
  readonly settings: string;
  readonly links: readonly unknown[];
  readonly diagnostics: readonly Diagnostic[];
  /** The graph these links were last compared in. */
  readonly graph: SessionState['graph'];
}

const checked = new WeakMap<CellState['entry'], CheckedCell>();
const settingsTexts = new WeakMap<NotebookFile, string>();

/**
 * The parts of notebook.toml that checks use, as text for comparison: the file is parsed again after every
 * write.
 */
function settingsOf(file: NotebookFile): string {
  const cached = settingsTexts.get(file);
  if (cached !== undefined) return cached;
  const { worker, workers, mounts, connections, malformedConnections, variantGroups } = file;
  const text = JSON.stringify([worker, workers, mounts, connections, malformedConnections, variantGroups]);
  settingsTexts.set(file, text);
  return text;
}

/** The parts of the graph that checks use; unchanged parts keep their identity. */
function linksOf(id: CellId, graph: SessionState['graph']): readonly unknown[] {
  return [
    graph.groups,
    graph.wiring.get(id),
    graph.bundles.get(id),
    graph.fanOuts.get(id),
    graph.consumed.get(id),
    graph.below.get(id),
    graph.topologicalOrder.length === 0,
  ];
}

/**
 * Runs for every cell at every walk, and recomputes only if the cell, its links or the notebook's settings
 * changed. A variant is compared with the texts of its siblings, a loop with the ids of all cells, a private
 * name with the names of the other cells: no link shows these, so they are recomputed every time.
 */
function keptDiagnostics(cell: CellState, notebook: CheckedNotebook): readonly Diagnostic[] {
  const { entry, analysis, source } = cell;
  const { graph, file } = notebook;
  const last = checked.get(entry);
  const settings = settingsOf(file);
  const isSetAlike =
    last !== undefined && last.analysis === analysis && last.source === source && last.settings === settings;
  // The graph object also changes when the code that cells provide reads other names (relink.ts).
  if (isSetAlike && last.graph === graph) return last.diagnostics;
  const { variant, loop, setup } = analysis.annotations;
  if (
    variant !== null ||
    loop !== null ||
    setup ||
    readsOtherCells(cell) ||
    changesInPlace(cell, notebook) ||
    callsReadingCode(cell, notebook)
  ) {
    checked.delete(entry);
    return diagnosticsOf(cell, notebook);
  }
  const links = linksOf(cell.id, graph);
  const holds = isSetAlike && links.every((link, i) => link === last.links[i]);
  const diagnostics = holds ? last.diagnostics : diagnosticsOf(cell, notebook);
  checked.set(entry, { analysis, source, settings, links, diagnostics, graph });
  return diagnostics;
}

function sameList(a: readonly Diagnostic[], b: readonly Diagnostic[]): boolean {
  return (
    a.length === b.length &&
    a.every((one, i) => {
      const other = b[i];
      return (
        one === other ||
        (one.code === other?.code &&
          one.severity === other.severity &&
          one.line === other.line &&
          one.message === other.message &&
          one.subject === other.subject)
      );
    })
  );
}
