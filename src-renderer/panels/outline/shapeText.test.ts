import { expect, test } from 'vitest';
import { fakeCell } from '../../../e2e/support/fakeServerNotebook.ts';
import type { StoredVariable } from '../../../src-shared/wire/routes/extensions.ts';
import { type CellModel, cellModelOf } from '../../state/notebookModel.ts';
import { shapeText } from './shapeText.ts';

type Told = CellModel['previews'][string];
const KEPT: StoredVariable = {
  name: 'x',
  cell_id: 'a',
  artifact_uri: 'svc://artifact/x@v=1',
  content_type: 'json/object',
  rows: null,
  columns: null,
  byte_size: 1_234,
  value: null,
};

const CASES: readonly {
  readonly what: string;
  readonly told?: Told;
  readonly kept?: Partial<StoredVariable>;
  /** The uri of the stored value; null: no cell reads it, or it cannot be stored. */
  readonly uri?: null;
  readonly text: string;
}[] = [
  { what: 'nothing known', text: '' },
  {
    what: 'a table',
    told: { content_type: 'arrow/ipc', rows: 1_200_000, columns: ['a', 'b'] },
    text: '1.2 M × 2',
  },
  {
    what: 'a value that only Python reads',
    told: { content_type: 'pickle/object', preview: '<dict object>', type: 'dict' },
    text: 'dict',
  },
  {
    what: 'a short value that only Python reads',
    told: { content_type: 'pickle/object', preview: '<tuple object>', type: 'tuple', text: '(3, 4)' },
    text: '(3, 4)',
  },
  {
    what: 'a long value that only Python reads',
    told: {
      content_type: 'pickle/object',
      preview: '<set object>',
      type: 'set',
      text: `{${'1, '.repeat(9)}1}`,
    },
    text: 'set',
  },
  {
    what: 'a value of two lines that only Python reads',
    told: { content_type: 'pickle/object', preview: '<B object>', type: 'B', text: 'a\nb' },
    text: 'B',
  },
  {
    what: 'a long fraction',
    told: { content_type: 'json/object', preview: 4.639294655833 },
    text: '4.63929',
  },
  { what: 'an integer', told: { content_type: 'json/object', preview: 1234567890 }, text: '1234567890' },
  {
    what: 'a truncated list',
    told: { content_type: 'json/object', preview: [1, 2], preview_truncated: true },
    text: '[2+]',
  },
  {
    what: 'a truncated long text',
    told: { content_type: 'json/object', preview: `${'x'.repeat(40)}…`, preview_truncated: true },
    text: `"${'x'.repeat(23)}…"`,
  },
  { what: 'a boolean', told: { content_type: 'json/object', preview: true }, text: 'True' },
  {
    what: 'an import',
    told: { content_type: 'module/import', preview: "<module 'm'>" },
    uri: null,
    text: '',
  },
  {
    what: 'an import that cells read',
    told: { content_type: 'module/import', preview: "<module 'm'>" },
    text: 'module',
  },
  { what: 'a stored import', kept: { content_type: 'module/import' }, text: 'module' },
  { what: 'a stored table', kept: { rows: 334, columns: 3 }, text: '334 × 3' },
  { what: 'a stored short text', kept: { value: '"Lyon"' }, text: '"Lyon"' },
  { what: 'a stored list', kept: { value: '[1, NaN]' }, text: '[2]' },
  { what: 'a stored long value', kept: {}, text: '1 kB' },
  { what: 'a stored value that is not JSON', kept: { value: '[1' }, text: '1 kB' },
  {
    what: 'what a frame announced takes precedence over what is stored',
    told: { content_type: 'json/object', preview: 1 },
    kept: { value: '2' },
    text: '1',
  },
];

test.each(CASES)('[WI-60] a variable at a glance: $what', ({ told, kept, uri = KEPT.artifact_uri, text }) => {
  const model = cellModelOf(fakeCell({ id: 'a' }), undefined);
  const previews = told === undefined ? {} : { x: told };
  const row = { name: 'x', cellId: 'a', uri };
  expect(shapeText(row, { ...model, previews }, kept && { ...KEPT, ...kept })).toBe(text);
});
