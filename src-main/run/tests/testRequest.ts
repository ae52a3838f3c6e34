import type { TestCase } from '../../../src-shared/wire/cellTests.ts';
import type { CellPart } from '../execRequest.ts';
import type { StepRequest } from '../step.ts';

/** Everything one run of a cell's tests needs, gathered by the reducer (tests-and-consoles). */
export interface TestRequest extends Pick<StepRequest, CellPart | 'inputs' | 'loop' | 'data'> {
  readonly testSource: string;
  /** The name of the test file in the notebook: `cells/a1.test.py`. */
  readonly testFile: string;
  /** The variant whose values the tests of a fan-out get. */
  readonly variant: string | null;
}

/** The outcome of a run of tests. Failing tests are an ordinary outcome. */
export type TestOutcome =
  | { readonly kind: 'finished'; readonly cases: readonly TestCase[] }
  | { readonly kind: 'pytest_missing'; readonly message: string }
  | { readonly kind: 'cancelled' };
