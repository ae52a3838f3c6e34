import { expect, test } from 'vitest';
import type { Language } from '../../../src-shared/wire/cell.ts';
import { exportNameOf } from './exportName.ts';

const ROWS: readonly [language: Language, source: string, name: string | null, file: string][] = [
  ['python', 'df = load()\ndf', null, 'df'],
  ['python', 'größe  # shown\n\n', null, 'größe'],
  ['python', 'df.head()', null, 'a1'],
  ['python', 'df.head()', 'Sales / May', 'Sales-May'],
  ['python', '', null, 'a1'],
  ['sql', 'SELECT x\nFROM t', null, 'a1'],
  ['sql', 'FROM t', 'Sales', 'Sales'],
];

test.each(ROWS)(
  '[WI-266] a table of the %s cell %j with the name %j is saved as %j',
  (language, source, name, file) => {
    expect(exportNameOf({ id: 'a1', language, source, name })).toBe(file);
  },
);
