/** Draws a read-only graph with keyboard navigation; used for the notebook's graph and for the lineage of artifacts. */

import '@xyflow/react/dist/base.css';
import './graph.css';
import {
  Controls,
  type Edge,
  type Node,
  type NodeTypes,
  ReactFlow,
  useReactFlow,
  useStoreApi,
} from '@xyflow/react';
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { NODE_HEIGHT, type PlacedNode } from './layOut.ts';
import { openingView, READABLE, type Viewport } from './openingView.ts';

/**
 * A read-only graph: one stop of the Tab key, in which the arrow keys go from node to node. Must be inside a
 * ReactFlowProvider.
 */
export function GraphCanvas<N extends Node>(props: {
  readonly nodes: N[];
  readonly edges: Edge[];
  readonly nodeTypes: NodeTypes;
  readonly opening: Viewport;
  readonly label: string;
  /** The id of the element with the screen reader text of the focused node. */
  readonly describedBy: string;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onNode: (id: string) => void;
}) {
  return (
    <ReactFlow
      nodes={props.nodes}
      edges={props.edges}
      nodeTypes={props.nodeTypes}
      aria-label={props.label}
      aria-describedby={props.describedBy}
      tabIndex={0}
      onKeyDown={props.onKeyDown}
      onNodeClick={(_event, node) => props.onNode(node.id)}
      nodesDraggable={false}
      nodesConnectable={false}
      nodesFocusable={false}
      edgesFocusable={false}
      elementsSelectable={false}
      disableKeyboardA11y
      onlyRenderVisibleElements
      defaultViewport={props.opening}
      minZoom={0.05}
      maxZoom={1.6}
      proOptions={{ hideAttribution: true }}
    >
      <Controls showInteractive={false} position="bottom-right" />
    </ReactFlow>
  );
}

interface Focus {
  readonly focusedId: string | null;
  readonly height?: number;
}

/** Sets the first viewport of the graph when the size of its box is known. */
export function useOpening(
  placedNodes: readonly PlacedNode[],
  { focusedId, height = NODE_HEIGHT }: Focus,
): [RefObject<HTMLDivElement | null>, Viewport | null] {
  const box = useRef<HTMLDivElement>(null);
  const [opening, setOpening] = useState<Viewport | null>(null);
  useLayoutEffect(() => {
    if (opening !== null || box.current === null) return;
    const room = { width: box.current.clientWidth, height: box.current.clientHeight };
    setOpening(openingView(placedNodes, room, { focusedId, height }));
  }, [opening, placedNodes, focusedId, height]);
  return [box, opening];
}

/** Scrolls to a node that gets the focus outside the visible part; a visible node does not move. */
export function useInSight(
  placedNodes: readonly PlacedNode[],
  { focusedId, height = NODE_HEIGHT }: Focus,
): void {
  const { getViewport, setCenter } = useReactFlow();
  const store = useStoreApi();
  useEffect(() => {
    const node = placedNodes.find((one) => one.id === focusedId);
    const { width, height: room } = store.getState();
    if (node === undefined || width === 0) return;
    const { x, y, zoom } = getViewport();
    const [nodeLeft, top] = [node.x * zoom + x, node.y * zoom + y];
    const isSeen =
      nodeLeft >= 0 && top >= 0 && nodeLeft + node.width * zoom <= width && top + height * zoom <= room;
    if (!isSeen) {
      void setCenter(node.x + node.width / 2, node.y + height / 2, { zoom: Math.max(zoom, READABLE) });
    }
  }, [focusedId, height, placedNodes, getViewport, setCenter, store]);
}
