/** Draws the notebook's graph: which cell reads from which, and the status of each. */

import '../../ui/graph/graph.css';
import './dag.css';
import { type Edge, type Node, type NodeProps, ReactFlowProvider } from '@xyflow/react';
import { memo, useMemo } from 'react';
import type { Cell } from '../../../src-shared/wire/cell.ts';
import { useCellParts, useSession, useView, useViewSame } from '../../notebook/context.ts';
import { cellName } from '../../state/cellName.ts';
import { cellGraph, sameGraph } from '../../state/graph.ts';
import type { NotebookView } from '../../state/notebookStore.ts';
import { shownModel } from '../../state/undecided.ts';
import { GraphCanvas, useInSight, useOpening } from '../../ui/graph/GraphCanvas.tsx';
import { layOut, NODE_HEIGHT, neighbour, type PlacedNode } from '../../ui/graph/layOut.ts';
import { NodeHandles } from '../../ui/graph/NodeHandles.tsx';
import { StatusMark } from '../../ui/StatusMark.tsx';
import { DAG_WORDS } from '../../words/dag.ts';
import { listText, WORDS } from '../../words/strings.ts';

type CellNode = Node<{ name: string }, 'cell'>;

const NODE_TYPES = { cell: memo(CellNodeView) };

/** The notebook's graph: which cell reads from which, and the status of each; clicking a cell focuses it. */
export function DagView() {
  return (
    <ReactFlowProvider>
      <Drawing />
    </ReactFlowProvider>
  );
}

function Drawing() {
  const session = useSession();
  const graph = useViewSame((view) => cellGraph(view.model), sameGraph);
  const placedNodes = useMemo(() => layOut(graph), [graph]);
  const nodes = useMemo(() => placedNodes.map(nodeOf), [placedNodes]);
  const edges = useMemo(() => graph.edges.map(edgeOf), [graph]);
  const focusedId = useView((view) => view.focusedId);
  const [box, opening] = useOpening(placedNodes, { focusedId });
  useInSight(placedNodes, { focusedId });
  const press = (event: React.KeyboardEvent): void => {
    const from = session.store.getState().focusedId;
    if (event.key === 'Enter') {
      event.preventDefault();
      event.stopPropagation();
      document.querySelector<HTMLElement>('[data-cell-id][aria-current=true]')?.focus();
      return;
    }
    const to = neighbour(graph, placedNodes, { from, key: event.key });
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    session.focus(to);
  };
  return (
    <div ref={box} className="graph" data-own-arrows data-leads-cells>
      {opening === null ? null : (
        <GraphCanvas
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          opening={opening}
          label={DAG_WORDS.label}
          describedBy="dag-now"
          onKeyDown={press}
          onNode={(id) => session.focus(id)}
        />
      )}
      <Spoken />
    </div>
  );
}

/** Screen reader text for the cell that the arrow keys have moved to. */
function Spoken() {
  const words = useView(spokenOf);
  return (
    <span id="dag-now" role="status" className="visually-hidden">
      {words}
    </span>
  );
}

function spokenOf(view: NotebookView): string {
  const { model, focusedId } = view;
  const cell = focusedId === null ? undefined : shownModel(view, focusedId)?.cell;
  if (focusedId === null || cell === undefined) return '';
  const names = (ids: readonly string[]): string => listText(ids.map((id) => cellName(model, id)));
  return [
    `${cellName(model, focusedId)}, ${WORDS.status[cell.status]}`,
    cell.upstream_ids.length > 0 ? DAG_WORDS.reads(names(cell.upstream_ids)) : '',
    cell.downstream_ids.length > 0 ? DAG_WORDS.readBy(names(cell.downstream_ids)) : '',
  ]
    .filter((part) => part !== '')
    .join('; ');
}

function nodeOf({ id, name, x, y, width }: PlacedNode): CellNode {
  return {
    id,
    type: 'cell',
    position: { x, y },
    data: { name },
    width,
    height: NODE_HEIGHT,
  };
}

function edgeOf({ from, to }: { from: string; to: string }): Edge {
  return { id: `${from} ${to}`, source: from, target: to, focusable: false };
}

function CellNodeView({ id, data }: NodeProps<CellNode>) {
  const { status, focused, variant } = useCellParts(id, (view) => ({
    variant: variantOf(view.model.cells[id]?.cell),
    status: shownModel(view, id)?.cell.status ?? 'idle',
    focused: view.focusedId === id,
  }));
  return (
    <div
      className={`graph-node dag-${status}${focused ? ' graph-focused' : ''}${variant}`}
      data-dag-node={id}
      data-status={status}
      title={`${data.name}: ${WORDS.status[status]}`}
    >
      <NodeHandles />
      <StatusMark kind={status} />
      <span className="graph-name">{data.name}</span>
    </div>
  );
}

/** Variants are drawn differently, and inactive ones fainter. */
function variantOf(cell: Cell | undefined): string {
  if (cell === undefined || cell.variant_group === null) return '';
  return cell.variant_active ? ' dag-variant' : ' dag-variant dag-inactive';
}
