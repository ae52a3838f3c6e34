/** The part of an artifact's lineage graph that is loaded so far, and its conversion to the input of the layout. */

import type { AnswerOf } from '../../live/rest.ts';
import type { NamedGraph } from '../../ui/graph/layOut.ts';
import { ARTIFACT_WORDS } from '../../words/artifacts.ts';
import { LINEAGE_WORDS } from '../../words/lineage.ts';
import { bytesText } from '../../words/strings.ts';

type MapAnswer = AnswerOf<'artifactMap'>;
export type LineageNode = MapAnswer['nodes'][number];
type LineageNotebook = MapAnswer['notebooks'][number];

/** The part of the graph that is loaded so far. */
export interface LineageGraph {
  readonly nodes: ReadonlyMap<string, LineageNode>;
  readonly edges: ReadonlyMap<string, { readonly from: string; readonly to: string }>;
  readonly notebooks: ReadonlyMap<string, LineageNotebook>;
}

export const NO_GRAPH: LineageGraph = { nodes: new Map(), edges: new Map(), notebooks: new Map() };

/** The graph with another answer added; newer facts of a node replace older ones. */
export function mergeGraph(graph: LineageGraph, answer: MapAnswer): LineageGraph {
  const nodes = new Map(graph.nodes);
  const edges = new Map(graph.edges);
  const notebooks = new Map(graph.notebooks);
  for (const node of answer.nodes) nodes.set(node.uri, node);
  for (const { from_uri: from, to_uri: to } of answer.edges) edges.set(`${from} ${to}`, { from, to });
  for (const one of answer.notebooks) notebooks.set(one.notebook_id, one);
  return { nodes, edges, notebooks };
}

/** The loaded neighbours of a node, and the number of neighbours that are not loaded. */
interface Neighbours {
  readonly inputs: readonly LineageNode[];
  readonly dependents: readonly LineageNode[];
  readonly moreInputs: number;
  readonly moreDependents: number;
}

/** The neighbours of every node, in one pass. */
export function neighboursOf(graph: LineageGraph): ReadonlyMap<string, Neighbours> {
  const inputs = new Map<string, LineageNode[]>();
  const dependents = new Map<string, LineageNode[]>();
  const add = (lists: Map<string, LineageNode[]>, at: string, node: LineageNode | undefined): void => {
    if (node === undefined) return;
    const list = lists.get(at);
    if (list === undefined) lists.set(at, [node]);
    else list.push(node);
  };
  for (const { from, to } of graph.edges.values()) {
    add(inputs, to, graph.nodes.get(from));
    add(dependents, from, graph.nodes.get(to));
  }
  const all = new Map<string, Neighbours>();
  for (const node of graph.nodes.values()) {
    const [above, below] = [inputs.get(node.uri) ?? [], dependents.get(node.uri) ?? []];
    all.set(node.uri, {
      inputs: above,
      dependents: below,
      moreInputs: Math.max(0, node.inputs - above.length),
      // Tables and files have no list of dependents.
      moreDependents: node.version === null ? 0 : Math.max(0, node.dependents - below.length),
    });
  }
  return all;
}

/** The texts of a node: its name; its kind and size; the notebook and the cell that made it. */
export interface NodeTexts {
  readonly name: string;
  readonly kind: string;
  readonly origin: string | null;
}

export function textsOf(
  { uri, type, version }: LineageNode,
  notebooks: LineageGraph['notebooks'],
): NodeTexts {
  if (version === null) {
    const name = type === 'artifact' ? uri.replace('svc://artifact/', '') : uri;
    return { name, kind: LINEAGE_WORDS.outside[type], origin: null };
  }
  const { name, variable, artifact_id: id, notebook_id: notebookId, cell_id: cellId } = version;
  const size = version.byte_size === null ? '' : ` · ${bytesText(version.byte_size)}`;
  const notebook = notebookId === null ? null : (notebooks.get(notebookId)?.name ?? notebookId.slice(0, 8));
  const origin = [notebook, cellId].filter((part) => part !== null).join(' · ');
  return {
    name: `${name ?? variable ?? id} v${version.version}`,
    kind: `${kindText(version.content_type)}${size}`,
    origin: origin === '' ? null : origin,
  };
}

/** Table, image and so on; other types by their media type. */
function kindText(contentType: string): string {
  for (const [start, word] of Object.entries(ARTIFACT_WORDS.kindNames)) {
    if (contentType.startsWith(start)) return word;
  }
  return contentType;
}

/** The input of the layout: the longest line of a node determines its width. */
export function drawnGraph(graph: LineageGraph): NamedGraph {
  const nodes = [...graph.nodes.values()].map((node) => {
    const { name, kind, origin } = textsOf(node, graph.notebooks);
    const lines = [name, kind, origin ?? ''];
    return {
      id: node.uri,
      name: lines.reduce((long, line) => (line.length > long.length ? line : long), ''),
    };
  });
  return { nodes, edges: [...graph.edges.values()] };
}
