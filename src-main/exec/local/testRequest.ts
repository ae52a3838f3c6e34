import type { ExecRequest } from '../executor.ts';

type Needed = 'language' | 'interpreter' | 'source' | 'cwd' | 'outputDir';

/** A run as a test asks for it: what matters to the test, and nothing else. */
export function testRequest(given: Pick<ExecRequest, Needed> & Partial<ExecRequest>): ExecRequest {
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
    ...given,
  };
}
