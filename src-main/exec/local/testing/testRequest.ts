/** A run request for tests of the executor, with defaults for everything that does not matter to the test. */

import type { ExecRequest } from '../../executor.ts';

type Needed = 'language' | 'interpreter' | 'source' | 'cwd' | 'outputDir';

export function testRequest(overrides: Pick<ExecRequest, Needed> & Partial<ExecRequest>): ExecRequest {
  return {
    runId: 'r',
    cellId: 'c',
    cellName: 'c',
    inputs: {},
    env: {},
    store: [],
    mutationDefines: [],
    timeoutSeconds: 60,
    mode: 'auto',
    ...overrides,
  };
}
