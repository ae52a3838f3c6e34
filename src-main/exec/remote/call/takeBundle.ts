import { statSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { PROTOCOL_HEADERS } from '../../../../src-shared/wire/worker/protocol.ts';
import { moveTo } from '../../../lib/guardedFolder/names.ts';
import { BundleProblem } from '../../outputBundle/bundleProblem.ts';
import { type ReadBundle, readBundle } from '../../outputBundle/readBundle.ts';
import { networkWords } from './probeWorker.ts';
import { RemoteFailure, type RemoteRequest } from './remoteRequest.ts';
import { IdleTimeout } from './request.ts';

/** @throws RemoteFailure PROTOCOL_ERROR for another version, or a bundle that is none */
export async function bundleOf(
  answer: IncomingMessage,
  { maxMemberBytes }: { readonly maxMemberBytes: number },
  request: RemoteRequest,
): Promise<ReadBundle> {
  const { worker, outputDir, consoleLog } = request;
  for (const [header, version] of Object.entries(PROTOCOL_HEADERS)) {
    const said = answer.headers[header];
    if (said === undefined || said === version) continue;
    answer.destroy();
    const words = `Remote executor '${worker.name}' uses ${header}: ${String(said)}; this program uses ${version}. Update one of them.`;
    throw new RemoteFailure('PROTOCOL_ERROR', words);
  }
  try {
    const bundle = await readBundle(answer, { dir: outputDir, maxMemberBytes });
    if (consoleLog !== undefined) keepLogs(bundle, consoleLog);
    return bundle;
  } catch (error) {
    // The reader's words are of what it read; that the line was cut is the better reason.
    const cut = answer.errored;
    if (isNetworkError(cut) || isNetworkError(error)) {
      const words = `The response of worker '${worker.name}' was interrupted: ${networkWords(cut ?? error)} The cell ran there, but its result is lost. Run it again.`;
      throw new RemoteFailure('REQUEST_FAILED', words, { cause: cut ?? error });
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

/** A stream longer than its end is kept whole where a run on this machine keeps it. */
export function keepLogs(bundle: ReadBundle, log: NonNullable<RemoteRequest['consoleLog']>): void {
  for (const [file, kept, target] of [
    [bundle.stdoutFile, bundle.stdout, log.stdout],
    [bundle.stderrFile, bundle.stderr, log.stderr],
  ] as const) {
    if (file === null) continue;
    const { size } = statSync(file);
    if (size > Buffer.byteLength(kept) && size <= log.maxBytes) moveTo(file, target);
  }
}
