import { LINEAGE_WORDS } from '../../words/lineage.ts';
import { type LineageGraph, type LineageNode, neighboursOf, textsOf } from './lineageGraph.ts';

/** The neighbours of one version as lists, instead of the drawing. Clicking a neighbour goes to that version. */
export function LineageList(props: {
  readonly graph: LineageGraph;
  readonly focused: string;
  readonly onFocus: (uri: string) => void;
}) {
  const { graph, focused, onFocus } = props;
  const node = graph.nodes.get(focused);
  const around = neighboursOf(graph).get(focused);
  if (node === undefined || around === undefined) return null;
  const list = (title: string, empty: string, nodes: readonly LineageNode[], more: string | null) => (
    <section aria-label={title}>
      <h3>{title}</h3>
      {nodes.length === 0 && more === null ? <p className="panel-quiet">{empty}</p> : null}
      <ul>
        {nodes.map((one) => (
          <li key={one.uri}>
            <NodeButton node={one} graph={graph} onFocus={onFocus} />
          </li>
        ))}
      </ul>
      {more === null ? null : <p className="panel-quiet">{more}</p>}
    </section>
  );
  const { moreInputs, moreDependents } = around;
  return (
    <div className="lineage-list">
      {list(
        LINEAGE_WORDS.inputs,
        LINEAGE_WORDS.noInputs,
        around.inputs,
        moreInputs === 0 ? null : LINEAGE_WORDS.moreInputs(moreInputs),
      )}
      <section aria-label={LINEAGE_WORDS.here}>
        <h3>{LINEAGE_WORDS.here}</h3>
        <Texts node={node} graph={graph} />
      </section>
      {list(
        LINEAGE_WORDS.dependents,
        LINEAGE_WORDS.noDependents,
        around.dependents,
        moreDependents === 0 ? null : LINEAGE_WORDS.moreDependents(moreDependents),
      )}
    </div>
  );
}

function NodeButton(props: {
  readonly node: LineageNode;
  readonly graph: LineageGraph;
  readonly onFocus: (uri: string) => void;
}) {
  const { node, graph, onFocus } = props;
  return (
    <button type="button" className="artifact-open" onClick={() => onFocus(node.uri)}>
      <Texts node={node} graph={graph} />
    </button>
  );
}

function Texts({ node, graph }: { readonly node: LineageNode; readonly graph: LineageGraph }) {
  const { name, kind, origin } = textsOf(node, graph.notebooks);
  return (
    <>
      <bdi>{name}</bdi>
      <small>{origin === null ? kind : `${kind} · ${origin}`}</small>
    </>
  );
}
