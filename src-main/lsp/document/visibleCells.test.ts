import { describe, expect, it } from 'vitest';
import { buildGraph } from '../../../src-shared/notebook/graph.ts';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import type { LanguageCell, NotebookText, StoredValue } from './notebookText.ts';
import { cellsSharing, documentFor, linkedDocument } from './visibleCells.ts';

interface Row {
  readonly id: string;
  readonly source?: string;
  readonly defines?: readonly string[];
  readonly references?: readonly string[];
  readonly language?: LanguageCell['language'];
  readonly isSetup?: boolean;
}

function notebookOf(rows: readonly Row[], values: readonly StoredValue[] = []): NotebookText {
  const built = buildGraph(
    rows.map(({ id, defines = [], references = [] }) => ({
      id: cellId(id),
      defines,
      references,
      builtinReferences: [],
      after: [],
      variant: null,
      perVariant: null,
    })),
  );
  if (built.kind !== 'graph') throw new Error(built.message);
  const { upstream, downstream, wiring } = built.graph;
  const cells = rows.map(
    (row): LanguageCell => ({
      source: row.id,
      defines: [],
      references: [],
      language: 'python',
      isSetup: false,
      active: true,
      ...row,
    }),
  );
  return { cells, upstream, downstream, wiring, bundled: new Map(), values };
}

/** The cells of a document, in order. */
function seen(segments: readonly { readonly cellId: string | null }[]): string {
  return segments.flatMap(({ cellId: id }) => (id === null ? [] : [id])).join(' ');
}

const ROWS: readonly Row[] = [
  { id: 'load', defines: ['df'] },
  { id: 'other', defines: ['zebra'] },
  { id: 'clean', defines: ['df2'], references: ['df'] },
  { id: 'again', defines: ['zebra'] },
  { id: 'use', references: ['df2'] },
  { id: 'below', defines: ['later'], references: ['df2'] },
];

describe('what a cell sees', () => {
  it.each([
    ['what it reads, directly or not, in order', 'use', 'df2', 'load clean use'],
    ['names that the graph has not linked yet', 'use', 'df2, zebra', 'load clean again use'],
    ['of several definitions the nearest above', 'clean', 'df; zebra', 'load other clean'],
    ['nothing from later cells', 'use', 'later', 'load clean use'],
    ['only itself if it reads nothing', 'other', 'zebra = 1', 'other'],
    ['a new cell that the graph does not know yet', 'new', 'df2.', 'load clean new'],
  ])('[LS-2] %s', (_what, id, source, cells) => {
    expect(seen(documentFor(notebookOf(ROWS), { cellId: id, source }))).toBe(cells);
  });

  it('[LS-2] the setup cell comes first', () => {
    const rows = [{ id: 'setup', defines: ['np'], isSetup: true }, ...ROWS];
    expect(seen(documentFor(notebookOf(rows), { cellId: 'use', source: 'df2' }))).toBe(
      'setup load clean use',
    );
  });

  it('[LS-2] a cell of another language provides its names with the types of the last run', () => {
    const rows = [
      { id: 'q', defines: ['result', 'n'], language: 'sql' as const },
      { id: 'use', references: ['result'] },
    ];
    const table = {
      name: 'result',
      cellId: 'q',
      contentType: 'arrow/ipc',
      rows: 1,
      columns: [],
      byteSize: 1,
      uri: '',
    };
    const document = documentFor(notebookOf(rows, [table]), { cellId: 'use', source: 'result' });
    expect(document.map(({ text }) => text).slice(1)).toEqual([
      'result: __cellar_pandas.DataFrame\nn: __cellar_any',
      'result',
    ]);
  });
});

describe('cells that mean the same variable', () => {
  const SHADOWED: readonly Row[] = [
    { id: 'a', defines: ['x'] },
    { id: 'b', references: ['x'] },
    { id: 'c', defines: ['x'] },
    { id: 'd', references: ['x'] },
  ];
  it.each([
    ['from its definition', 'a', 'a b'],
    ['from a use', 'b', 'a b'],
    ['of a later definition', 'd', 'c d'],
  ])('[LS-7] %s', (_what, id, cells) => {
    expect([...cellsSharing(notebookOf(SHADOWED), id, 'x')].sort().join(' ')).toBe(cells);
  });

  it('[LS-7] a name that the cell defines belongs to the cell', () => {
    expect([...cellsSharing(notebookOf(SHADOWED), 'b', 'local')]).toEqual(['b']);
  });

  it('[LS-7] the document of a rename has all linked cells, with the text being typed', () => {
    const document = linkedDocument(notebookOf(ROWS), { cellId: 'clean', source: 'typed' }, ['clean']);
    expect(seen(document)).toBe('load clean use below');
    expect(document.find(({ cellId: id }) => id === 'clean')?.text).toBe('typed');
  });
});
