import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildGraph, type Graph, type GraphCell } from './graph.ts';
import { cellId } from './ids.ts';
import { withIsolated, withoutIsolated } from './isolatedCell.ts';

const name = fc.constantFrom('a', 'b', 'c', 'd');
const names = fc.array(name, { maxLength: 3 }).map((all) => [...new Set(all)]);
const cells = fc
  .array(fc.record({ defines: names, references: names, member: fc.boolean() }), { maxLength: 8 })
  .map((all) =>
    all.map(
      ({ defines, references, member }, i): GraphCell => ({
        id: cellId(`c${i}`),
        defines,
        references,
        builtinReferences: [],
        after: [],
        variant: member ? { group: 'g', name: `v${i}` } : null,
        perVariant: null,
      }),
    ),
  );

const NEW: GraphCell = {
  id: cellId('new'),
  defines: [],
  references: [],
  builtinReferences: [],
  after: [],
  variant: null,
  perVariant: null,
};

function graphOf(all: readonly GraphCell[]): Graph {
  const result = buildGraph(all);
  if (result.kind !== 'graph') throw new Error(result.message);
  return result.graph;
}

/** The content of a graph, with its one function called. */
function said(graph: Graph) {
  return { ...graph, variableProducer: graph.variableProducer() };
}

test('adding and removing a cell without links has the same result as linking everything again', () => {
  fc.assert(
    fc.property(cells, fc.nat(), (others, place) => {
      const at = place % (others.length + 1);
      const all = [...others.slice(0, at), NEW, ...others.slice(at)];
      const order = all.map(({ id }) => id);
      expect(said(withIsolated(graphOf(others), NEW.id, order))).toEqual(said(graphOf(all)));
      expect(said(withoutIsolated(graphOf(all), NEW.id))).toEqual(said(graphOf(others)));
    }),
  );
});
