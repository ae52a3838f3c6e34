import type { RemoteRequest } from '../../src-main/exec/remote/call/remoteRequest.ts';

type Own = Pick<RemoteRequest, 'source' | 'cwd' | 'outputDir' | 'worker'> & Partial<RemoteRequest>;

/** A cell as an executor sends it to a worker, plain but for what a test says of it. */
export function remoteRequest(own: Own): RemoteRequest {
  return {
    ...{ runId: 'r', cellId: 'c1', cellName: 'x', notebookId: 'n1', language: 'python' },
    ...{ sourceHash: 'sh', provenanceHash: 'ph', inputs: {}, declaredMounts: [], env: {} },
    ...{ keptRuns: new Set(), store: ['x'], mutationDefines: [], timeoutSeconds: 60 },
    ...own,
  };
}
