import type { TestCase } from '../../../src-shared/wire/cellTests.ts';
import type { CellPart } from '../execRequest.ts';
import type { StepRequest } from '../step.ts';

/** Everything one run of a cell's tests needs, gathered by the reducer (tests-and-consoles). */
export interface TestRequest extends Pick<StepRequest, CellPart | 'inputs' | 'loop' | 'data'> {
  readonly testSource: string;
  /** How the test file is called in the notebook: `cells/a1.test.py`. */
  readonly testFile: string;
  /** Runs of a fan-out give the cell one variant's values: which one the tests get. */
  readonly variant: string | null;
}

/** How a run of tests ended. Failing tests are an ordinary end. */
export type TestOutcome =
  | { readonly kind: 'finished'; readonly cases: readonly TestCase[] }
  | { readonly kind: 'pytest_missing'; readonly message: string }
  | { readonly kind: 'cancelled' };
