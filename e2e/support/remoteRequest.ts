/** A request that an executor sends to a worker, with defaults for everything that a test does not set. */

import type { RemoteRequest } from '../../src-main/exec/remote/call/remoteRequest.ts';

type Own = Pick<RemoteRequest, 'source' | 'cwd' | 'outputDir' | 'worker'> & Partial<RemoteRequest>;

export function remoteRequest(own: Own): RemoteRequest {
  return {
    runId: 'r',
    cellId: 'c1',
    cellName: 'x',
    notebookId: 'n1',
    language: 'python',
    sourceHash: 'sh',
    provenanceHash: 'ph',
    inputs: {},
    declaredMounts: [],
    env: {},
    keptRuns: new Set(),
    store: ['x'],
    mutationDefines: [],
    timeoutSeconds: 60,
    ...own,
  };
}
