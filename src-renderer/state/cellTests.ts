/** The tests of a cell as this window shows them: text, combined results and verdict. */

import type { TestResult } from '../../src-shared/wire/cellTests.ts';
import type { CellModel } from './notebookModel.ts';
import type { NotebookView } from './notebookStore.ts';

/** The tests of a cell, as shown: this window's unsaved text if there is one, else the saved text. */
export function shownTests(view: NotebookView, cellId: string): string {
  return view.testDrafts[cellId]?.text ?? view.model.cells[cellId]?.cell.test_source ?? '';
}

/** The combined test results of several cells. */
export interface TestSum {
  readonly passed: number;
  readonly failed: number;
  /** Names of the cells with failed tests. */
  readonly failedIn: readonly string[];
}

export function withTestResult(
  sum: TestSum,
  name: string,
  { passed, failed, errored }: Pick<TestResult, 'passed' | 'failed' | 'errored'>,
): TestSum {
  const wrong = failed + errored;
  return {
    passed: sum.passed + passed,
    failed: sum.failed + wrong,
    failedIn: wrong === 0 ? sum.failedIn : [...sum.failedIn, name],
  };
}

/** The result in a cell's test chip; null if the cell has no tests. */
export type TestVerdict =
  | { readonly kind: 'running' | 'never' | 'unavailable' }
  | { readonly kind: 'passed'; readonly count: number }
  | { readonly kind: 'failed'; readonly failed: number; readonly count: number }
  /** Results of tests that are out of date, passed or failed. */
  | { readonly kind: 'stale' };

export function testVerdict({ cell, testing }: CellModel): TestVerdict | null {
  if (testing) return { kind: 'running' };
  if (cell.test_source === '') return null;
  const { test_result: result } = cell;
  if (result === null) return { kind: 'never' };
  if (result.pytest_unavailable) return { kind: 'unavailable' };
  if (result.stale) return { kind: 'stale' };
  const failed = result.failed + result.errored;
  const count = countOf(result);
  return failed > 0 ? { kind: 'failed', failed, count } : { kind: 'passed', count: result.passed };
}

function countOf({ passed, failed, errored, skipped }: TestResult): number {
  return passed + failed + errored + skipped;
}
