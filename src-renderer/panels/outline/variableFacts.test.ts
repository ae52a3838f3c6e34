import { expect, test } from 'vitest';
import type { StoredVariable } from '../../../src-shared/wire/routes/extensions.ts';
import type { CellModel } from '../../state/notebookModel.ts';
import { foundVariables, variableFacts } from './variableFacts.ts';

const ROW = { name: 'x', cellId: 'a', uri: 'svc://x' };
type Preview = CellModel['previews'][string];
const live = (x: Preview) => ({ previews: { x } }) as unknown as CellModel;
const stored = (content_type: string, value: string | null = null): StoredVariable => ({
  name: 'x',
  cell_id: 'a',
  artifact_uri: 'svc://x',
  rows: null,
  columns: null,
  content_type,
  value,
  byte_size: 12,
});

test.each<[string, CellModel | undefined, StoredVariable | undefined, string]>([
  ['nothing known', undefined, undefined, 'null'],
  [
    'a table of this window',
    live({ content_type: 'arrow/ipc', bytes: 9, preview: [[1]] }),
    undefined,
    'table 9 null',
  ],
  ['a stored table', undefined, stored('arrow/ipc'), 'table 12 null'],
  ['a list', live({ content_type: 'json/object', bytes: 3, preview: [1] }), undefined, 'list 3 [\n  1\n]'],
  [
    'a part of a dictionary',
    live({ content_type: 'json/object', preview: { a: 1 }, preview_truncated: true }),
    stored('json/object'),
    'dict 12 {\n  "a": 1\n}\n…',
  ],
  ['a stored number', undefined, stored('json/object', '4.5'), 'number 12 4.5'],
  ['a stored text', undefined, stored('json/object', '"Lyon"'), 'text 12 "Lyon"'],
  ['None', undefined, stored('json/object', 'null'), 'None 12 null'],
  ['a flag', undefined, stored('json/object', 'true'), 'boolean 12 true'],
  ['a value too long to be read', undefined, stored('json/object'), 'value 12 null'],
  ['a damaged value', undefined, stored('json/object', '{'), 'value 12 null'],
  [
    'a Python object of this window',
    live({ content_type: 'pickle/object', type: '<Model object>', text: 'Model(3)' }),
    undefined,
    '<Model object> null Model(3)',
  ],
  ['a stored Python object', undefined, stored('pickle/object'), 'object 12 null'],
  ['a module', live({ content_type: 'module/import' }), undefined, 'module null null'],
])('[EX-99] type, size and preview of %s', (_name, model, kept, expected) => {
  const facts = variableFacts(ROW, model, kept);
  expect(facts === null ? 'null' : `${facts.type} ${facts.bytes} ${facts.preview}`).toBe(expected);
});

test.each([
  ['', 'trips total'],
  ['TRI', 'trips'],
  ['table', 'trips'],
  ['t number', 'total'],
  ['  ', 'trips total'],
  ['nothing', ''],
])('[EX-99] %j finds %j', (typed, expected) => {
  const variables = [
    { name: 'trips', words: 'table 3 × 2' },
    { name: 'total', words: 'number 7' },
  ];
  expect(
    foundVariables(variables, typed)
      .map(({ name }) => name)
      .join(' '),
  ).toBe(expected);
});
