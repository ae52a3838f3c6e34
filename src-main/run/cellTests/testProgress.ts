/** Computes the progress of a run of a cell's tests from the lines of its report. */

import type { ReportLine } from './testReport.ts';

/** The progress of a run of tests. */
export interface TestProgress {
  readonly done: number;
  /** Null until the tests are collected. */
  readonly total: number | null;
  /** The number of completed tests that failed or had an error. */
  readonly failed: number;
  /** The current test; null between two. */
  readonly test: string | null;
}

export const NOT_STARTED: TestProgress = { done: 0, total: null, failed: 0, test: null };

/** The progress after one more line of the report. */
export function progressAfter(before: TestProgress, line: ReportLine): TestProgress {
  switch (line.event) {
    case 'collected':
      return { ...before, total: line.count };
    case 'begin':
      return { ...before, test: line.name };
    case 'end': {
      const isTrouble = line.outcome === 'failed' || line.outcome === 'error';
      return { ...before, done: before.done + 1, failed: before.failed + (isTrouble ? 1 : 0), test: null };
    }
    case 'collection_error':
    case 'broken':
    case 'done':
      return before;
    default:
      return line satisfies never;
  }
}
