import { describe, expect, it } from 'vitest';
import { storedWarnings, warningParams } from './storedWarnings.ts';

const WARNINGS = [
  { var_name: 'm', message: 'm was changed', suggestion: null, fix: 'keep' as const },
  { var_name: 'os.environ', message: 'changed', suggestion: 'repeat it' },
];

describe('[SO-158] warnings are stored with the rows of a run', () => {
  it.each([
    ['are read back', [{ params: { run: 'r', ...warningParams(WARNINGS) } }], WARNINGS],
    ['are read back from any row', [{ params: {} }, { params: { ...warningParams(WARNINGS) } }], WARNINGS],
    ['are none', [{ params: { ...warningParams([]) } }], []],
    ['are empty for an older release', [{ params: { run: 'r' } }], []],
    ['are empty when the data is not warnings', [{ params: { mutation_warnings: '[1]' } }], []],
    ['are empty without rows', [], []],
  ])('%s', (_name, rows, expected) => {
    expect(storedWarnings(rows)).toEqual(expected);
  });
});
