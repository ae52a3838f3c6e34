/** The request to run a cell's tests, and its outcome. */

import type { TestCase } from '../../../src-shared/wire/cellTests.ts';
import type { PythonInterpreter } from '../../exec/interpreter.ts';
import type { CellPart } from '../execRequest.ts';
import type { PythonStep, TestedShape } from '../step.ts';

/**
 * Everything a run of a cell's tests needs, gathered by the reducer (docs/spec/tests-and-consoles.md, 1). The tests
 * of a loop get the values of its first iteration, those of a fan-out the values of one variant.
 */
export type TestRequest = TestedCell & TestedShape;

/** The cell whose tests run, with its values and the text of the tests. */
export interface TestedCell extends CellPart, Pick<PythonStep, 'inputs' | 'data'> {
  readonly interpreter: PythonInterpreter;
  readonly testSource: string;
  /** The name of the test file in the notebook: `cells/a1.test.py`. */
  readonly testFile: string;
}

/** The outcome of a run of tests. Failing tests are an ordinary outcome. */
export type TestOutcome =
  | { readonly kind: 'finished'; readonly cases: readonly TestCase[] }
  | { readonly kind: 'pytest_missing'; readonly message: string }
  | { readonly kind: 'cancelled' };
