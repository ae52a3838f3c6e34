/** Reads the output bundle in a worker's answer into the folder of the run, with the logs of its console. */

import { statSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { PROTOCOL_HEADERS } from '../../../../src-shared/wire/worker/protocol.ts';
import { moveTo } from '../../../lib/guardedFolder/names.ts';
import { IdleTimeout } from '../../../lib/http/request.ts';
import { BundleProblem } from '../../outputBundle/bundleProblem.ts';
import { type ReadBundle, readBundle } from '../../outputBundle/readBundle.ts';
import { networkMessage } from './probeWorker.ts';
import { RemoteFailure, type RemoteRequest } from './remoteRequest.ts';

/**
 * Reads the bundle of an answer into the folder.
 * @throws RemoteFailure PROTOCOL_ERROR for another protocol version or an invalid bundle
 */
export async function readAnsweredBundle(
  answer: IncomingMessage,
  { maxMemberBytes }: { readonly maxMemberBytes: number },
  request: RemoteRequest,
): Promise<ReadBundle> {
  const { worker, outputDir, consoleLog } = request;
  for (const [header, version] of Object.entries(PROTOCOL_HEADERS)) {
    const value = answer.headers[header];
    if (value === undefined || value === version) continue;
    answer.destroy();
    const message = `Remote executor '${worker.name}' uses ${header}: ${String(value)}; this program uses ${version}. Update one of them.`;
    throw new RemoteFailure('PROTOCOL_ERROR', message);
  }
  try {
    const bundle = await readBundle(answer, { dir: outputDir, maxMemberBytes });
    if (consoleLog !== undefined) moveLogs(bundle, consoleLog);
    return bundle;
  } catch (error) {
    // When the connection was lost, that is a better reason than what the reader of the bundle found.
    const connectionError = answer.errored;
    if (isNetworkError(connectionError) || isNetworkError(error)) {
      const message = `The response of worker '${worker.name}' was interrupted: ${networkMessage(connectionError ?? error)} The cell ran there, but its result is lost. Run it again.`;
      throw new RemoteFailure('REQUEST_FAILED', message, { cause: connectionError ?? error });
    }
    if (!(error instanceof BundleProblem)) throw error;
    throw new RemoteFailure(
      'PROTOCOL_ERROR',
      `The result from worker '${worker.name}' is not valid: ${error.message}`,
    );
  }
}

export function isNetworkError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^(ECONN|EPIPE|ETIMEDOUT|ERR_STREAM_PREMATURE|UND_|HPE_)/.test(code) || error instanceof IdleTimeout;
}

/** Moves the streams that are longer than their tail to where a run on this machine stores them. */
export function moveLogs(bundle: ReadBundle, log: NonNullable<RemoteRequest['consoleLog']>): void {
  for (const [file, tail, target] of [
    [bundle.stdoutFile, bundle.stdout, log.stdout],
    [bundle.stderrFile, bundle.stderr, log.stderr],
  ] as const) {
    if (file === null) continue;
    const { size } = statSync(file);
    if (size > Buffer.byteLength(tail) && size <= log.maxBytes) moveTo(file, target);
  }
}
