import { buildGraph, keepAlike, NO_GRAPH } from '../../src-shared/notebook/graph.ts';
import type { CellId } from '../../src-shared/notebook/ids.ts';
import type { CellAnalysis } from '../language/analyzeCell.ts';
import { graphCell, loopLink } from '../language/graphCell.ts';
import type { CellEntry } from '../notebook/notebookFile.ts';
import type { CellState, SessionState } from './state.ts';

/** The graph of the cells as they are now; what leaves none is said in words (semantics 3.1). */
export function relink(state: SessionState): SessionState {
  const cells = Array.from(state.cells.values(), ({ id, analysis }) => graphCell(id, analysis));
  const result = buildGraph(cells, state.file.variantGroups);
  return result.kind === 'graph'
    ? { ...state, graph: keepAlike(state.graph, result.graph), graphError: null }
    : { ...state, graph: { ...NO_GRAPH, ...result.variants }, graphError: result.message };
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
    sameNames(a.annotations.after, b.annotations.after) &&
    JSON.stringify(loopLink(a)) === JSON.stringify(loopLink(b)) &&
    sameVariant(a.annotations, b.annotations)
  );
}

function sameVariant(a: CellAnalysis['annotations'], b: CellAnalysis['annotations']): boolean {
  return (
    a.variant?.group === b.variant?.group &&
    a.variant?.name === b.variant?.name &&
    (a.perVariant === null) === (b.perVariant === null) &&
    a.perVariant?.group === b.perVariant?.group
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
