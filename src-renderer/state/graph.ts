/** The graph of code cells that the Graph panel draws, cached for each model. */

import { LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';
import { cellName } from './cellName.ts';
import type { NotebookModel } from './notebookModel.ts';
import { perModel } from './perModel.ts';

/** The notebook's code cells and which of them read from which, as sent by the server. */
interface CellGraph {
  readonly nodes: readonly { readonly id: string; readonly name: string }[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

/** The graph of the model's cells; the same object while the model is the same. */
export const cellGraph = perModel(graphOf);

function graphOf(model: NotebookModel): CellGraph {
  const nodes: { id: string; name: string }[] = [];
  const edges: { from: string; to: string }[] = [];
  for (const id of model.order) {
    const cell = model.cells[id]?.cell;
    if (cell === undefined || !LANGUAGES[cell.language].runs) continue;
    nodes.push({ id, name: cellName(model, id) });
    for (const from of cell.upstream_ids) if (model.cells[from] !== undefined) edges.push({ from, to: id });
  }
  return { nodes, edges };
}

/** Whether two graphs look the same, so that a change of statuses causes no new layout. */
export function sameGraph(a: CellGraph, b: CellGraph): boolean {
  return (
    a.nodes.length === b.nodes.length &&
    a.edges.length === b.edges.length &&
    a.nodes.every((node, at) => node.id === b.nodes[at]?.id && node.name === b.nodes[at]?.name) &&
    a.edges.every((edge, at) => edge.from === b.edges[at]?.from && edge.to === b.edges[at]?.to)
  );
}
