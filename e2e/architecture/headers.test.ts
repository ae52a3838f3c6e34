/** Checks that source files have a comment at their top that explains them. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { isExplained } from './headers.ts';
import { filesIn, productFiles } from './uiWords.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

const TEST = /\.test\.tsx?$/;
/** Whether a unit test is beside the file it is named after, whose header explains both. */
function testsOneFile(test: string): boolean {
  return ['.ts', '.tsx'].some((ending) => existsSync(join(ROOT, test.replace(TEST, ending))));
}

it('[AR-47] every source file of more than 25 lines describes itself in its first ten lines', () => {
  const styles = filesIn(['src-renderer'], /\.css$/);
  const harness = filesIn(['harness/python/svc_harness', 'harness/r'], /\.(?:py|R)$/);
  const roots = ['src-main', 'src-shared', 'src-renderer'];
  const tests = filesIn(roots, TEST).filter((file) => !testsOneFile(file));
  const files = [...productFiles(roots), ...filesIn(['e2e'], /\.tsx?$/), ...tests, ...styles, ...harness];
  expect(files.length).toBeGreaterThan(2000);
  expect(files.filter((file) => !isExplained(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});

it.each([
  ['/** Runs a cell. */', true],
  ['/* Styles of menus. */', true],
  ['"""Runs a cell."""', true],
  ["import { join } from 'node:path';", false],
  ['.menu {', false],
])('%s as the first line', (line, explained) => {
  const code = Array.from({ length: 30 }, (_, at) => `line(${at});`);
  expect(isExplained([line, ...code].join('\n'))).toBe(explained);
  expect(isExplained(line)).toBe(true);
  expect(isExplained([...code, line].join('\n'))).toBe(false);
});
