/** Formats the results of `svc cell test` as text, and chooses its exit code. */

import type { TestCase } from '../../../src-shared/wire/cellTests.ts';

/** The results of one cell's tests (docs/spec/mcp.md, 3, TestRun), or why they did not run. */
export type CellTestResults =
  | { readonly cell_id: string; readonly error: string }
  | {
      readonly cell_id: string;
      readonly passed: number;
      readonly failed: number;
      readonly errored: number;
      readonly skipped: number;
      readonly pytest_unavailable: boolean;
      readonly cases: readonly (Pick<TestCase, 'name' | 'outcome' | 'message'> & {
        readonly line: number | null;
      })[];
      readonly auto_installed: readonly string[];
      readonly problem?: string;
    };

/** The exit code: 2 if pytest is not available, 1 if a test or a cell fails (docs/spec/command-line.md, 4). */
export function exitCodeOf(tested: readonly CellTestResults[]): 0 | 1 | 2 {
  if (tested.some((one) => !('error' in one) && one.pytest_unavailable)) return 2;
  const isWrong = (one: CellTestResults): boolean => 'error' in one || one.failed + one.errored > 0;
  return tested.some(isWrong) ? 1 : 0;
}

/** One line per test, failures with their messages; the totals at the end. */
export function testReportText(tested: readonly CellTestResults[]): string {
  const sum = { passed: 0, failed: 0, errored: 0, skipped: 0 };
  const lines = tested.flatMap((one) => {
    if ('error' in one) return [`${one.cell_id}: ${one.error}`];
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += one[name];
    const problem = one.problem === undefined ? [] : [indented(one.problem)];
    return [one.cell_id, ...problem, ...one.cases.flatMap(caseLines)];
  });
  if (tested.length === 0) return 'No cell has tests.';
  const counts = Object.entries(sum).flatMap(([name, count]) => (count === 0 ? [] : [`${count} ${name}`]));
  return [...lines, counts.join(', ') || 'No tests ran.'].join('\n');
}

function caseLines({ name, outcome, message }: { name: string; outcome: string; message: string }) {
  return [`  ${outcome.padEnd(8)} ${name}`, ...(message === '' ? [] : [indented(message)])];
}

function indented(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}
