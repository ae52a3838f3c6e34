import { expect, test } from 'vitest';
import type { JupyterReport } from '../../src-shared/wire/routes/transfer.ts';
import { type ImportReport, jupyterWords, snapshotWords } from './importReport.ts';

const NOTHING: JupyterReport = {
  markdown_cells: 0,
  code_cells: 1,
  suppressed_outputs: 0,
  skipped_cells: [],
  translated_magics: [],
  dropped_magics: [],
  dropped_shells: [],
  captured_deps: [],
  warnings: [],
  findings: [],
  report_path: null,
  report_text: '',
};
const COUNTS =
  'Imported: 1 code cell. Outputs from the file are shown until a cell runs. They are not results.';

test.each<[string, ImportReport, ImportReport]>([
  ['nothing to say', jupyterWords(NOTHING, ['a']), { words: [COUNTS], sections: [] }],
  [
    'cells are named by their position, and findings to check come first',
    jupyterWords(
      {
        ...NOTHING,
        suppressed_outputs: 2,
        findings: [
          { cell_id: 'b', kind: 'dropped_shells', text: '!ls' },
          { cell_id: 'a', kind: 'suppressed_outputs', text: 'x;' },
          { cell_id: null, kind: 'warnings', text: 'Its kernel is R' },
        ],
      },
      ['a', 'b'],
    ),
    {
      words: [COUNTS, '2 cells that end with ; still show no output.'],
      sections: [
        { title: 'Warnings', isCode: false, items: [{ cell: null, text: 'Its kernel is R' }] },
        {
          title: 'Shell commands that were not run',
          isCode: true,
          items: [{ cell: { id: 'b', name: 'Cell 2' }, text: '!ls' }],
        },
      ],
    },
  ],
  [
    'a snapshot',
    snapshotWords({ imported_artifacts: 1, replaced_notebook_id: null, by_reference_cells: ['b'] }, [
      'a',
      'b',
    ]),
    {
      words: ['1 stored result imported.'],
      sections: [
        {
          title: 'Cells without results, to be run again',
          isCode: false,
          items: [{ cell: { id: 'b', name: 'Cell 2' }, text: '' }],
        },
      ],
    },
  ],
])('the report of an import: %s', (_name, report, expected) => {
  expect(report).toEqual(expected);
});
