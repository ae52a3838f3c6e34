/** UI texts about tests of cells. */

import { countText } from './strings.ts';

const tests = (count: number): string => (count === 1 ? '1 test' : `${countText(count)} tests`);

interface TestCount {
  readonly passed: number;
  readonly failed: number;
  readonly failedIn: readonly string[];
}

interface TestsAt {
  readonly done: number;
  readonly total: number | null;
  readonly failed: number;
}

/** UI texts of a cell's tests. */
export const TEST_WORDS = {
  tests: 'Tests',
  section: (name: string): string => `Tests of ${name}`,
  open: 'Show tests',
  close: 'Hide tests',
  run: 'Run tests',
  runOf: (name: string): string => `Run tests: ${name}`,
  stop: 'Stop',
  stopOf: (name: string): string => `Stop: tests of ${name}`,
  editor: (name: string): string => `Test code of ${name}`,
  placeholder: 'def test_something(cell):\n    assert cell.name == 1',
  changedElsewhere: 'These tests were changed elsewhere while you were typing.',
  draftBack: (name: string): string => `Unsaved changes to the tests of ${name} were restored.`,
  diffLabel: 'Both texts of the tests: − is theirs, + is yours',
  running: 'tests running',
  progress: ({ done, total, failed }: TestsAt): string => {
    const wrong = failed === 0 ? '' : `, ${countText(failed)} failed`;
    return total === null ? 'collecting tests' : `${countText(done)} of ${tests(total)}${wrong}`;
  },
  passed: (count: number): string => `${tests(count)} passed`,
  failed: (failed: number, all: number): string => `${countText(failed)} of ${tests(all)} failed`,
  stale: 'tests out of date',
  staleHint: 'The cell, its tests or its inputs changed since the last test run',
  noPytest: 'pytest is missing',
  installed: 'pytest was added to the notebook’s development packages.',
  never: 'not run yet',
  list: 'Test results',
  outcome: { passed: 'passed', failed: 'failed', error: 'error', skipped: 'skipped' },
  goToLine: (line: number): string => `Go to line ${line} of the tests`,
  allRunning: (at: number, total: number, name: string): string => `Testing ${name}, ${at} of ${total}`,
  stopAll: 'Stop running all tests',
  allDone: ({ passed, failed, failedIn }: TestCount): string =>
    failed === 0
      ? `${tests(passed)} passed.`
      : `${countText(failed)} of ${tests(passed + failed)} failed, in ${failedIn.join(', ')}.`,
  allLost: 'The connection was lost while tests were running. The results appear when it is back.',
  needsAnyTests: 'no cell has tests',
  allOn: 'all tests are already running',
  allOff: 'no tests are running',
  needsPython: 'only Python cells have tests',
  needsTests: 'the cell has no tests',
  notRunning: 'the tests are not running',
} as const;
