import '@xyflow/react/dist/base.css';
import './dag.css';
import {
  Controls,
  type Edge,
  type Node,
  type NodeProps,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStoreApi,
} from '@xyflow/react';
import { memo, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Cell } from '../../../src-shared/wire/cell.ts';
import { useCellParts, useSession, useView, useViewSame } from '../../notebook/context.ts';
import { cellName } from '../../state/cellName.ts';
import { cellGraph, sameGraph } from '../../state/graph.ts';
import type { NotebookView } from '../../state/notebookStore.ts';
import { shownModel } from '../../state/undecided.ts';
import { StatusMark } from '../../ui/StatusMark.tsx';
import { DAG_WORDS } from '../../words/dag.ts';
import { listText, WORDS } from '../../words/strings.ts';
import { CellNodeHandles } from './CellNodeHandles.tsx';
import { layOut, NODE_HEIGHT, neighbour, type PlacedNode } from './layOut.ts';
import { openingView, READABLE, type Viewport } from './openingView.ts';

type CellNode = Node<{ name: string }, 'cell'>;

const NODE_TYPES = { cell: memo(CellNodeView) };

/** The notebook's graph: which cell reads from which, each with its state; clicking a cell focuses it. */
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
  const placed = useMemo(() => layOut(graph), [graph]);
  const nodes = useMemo(() => placed.map(nodeOf), [placed]);
  const edges = useMemo(() => graph.edges.map(edgeOf), [graph]);
  const [box, opening] = useOpening(placed);
  useInSight(placed);
  const press = (event: React.KeyboardEvent): void => {
    const from = session.store.getState().focusedId;
    if (event.key === 'Enter') {
      event.preventDefault();
      event.stopPropagation();
      document.querySelector<HTMLElement>('[data-cell-id][aria-current=true]')?.focus();
      return;
    }
    const to = neighbour(graph, placed, { from, key: event.key });
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    session.focus(to);
  };
  return (
    <div ref={box} className="dag" data-own-arrows data-leads-cells>
      {opening === null ? null : (
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          aria-label={DAG_WORDS.label}
          aria-describedby="dag-now"
          tabIndex={0}
          onKeyDown={press}
          onNodeClick={(_event, node) => session.focus(node.id)}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          disableKeyboardA11y
          onlyRenderVisibleElements
          defaultViewport={opening}
          minZoom={0.05}
          maxZoom={1.6}
          proOptions={{ hideAttribution: true }}
        >
          <Controls showInteractive={false} position="bottom-right" />
        </ReactFlow>
      )}
      <Spoken />
    </div>
  );
}

/** Where the graph is first shown, once the room for it is known. */
function useOpening(placed: readonly PlacedNode[]): [RefObject<HTMLDivElement | null>, Viewport | null] {
  const session = useSession();
  const box = useRef<HTMLDivElement>(null);
  const [opening, setOpening] = useState<Viewport | null>(null);
  useLayoutEffect(() => {
    if (opening !== null || box.current === null) return;
    const room = { width: box.current.clientWidth, height: box.current.clientHeight };
    setOpening(openingView(placed, room, session.store.getState()));
  }, [opening, placed, session]);
  return [box, opening];
}

/** The screen reader text of the cell that the arrow keys have moved to. */
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
      className={`dag-node dag-${status}${focused ? ' dag-focused' : ''}${variant}`}
      data-dag-node={id}
      data-status={status}
      title={`${data.name}: ${WORDS.status[status]}`}
    >
      <CellNodeHandles />
      <StatusMark kind={status} />
      <span className="dag-name">{data.name}</span>
    </div>
  );
}

/** Variants are drawn apart, and those that take no part fainter. */
function variantOf(cell: Cell | undefined): string {
  if (cell === undefined || cell.variant_group === null) return '';
  return cell.variant_active ? ' dag-variant' : ' dag-variant dag-inactive';
}

/** A cell that gets the focus elsewhere is brought into the drawing's sight; one that is there does not move. */
function useInSight(placed: readonly PlacedNode[]): void {
  const focusedId = useView((view) => view.focusedId);
  const { getViewport, setCenter } = useReactFlow();
  const store = useStoreApi();
  useEffect(() => {
    const node = placed.find((one) => one.id === focusedId);
    const { width, height } = store.getState();
    if (node === undefined || width === 0) return;
    const { x, y, zoom } = getViewport();
    const [left, top] = [node.x * zoom + x, node.y * zoom + y];
    const isSeen =
      left >= 0 && top >= 0 && left + node.width * zoom <= width && top + NODE_HEIGHT * zoom <= height;
    if (!isSeen) {
      void setCenter(node.x + node.width / 2, node.y + NODE_HEIGHT / 2, { zoom: Math.max(zoom, READABLE) });
    }
  }, [focusedId, placed, getViewport, setCenter, store]);
}
