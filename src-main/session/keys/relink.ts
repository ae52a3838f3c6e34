/** Builds the graph of a notebook's cells after a change of their texts or order. */

import type { GivenCode } from '../../../src-shared/notebook/forwardNames.ts';
import { buildGraph, type Graph, NO_GRAPH, reuseUnchangedLinks } from '../../../src-shared/notebook/graph.ts';
import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { withIsolated, withoutIsolated } from '../../../src-shared/notebook/isolatedCell.ts';
import type { CellAnalysis } from '../../language/cellAnalysis.ts';
import { codeLink, graphCell, loopLink } from '../../language/graphCell.ts';
import { starNamesOf } from '../../language/modules/starNames.ts';
import type { CellEntry } from '../../notebook/file/notebookFile.ts';
import { frameNames } from '../../sql/frameNames.ts';
import type { CellState, SessionState } from '../state/state.ts';

/** The inputs of a graph. */
interface GraphInputs {
  readonly cells: readonly Pick<CellState, 'id' | 'analysis'>[];
  readonly settings: string;
}

const linkedFrom = new WeakMap<Graph, GraphInputs>();

/**
 * The state with the graph of the current cells; if they have none, with the reason (docs/spec/analysis-and-graph.md,
 * 3.1).
 */
export function relink(state: SessionState): SessionState {
  const now: GraphInputs = {
    cells: Array.from(state.cells.values(), ({ id, analysis }) => ({ id, analysis })),
    settings: JSON.stringify([
      state.file.variantGroups,
      [...(state.modules.stars ?? [])],
      // Decides whether a name is a table of the connection's database or a data frame.
      state.file.connections.map(({ name, driver, path, catalog, mounts }) => [
        name,
        driver,
        path,
        catalog,
        mounts,
      ]),
    ]),
  };
  const graph = state.graphError === null ? nearlyThat(state.graph, now) : null;
  const linked = graph === null ? linkAll(state) : { ...state, graph };
  if (linked.graphError === null) linkedFrom.set(linked.graph, now);
  return linked;
}

/**
 * The graph for `now`, adapted from `graph`, if the inputs are the same or differ by one cell without links:
 * a cell was added, or an empty one deleted. Null if everything must be linked again.
 */
function nearlyThat(graph: Graph, now: GraphInputs): Graph | null {
  const then = linkedFrom.get(graph);
  if (then === undefined || then.settings !== now.settings) return null;
  const [a, b] = [then.cells, now.cells];
  const isSame = (i: number, j: number): boolean =>
    a[i]?.id === b[j]?.id && a[i]?.analysis === b[j]?.analysis;
  let at = 0;
  while (at < Math.min(a.length, b.length) && isSame(at, at)) at += 1;
  const more = b.length - a.length;
  if (more === 0 && at === a.length) return graph;
  if (more !== 1 && more !== -1) return null;
  const longer = more === 1 ? b : a;
  for (let i = at + 1; i < longer.length; i += 1) {
    if (!(more === 1 ? isSame(i - 1, i) : isSame(i, i - 1))) return null;
  }
  const other = longer[at];
  if (other === undefined || !isIsolated(other, longer)) return null;
  if (more === -1) return withoutIsolated(graph, other.id);
  return withIsolated(
    graph,
    other.id,
    b.map(({ id }) => id),
  );
}

function isIsolated({ id, analysis }: GraphInputs['cells'][number], all: GraphInputs['cells']): boolean {
  const { defines, references, builtinReferences, maybeReferences, annotations } = analysis;
  const { after, variant, perVariant, loop } = annotations;
  if (analysis.unseen.stars.length > 0) return false;
  const count =
    references.length + builtinReferences.length + maybeReferences.length + analysis.tableNames.length;
  const isAlone =
    defines.length + count + after.length === 0 && variant === null && perVariant === null && loop === null;
  // A cell may wait for one that was deleted and is restored now.
  return isAlone && !all.some(({ analysis: other }) => other.annotations.after.includes(id));
}

function linkAll(state: SessionState): SessionState {
  const cells = Array.from(state.cells.values(), ({ id, analysis }) =>
    graphCell(id, analysis, starNamesOf(analysis.unseen.stars, state.modules), framesOf(state, analysis)),
  );
  const result = buildGraph(cells, state.file.variantGroups);
  return result.kind === 'graph'
    ? { ...state, graph: reuseUnchangedLinks(state.graph, result.graph), graphError: null }
    : { ...state, graph: { ...NO_GRAPH, ...result.variants }, graphError: result.message };
}

function framesOf({ file }: SessionState, { annotations, tableNames }: CellAnalysis): readonly string[] {
  if (tableNames.length === 0) return tableNames;
  const { connection: name, write } = annotations.sql;
  const connection = file.connections.find((block) => block.name === name) ?? null;
  return frameNames(tableNames, { connection, write });
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, i) => name === b[i]);
}

/** The state with the folder's current modules, linked again if a star import depends on them. */
export function withModules(state: SessionState, modules: SessionState['modules']): SessionState {
  const next = { ...state, modules };
  const isSame =
    JSON.stringify([...(modules.stars ?? [])]) === JSON.stringify([...(state.modules.stars ?? [])]);
  return isSame ? next : relink(next);
}

/** Whether two analyses of a cell give the same links, so that the graph can stay as it is. */
export function haveSameLinks(a: CellAnalysis, b: CellAnalysis): boolean {
  return (
    sameNames(a.defines, b.defines) &&
    sameNames(a.references, b.references) &&
    sameNames(a.builtinReferences, b.builtinReferences) &&
    sameNames(
      a.unseen.stars.map(({ text }) => text),
      b.unseen.stars.map(({ text }) => text),
    ) &&
    sameNames(a.maybeReferences, b.maybeReferences) &&
    sameNames(a.maybeDefines, b.maybeDefines) &&
    sameNames(a.tableNames, b.tableNames) &&
    (a.tableNames.length === 0 || JSON.stringify(a.annotations.sql) === JSON.stringify(b.annotations.sql)) &&
    sameNames(a.annotations.after, b.annotations.after) &&
    JSON.stringify(loopLink(a)) === JSON.stringify(loopLink(b)) &&
    sameVariant(a.annotations, b.annotations) &&
    sameCode(codeLink(a), codeLink(b))
  );
}

function sameCode(a: GivenCode | null, b: GivenCode | null): boolean {
  return a === b || JSON.stringify([...(a ?? [])]) === JSON.stringify([...(b ?? [])]);
}

function sameVariant(a: CellAnalysis['annotations'], b: CellAnalysis['annotations']): boolean {
  return (
    a.variant?.group === b.variant?.group &&
    a.variant?.name === b.variant?.name &&
    (a.perVariant === null) === (b.perVariant === null) &&
    a.perVariant?.group === b.perVariant?.group
  );
}

/** Whether two parsed blocks of a cell are equal; the file is parsed again after every write. */
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

/** Cells in the order of the notebook file; unchanged cells keep their identity. */
export function inFileOrder(state: SessionState): ReadonlyMap<CellId, CellState> {
  const ordered = new Map<CellId, CellState>();
  for (const entry of state.file.cells) {
    const cell = state.cells.get(entry.id);
    if (cell !== undefined) ordered.set(entry.id, sameEntry(cell.entry, entry) ? cell : { ...cell, entry });
  }
  return ordered;
}
