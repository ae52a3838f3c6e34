import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { Diagnostic } from '../../../src-shared/wire/cell.ts';
import type { CheckedNotebook } from '../../language/checks/check.ts';
import { diagnosticsOf } from '../../language/checks/checks.ts';
import { callsReadingCode } from '../../language/checks/keptValues.ts';
import { looksAround } from '../../language/checks/unseen.ts';
import type { NotebookFile } from '../../notebook/file/notebookFile.ts';
import type { CellState, SessionState } from '../state/state.ts';

/**
 * Every cell with what is wrong in it now (annotations 1.3: on open, reload and edit). Cells of which nothing new is
 * to be said keep their identity.
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

/** What the checks of a cell looked at, and what they said. */
interface Checked {
  readonly analysis: CellState['analysis'];
  readonly source: string;
  readonly settings: string;
  readonly links: readonly unknown[];
  readonly diagnostics: readonly Diagnostic[];
  /** In which the links were last found to be these. */
  readonly graph: SessionState['graph'];
}

const checked = new WeakMap<CellState['entry'], Checked>();
const settingsTexts = new WeakMap<NotebookFile, string>();

/** What of notebook.toml checks go by, as text to compare: the file is read anew after every write. */
function settingsOf(file: NotebookFile): string {
  const known = settingsTexts.get(file);
  if (known !== undefined) return known;
  const { worker, workers, mounts, connections, malformedConnections, variantGroups } = file;
  const text = JSON.stringify([worker, workers, mounts, connections, malformedConnections, variantGroups]);
  settingsTexts.set(file, text);
  return text;
}

/** What checks see of the graph; the parts keep their identity while they are alike. */
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
 * Asked of every cell at every walk, and answered anew only where the cell, its links or the notebook's settings are
 * others. A variant is held against the texts of its siblings, a loop against the ids of all cells, a private
 * name against the names of the other cells: what no link shows, and so they are asked every time.
 */
function keptDiagnostics(cell: CellState, notebook: CheckedNotebook): readonly Diagnostic[] {
  const { entry, analysis, source } = cell;
  const { graph, file } = notebook;
  const known = checked.get(entry);
  const settings = settingsOf(file);
  const isSetAlike =
    known !== undefined &&
    known.analysis === analysis &&
    known.source === source &&
    known.settings === settings;
  // A graph is another one, too, where the code that cells give reads other names (relink.ts).
  if (isSetAlike && known.graph === graph) return known.diagnostics;
  const { variant, loop, setup } = analysis.annotations;
  if (variant !== null || loop !== null || setup || looksAround(cell) || callsReadingCode(cell, notebook)) {
    checked.delete(entry);
    return diagnosticsOf(cell, notebook);
  }
  const links = linksOf(cell.id, graph);
  const holds = isSetAlike && links.every((link, i) => link === known.links[i]);
  const diagnostics = holds ? known.diagnostics : diagnosticsOf(cell, notebook);
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
