/**
 * The executor that runs cells on workers. A run checks the worker's URL, takes a slot, fetches the result of an
 * earlier run or sends the cell, and is recorded on disk while it is under way.
 */

import { SETUP_FEATURE } from '../../../src-shared/wire/worker/extensions.ts';
import type { Builds } from '../../builds/builds.ts';
import { removeTree } from '../../lib/guardedFolder/names.ts';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { transportOf, workerUrl } from '../../notebook/workers.ts';
import type { ExecOutcome, RemoteRun } from '../executor.ts';
import { createLockedEnvironments, type LockedEnvironments } from './call/lockedEnvironment.ts';
import { waitingMessage } from './call/postWhenFree.ts';
import { mayStillRun } from './call/reattach.ts';
import {
  type RemoteExecutor,
  RemoteFailure,
  type RemoteProgress,
  type RemoteRequest,
  type RemoteResult,
} from './call/remoteRequest.ts';
import type { WorkerQuery } from './call/workerFacts.ts';
import { createWorkerSlots, type Slot, type WorkerSlots } from './call/workerSlots.ts';
import type { WorkerTokens } from './call/workerTokens.ts';
import { workerUrls } from './call/workerUrls.ts';
import { pullRun } from './pull/pullRun.ts';
import { pushRun } from './push/pushRun.ts';
import { forgetRun, recordRun } from './recordedRun.ts';
import { whyValueRefused } from './refusedValues.ts';
import { resumeRun } from './resumeRun.ts';
import { withSetupInFront } from './setupInFront.ts';
import { sweepsAsCode } from './sweepsAsCode.ts';

export interface RemoteExecutorOptions {
  readonly tokens: Pick<WorkerTokens, 'resolve'>;
  /** SVC_WORKER_PROVISIONING_TIMEOUT_SECONDS. */
  readonly provisioningSeconds: number;
  /** SVC_NOTEBOOK_MAX_BUNDLE_MEMBER_BYTES. */
  readonly maxMemberBytes: number;
  /** Serves the files that a worker fetches; absent when there is no server. */
  readonly builds?: Pick<Builds, 'begin' | 'left'>;
  /** Where cells are run from: an open notebook (the default) or a run without a window. */
  readonly origin?: 'notebook' | 'run';
  readonly pollMs?: number;
  readonly patienceMs?: number;
  readonly consoleAfterMs?: number;
}

/**
 * Runs cells on workers, by push (the cell is sent) or pull (the worker fetches it): docs/spec/worker-protocol.md, 1.
 */
export function createRemoteExecutor(options: RemoteExecutorOptions): RemoteExecutor {
  const { tokens, builds = null, ...limits } = options;
  const tools = { environments: createLockedEnvironments(), slots: createWorkerSlots(), builds, ...limits };
  return {
    async run(request, { onProgress, ...runOptions }) {
      const startedAt = performance.now();
      const { worker } = request;
      const transport = transportOf(worker);
      let remote: RemoteRun = {
        worker: worker.name,
        transport,
        buildId: null,
        buildState: null,
        errorCode: null,
      };
      const noOutput = { method: 'executor', stdout: '' } as const;
      /** Notices that are put in front of the cell's stderr. */
      let notices = '';
      let isHeld = false;
      let hasEnded = false;
      const dir = notebookFolder(request.cwd);
      const forget = (): void => forgetRun(dir, request.cellId);
      const sweepsDir = `${request.outputDir}-sweeps`;
      const durationMs = (): number => performance.now() - startedAt;
      try {
        const url = usableUrl(request);
        const token = tokens.resolve(request.notebookId, worker);
        const callbacks = {
          ...runOptions,
          onProgress(progress: RemoteProgress) {
            if (hasEnded) return;
            remote = { ...remote, buildId: progress.buildId, buildState: progress.state };
            onProgress(progress);
          },
          url,
          token,
        };
        const onBuild = (id: string): void => {
          remote = { ...remote, buildId: id };
          isHeld = true;
          recordRun(dir, request.cellId, {
            build_id: id,
            worker: worker.name,
            url,
            provenance_hash: request.provenanceHash,
            source_hash: request.sourceHash,
            run_id: request.runId,
          });
        };
        const isPull = transport === 'signed';
        const onNotice = (text: string): void => {
          notices += text;
          runOptions.onConsole({ stream: 'stderr', text });
        };
        const sending = { ...callbacks, onBuild, onNotice };
        const inputs = await sweepsAsCode(request, sweepsDir);
        const workerQuery = {
          worker: worker.name,
          healthUrl: workerUrls(url).health,
          signal: runOptions.signal,
        };
        const prepared = { ...(await withSetup(tools.environments, request, workerQuery)), inputs };
        const send = async (): Promise<RemoteResult> => {
          const slot = await slotFor(tools, { ...workerQuery, onProgress: callbacks.onProgress });
          try {
            const run = isPull ? pullRun : pushRun;
            return await run(tools, prepared, { ...sending, slot });
          } finally {
            slot.release();
          }
        };
        const remoteResult = (await resumeRun(tools, prepared, callbacks)) ?? (await send());
        const { result, stdout } = remoteResult.bundle;
        const stderr = notices + remoteResult.bundle.stderr;
        const remoteRun = {
          ...remote,
          buildId: remoteResult.buildId,
          ...(isPull ? { buildState: 'ready' } : {}),
        };
        const discard = async (): Promise<void> => {
          forget();
          await remoteResult.discard();
        };
        if (runOptions.signal.aborted) {
          return { ...cancelled({ stdout, stderr, durationMs: durationMs(), remote: remoteRun }), discard };
        }
        const refusal = whyValueRefused(worker, result);
        if (refusal !== null) {
          const printed = { stdout, stderr, durationMs: durationMs(), remote: remoteRun };
          return { kind: 'crashed', message: refusal, method: 'executor', ...printed, discard };
        }
        return {
          kind: 'finished',
          result,
          method: 'executor',
          durationMs: durationMs(),
          stdout,
          stderr,
          remote: remoteRun,
          discard,
        };
      } catch (error) {
        // After a lost connection the worker may still run the cell, so the next run of the cell asks it first.
        if (isHeld && (runOptions.signal.aborted || !mayStillRun(error))) forget();
        if (runOptions.signal.aborted) {
          return cancelled({ stdout: '', stderr: notices, durationMs: durationMs(), remote });
        }
        if (!(error instanceof RemoteFailure)) throw error;
        const state = transport === 'signed' && remote.buildId !== null ? { buildState: 'failed' } : {};
        const partial = {
          ...noOutput,
          stderr: notices,
          durationMs: durationMs(),
          remote: { ...remote, ...state, errorCode: error.code },
        };
        return { kind: error.isTimeout ? 'timeout' : 'crashed', message: error.message, ...partial };
      } finally {
        hasEnded = true;
        await removeTree(sweepsDir);
      }
    },
  };
}

/** Takes a slot of the worker; reports the position while it waits. */
function slotFor(
  {
    environments,
    slots,
    provisioningSeconds,
  }: {
    readonly environments: Pick<LockedEnvironments, 'facts'>;
    readonly slots: WorkerSlots;
    readonly provisioningSeconds: number;
  },
  { onProgress, ...query }: WorkerQuery & { onProgress(progress: RemoteProgress): void },
): Promise<Slot> {
  const { worker, healthUrl, signal } = query;
  return slots.take(healthUrl, {
    worker,
    signal,
    patienceMs: provisioningSeconds * 1000,
    async most() {
      try {
        return (await environments.facts(query)).most;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof RemoteFailure)) throw error;
        // The worker itself refuses cells when it is full.
        return null;
      }
    },
    onWait: (position) =>
      onProgress({ buildId: null, state: 'starting', position, detail: waitingMessage(worker, position) }),
  });
}

/** The set-up cell as a separate field where the worker supports it, else in front of the source: never both. */
async function withSetup(
  features: Pick<LockedEnvironments, 'offers'>,
  request: RemoteRequest,
  query: Parameters<LockedEnvironments['offers']>[1],
): Promise<RemoteRequest> {
  const { setup, ...rest } = request;
  if (setup === undefined || (await features.offers(SETUP_FEATURE, query))) return request;
  return { ...rest, source: withSetupInFront(request.source, setup) };
}

function cancelled(printed: Pick<ExecOutcome, 'stdout' | 'stderr' | 'durationMs' | 'remote'>): ExecOutcome {
  return { kind: 'cancelled', message: 'Cancelled before it finished', method: 'executor', ...printed };
}

/** The worker's URL. @throws RemoteFailure for requests that cannot be sent to a worker */
function usableUrl({ worker, declaredMounts, inputs, language }: RemoteRequest): string {
  const url = workerUrl(worker);
  if (url === null) {
    throw new RemoteFailure(null, `Worker '${worker.name}' has no address. Set config.url in notebook.toml.`);
  }
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new RemoteFailure(
      null,
      `The address ${url} of worker '${worker.name}' is not valid. Use http:// or https://.`,
    );
  }
  for (const { name, uri } of declaredMounts) {
    if (/^file:/i.test(uri) || !uri.includes('://')) {
      throw new RemoteFailure(null, `Remote execution does not support file:// mount '${name}'`);
    }
  }
  const fetchInput = Object.entries(inputs).find(
    ([, input]) => 'content_type' in input && input.content_type === 'file/path',
  );
  if (language === 'r' && fetchInput !== undefined) {
    throw new RemoteFailure(
      null,
      `An R cell on a worker cannot @fetch \`${fetchInput[0]}\`: fetch it in a Python cell above.`,
    );
  }
  return url;
}
