import { expect, it } from 'vitest';
import { type DiagnosticCode, diagnose } from '../../src-shared/notebook/diagnostics.ts';
import type { Language } from '../../src-shared/wire/cell.ts';
import { isSetupCell } from './setupCell.ts';

const ROWS: readonly (readonly [
  source: string,
  language: Language,
  codes: readonly DiagnosticCode[],
  boolean,
])[] = [
  ['# @setup\nx = 1', 'python', [], true],
  ['# @name a\n# @Setup\nx = 1', 'python', ['setup_seed', 'untracked_read'], true],
  ['# @setup off\nx = 1', 'python', [], false],
  ['x = "# @setup"', 'python', [], false],
  ['# @setup', 'markdown', [], false],
  ['# @setup\nx = 1', 'python', ['setup_not_first'], false],
  ['# @setup\nx = 1', 'python', ['setup_duplicate'], false],
];

it.each(ROWS)('[SO-177] %j in %s with %j: %s', (source, language, codes, expected) => {
  const annotation_diagnostics = codes.map((code) => diagnose(code, code, 1));
  expect(isSetupCell({ source, language, annotation_diagnostics })).toBe(expected);
});
