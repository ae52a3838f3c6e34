import { buildGraph, type Graph, type GraphCell, keepAlike } from '../../src-shared/notebook/graph.ts';
import type { CellId } from '../../src-shared/notebook/ids.ts';
import type { CellAnalysis } from '../language/analyzeCell.ts';
import type { CellEntry } from '../notebook/notebookFile.ts';
import type { CellState, SessionState } from './state.ts';

/** What a notebook has whose cells cannot be ordered: no edges, nothing consumed, nothing to plan. */
export const NO_GRAPH: Graph = {
  edges: [],
  topologicalOrder: [],
  roots: [],
  leaves: [],
  variableProducer: new Map(),
  upstream: new Map(),
  downstream: new Map(),
  consumed: new Map(),
  wiring: new Map(),
  shadowWarnings: new Map(),
};

function graphCell(cell: CellState): GraphCell {
  const { defines, references, builtinReferences, annotations } = cell.analysis;
  return { id: cell.id, defines, references, builtinReferences, after: annotations.after };
}

/** The graph of the cells as they are now. A cycle leaves none, said in words (semantics 3.1). */
export function relink(state: SessionState): SessionState {
  const result = buildGraph([...state.cells.values()].map(graphCell));
  return result.kind === 'graph'
    ? { ...state, graph: keepAlike(state.graph, result.graph), graphError: null }
    : { ...state, graph: NO_GRAPH, graphError: result.message };
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, i) => name === b[i]);
}

/** Whether two analyses of a cell link it alike, so that the graph can stay as it is. */
export function linksAlike(a: CellAnalysis, b: CellAnalysis): boolean {
  return (
    sameNames(a.defines, b.defines) &&
    sameNames(a.references, b.references) &&
    sameNames(a.builtinReferences, b.builtinReferences) &&
    sameNames(a.annotations.after, b.annotations.after)
  );
}

/** Whether two readings of a cell's block say the same; the file is parsed anew after every write. */
export function sameEntry(a: CellEntry, b: CellEntry): boolean {
  return (
    a === b ||
    (a.file === b.file &&
      a.language === b.language &&
      a.order === b.order &&
      a.worker === b.worker &&
      a.timeout === b.timeout &&
      a.createdBy === b.createdBy &&
      a.updatedBy === b.updatedBy &&
      JSON.stringify([a.env, a.mounts]) === JSON.stringify([b.env, b.mounts]))
  );
}

/** Cells in the order the notebook file gives them; those it says nothing new of keep their identity. */
export function inFileOrder(state: SessionState): ReadonlyMap<CellId, CellState> {
  const ordered = new Map<CellId, CellState>();
  for (const entry of state.file.cells) {
    const cell = state.cells.get(entry.id);
    if (cell !== undefined) ordered.set(entry.id, sameEntry(cell.entry, entry) ? cell : { ...cell, entry });
  }
  return ordered;
}
