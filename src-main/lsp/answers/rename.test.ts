import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { NotebookText } from '../document/notebookText.ts';
import type { VirtualDocument } from '../document/virtualDocument.ts';
import type { QuestionServer } from './question.ts';
import { askRename } from './rename.ts';

const DIRECTIVES: readonly (readonly [directive: string, refuses: boolean])[] = [
  ['name total', false],
  ['worker total', false],
  ['env total=1', false],
  ['after total', false],
  ['variant total first', false],
  ['mount other file://./total', false],
  ['mount total file://./data', true],
  ['table total shop.total', true],
  ['fetch total https://example.org/a.csv', true],
  ['dataset total https://example.org/a', true],
  ['loop max_iter=3 carry=total', true],
  ['loop max_iter=3 carry=other until=total', false],
  ['loop_until total > 3', true],
];

function notebookOf(first: string): NotebookText {
  const cell = { language: 'python' as const, isSetup: false, active: true };
  return {
    cells: [
      { ...cell, id: 'a', source: first, defines: ['total'], references: [] },
      { ...cell, id: 'b', source: 'total', defines: [], references: ['total'] },
    ],
    upstream: new Map([['b', ['a']]]),
    downstream: new Map([['a', ['b']]]),
    wiring: new Map([['b', new Map([['total', 'a']])]]),
    bundled: new Map(),
    values: [],
  };
}

/** A server that finds the name at the requested position and changes it there. */
function server(): QuestionServer {
  const uri = 'file:///document.py';
  let shown: VirtualDocument | null = null;
  return {
    uri,
    show: (document) => {
      shown = document;
    },
    request: async (method) => {
      const at = shown?.toDocument('b', { line: 0, character: 0 });
      if (at === undefined || at === null) throw new Error('the cell is not in the document');
      const range = { start: at, end: { ...at, character: at.character + 5 } };
      if (method === 'textDocument/definition') return [{ uri, range }];
      return { changes: { [uri]: [{ range, newText: 'sum' }] } };
    },
  };
}

describe('a name that an annotation contains too', () => {
  it.each(DIRECTIVES)('[ED-93] # @%s', async (directive, refuses) => {
    const notebook = notebookOf(`# @${directive}\ntotal = 1`);
    const { words, edits } = await askRename(
      {
        notebook,
        focus: { cellId: 'b', source: 'total' },
        position: { line: 0, character: 2 },
        name: 'sum',
        dir: notebookFolder(tmpdir()),
      },
      server(),
    );
    const key = directive.split(' ')[0] ?? '';
    expect(words).toEqual(
      refuses ? `The annotation @${key} also uses the name total. Rename it there and here by hand.` : null,
    );
    expect(edits?.map(({ cell_id, text }) => [cell_id, text])).toEqual(refuses ? [] : [['b', 'sum']]);
  });
});
