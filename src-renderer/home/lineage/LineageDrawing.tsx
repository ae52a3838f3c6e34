/** Draws the lineage graph around an artifact version: inputs on the left, dependents on the right. */

import '../../ui/graph/graph.css';
import './lineage.css';
import { type Edge, type Node, type NodeProps, ReactFlowProvider } from '@xyflow/react';
import { type KeyboardEvent, memo, useMemo } from 'react';
import { GraphCanvas, useInSight, useOpening } from '../../ui/graph/GraphCanvas.tsx';
import { layOut, neighbour } from '../../ui/graph/layOut.ts';
import { NodeHandles } from '../../ui/graph/NodeHandles.tsx';
import { LINEAGE_WORDS } from '../../words/lineage.ts';
import { drawnGraph, type LineageGraph, type NodeTexts, neighboursOf, textsOf } from './lineageGraph.ts';

interface NodeData extends NodeTexts, Record<string, unknown> {
  readonly isFocused: boolean;
  readonly isOutside: boolean;
  readonly moreInputs: number;
  readonly moreDependents: number;
}
type VersionNode = Node<NodeData, 'version'>;

const HEIGHT = 62;
const NODE_TYPES = { version: memo(VersionNodeView) };

interface Props {
  readonly graph: LineageGraph;
  readonly focused: string;
  readonly onFocus: (uri: string) => void;
  readonly onExpand: (uri: string) => void;
}

/** The loaded part of the graph: inputs on the left, dependents on the right. */
export function LineageDrawing(props: Props) {
  return (
    <ReactFlowProvider>
      <Drawing {...props} />
    </ReactFlowProvider>
  );
}

function Drawing({ graph, focused, onFocus, onExpand }: Props) {
  const graphToDraw = useMemo(() => drawnGraph(graph), [graph]);
  const placedNodes = useMemo(() => layOut(graphToDraw, HEIGHT), [graphToDraw]);
  const nodes = useMemo((): VersionNode[] => {
    const neighbours = neighboursOf(graph);
    return placedNodes.flatMap(({ id, x, y, width }) => {
      const node = graph.nodes.get(id);
      if (node === undefined) return [];
      const { moreInputs = 0, moreDependents = 0 } = neighbours.get(id) ?? {};
      const data = {
        ...textsOf(node, graph.notebooks),
        isFocused: id === focused,
        isOutside: node.version === null,
        moreInputs,
        moreDependents,
      };
      return [{ id, type: 'version', position: { x, y }, width, height: HEIGHT, data }];
    });
  }, [graph, placedNodes, focused]);
  const edges = useMemo(
    (): Edge[] =>
      graphToDraw.edges.map(({ from, to }) => ({
        id: `${from} ${to}`,
        source: from,
        target: to,
        focusable: false,
      })),
    [graphToDraw],
  );
  const [box, opening] = useOpening(placedNodes, { focusedId: focused, height: HEIGHT });
  useInSight(placedNodes, { focusedId: focused, height: HEIGHT });
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') onExpand(focused);
    else {
      const to = neighbour(graphToDraw, placedNodes, { from: focused, key: event.key });
      if (to === null) return;
      onFocus(to);
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={box} className="graph lineage-graph" data-own-arrows>
      {opening === null ? null : (
        <GraphCanvas
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          opening={opening}
          label={LINEAGE_WORDS.graphLabel}
          describedBy="lineage-now"
          onKeyDown={press}
          onNode={onFocus}
        />
      )}
      <span id="lineage-now" role="status" className="visually-hidden">
        {spokenOf(graph, focused)}
      </span>
    </div>
  );
}

/** Screen reader text for the focused node. */
function spokenOf(graph: LineageGraph, focused: string): string {
  const node = graph.nodes.get(focused);
  if (node === undefined) return '';
  const { name, kind, origin } = textsOf(node, graph.notebooks);
  const counts = LINEAGE_WORDS.counts(node.inputs, node.dependents);
  return [name, kind, origin, node.version === null ? null : counts]
    .filter((part) => part !== null)
    .join('; ');
}

function VersionNodeView({ data }: NodeProps<VersionNode>) {
  const { name, kind, origin, isFocused, isOutside, moreInputs, moreDependents } = data;
  const look = `${isFocused ? ' graph-focused' : ''}${isOutside ? ' lineage-outside' : ''}`;
  return (
    <div className={`graph-node lineage-node${look}`} data-lineage-node={name} title={name}>
      <NodeHandles />
      <span className="graph-name">{name}</span>
      <small className="graph-name">{kind}</small>
      {origin === null ? null : <small className="graph-name">{origin}</small>}
      {moreInputs === 0 ? null : (
        <span className="lineage-more lineage-more-inputs" title={LINEAGE_WORDS.moreInputs(moreInputs)}>
          +{moreInputs}
        </span>
      )}
      {moreDependents === 0 ? null : (
        <span
          className="lineage-more lineage-more-dependents"
          title={LINEAGE_WORDS.moreDependents(moreDependents)}
        >
          +{moreDependents}
        </span>
      )}
    </div>
  );
}
