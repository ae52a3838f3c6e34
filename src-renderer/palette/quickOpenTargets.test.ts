import { expect, test } from 'vitest';
import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import { applyFrame } from '../state/applyFrame.ts';
import { emptyNotebook } from '../state/notebookModel.ts';
import { createNotebookStore } from '../state/notebookStore.ts';
import { matchingTargets, quickOpenTargets } from './quickOpenTargets.ts';

const body = fakeBody({
  name: 'n',
  cells: [
    fakeCell({ id: 't', language: 'markdown', source: '# Rain\n\ntext\n## How much rain' }),
    fakeCell({ id: 'a', source: 'import x\n# rain = 0\nrain = x.load("rain.csv")', defines: ['rain'] }),
    fakeCell({ id: 'b', source: 'def total(rain):\n    return rain == 1', defines: ['total'] }),
  ],
});
const dag = { edges: [], topological_order: [], leaves: [], roots: [], variable_producer: {} };
const view = {
  ...createNotebookStore({ sessionId: 's', path: '/here' }).getState(),
  model: applyFrame(emptyNotebook, {
    type: 'notebook_state',
    payload: { ...body, dag },
    seq: 1,
    ts: '2026-01-01T00:00:00Z',
  }),
};
const notebooks = [
  { path: '/here', name: 'rain here' },
  { path: '/there', name: 'rain there' },
];

function found(query: string) {
  const places = matchingTargets(view, quickOpenTargets(view, notebooks), query);
  return Object.values(places)
    .flat()
    .map(({ kind, label, cellId, line }) => [kind, label, cellId, line]);
}

test.each<[string, unknown[]]>([
  [
    'rain',
    [
      ['cell', 'rain', 'a', null],
      ['variable', 'rain', 'a', 3],
      ['heading', 'Rain', 't', null],
      ['heading', 'How much rain', 't', null],
      ['source', '# Rain', 't', 1],
      ['source', '## How much rain', 't', 4],
      ['source', '# rain = 0', 'a', 2],
      ['source', 'rain = x.load("rain.csv")', 'a', 3],
      ['source', 'def total(rain):', 'b', 1],
      ['source', 'return rain == 1', 'b', 2],
      ['notebook', 'rain there', null, null],
    ],
  ],
  [
    'total',
    [
      ['cell', 'total', 'b', null],
      ['variable', 'total', 'b', 1],
      ['source', 'def total(rain):', 'b', 1],
    ],
  ],
  ['nothing like it', []],
])('quick open finds %s', (query, expected) => {
  expect(found(query)).toEqual(expected);
});
