/** Creates the build of a pull run, from which the worker fetches the cell's inputs. */

import { BUNDLE_FORMAT, NOTEBOOK_CELL_REF } from '../../../../src-shared/wire/worker/protocol.ts';
import { BlobProblem } from '../../../artifacts/blobStore.ts';
import type { Build, NewBuild } from '../../../builds/build.ts';
import type { TraceHeaders } from '../../../observe/tracing.ts';
import { limitSeconds } from '../call/dispatch.ts';
import { RemoteFailure, type RemoteRequest } from '../call/remoteRequest.ts';
import type { PullTools } from './pullTools.ts';

/**
 * Time for transfers, in addition to the limits of cell and provisioning (docs/spec/worker-protocol.md, 5.1, 5.2, 5.5).
 */
const CARRYING_SECONDS = 300;

/**
 * Begins the build of a cell that a worker fetches. Once this resolves, its inputs can be fetched.
 * @throws RemoteFailure SETUP_FAILED; the signal's reason
 */
export async function beginPull(
  { builds, origin = 'notebook', provisioningSeconds }: PullTools,
  request: RemoteRequest,
  {
    params,
    signal,
    trace,
    ...of
  }: Pick<NewBuild, 'inputs' | 'dir' | 'accept' | 'onConsole'> & {
    readonly params: NewBuild['metadata']['params'];
    readonly signal: AbortSignal;
    readonly trace: TraceHeaders;
  },
): Promise<Build> {
  const { worker, notebookId } = request;
  const serverUrl = serverUrlOf(request);
  const newBuild: NewBuild = {
    ...of,
    notebookId,
    serverUrl,
    lifetimeSeconds: limitSeconds(request) + provisioningSeconds + CARRYING_SECONDS,
    metadata: {
      executor_ref: NOTEBOOK_CELL_REF,
      params: { ...params, output_format: BUNDLE_FORMAT, _dispatch_mode: 'external' },
      principal: null,
      tenant: null,
      notebook_id: notebookId,
      cell_id: request.cellId,
      cell_provenance_hash: request.provenanceHash,
      origin,
      ...trace,
    },
  };
  const build = await builds?.begin(newBuild, signal).catch((error: unknown) => {
    if (!(error instanceof BlobProblem)) throw error;
    const message = `Couldn’t upload the inputs for worker '${worker.name}' to the object store: ${error.message} Check SVC_ARTIFACT_BLOB_BACKEND and its credentials, or set SVC_ARTIFACT_PRESIGNED_URLS to false.`;
    throw new RemoteFailure('SETUP_FAILED', message, { cause: error });
  });
  if (build !== undefined && build !== null) return build;
  const text = `Worker '${worker.name}' fetches its cells with signed URLs, which need a running server. Open the notebook in the app or with svc serve, or set the worker's transport to direct.`;
  throw new RemoteFailure('SETUP_FAILED', text);
}

/** The URL at which the worker reaches this server, if the notebook sets one. @throws RemoteFailure SETUP_FAILED */
function serverUrlOf({ worker }: RemoteRequest): string | null {
  const address = worker.config['svc_url'];
  if (address === undefined || address === null || address === '') return null;
  if (typeof address === 'string' && /^https?:\/\//.test(address) && URL.canParse(address)) return address;
  const message = `The svc_url ${String(address)} of worker '${worker.name}' is not valid. Use an http:// or https:// address.`;
  throw new RemoteFailure('SETUP_FAILED', message);
}
