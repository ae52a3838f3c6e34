import { SETUP_FEATURE } from '../../../src-shared/wire/worker/extensions.ts';
import type { Builds } from '../../builds/builds.ts';
import { removeTree } from '../../lib/guardedFolder/names.ts';
import { transportOf, workerUrl } from '../../notebook/workers.ts';
import type { ExecOutcome, RemoteRun } from '../executor.ts';
import { createLockedEnvironments, type LockedEnvironments } from './call/lockedEnvironment.ts';
import { waitingWords } from './call/postWhenFree.ts';
import { mayRunOn } from './call/reattach.ts';
import {
  type HadRun,
  type RemoteExecutor,
  RemoteFailure,
  type RemoteProgress,
  type RemoteRequest,
} from './call/remoteRequest.ts';
import type { AskedWorker } from './call/workerFacts.ts';
import { createWorkerSlots, type Slot, type WorkerSlots } from './call/workerSlots.ts';
import type { WorkerTokens } from './call/workerTokens.ts';
import { workerUrls } from './call/workerUrls.ts';
import { forgetRun, holdRun } from './heldRun.ts';
import { pullRun } from './pull/pullRun.ts';
import { pushRun } from './push/pushRun.ts';
import { whyValueRefused } from './refusedValues.ts';
import { resumedRun } from './resumedRun.ts';
import { withSetupInFront } from './setupInFront.ts';
import { sweepsAsCode } from './sweepsAsCode.ts';

export interface RemoteExecutorOptions {
  readonly tokens: Pick<WorkerTokens, 'resolve'>;
  /** SVC_WORKER_PROVISIONING_TIMEOUT_SECONDS. */
  readonly provisioningSeconds: number;
  /** SVC_NOTEBOOK_MAX_BUNDLE_MEMBER_BYTES. */
  readonly maxMemberBytes: number;
  /** Hands out what a worker fetches; absent where no server is. */
  readonly builds?: Pick<Builds, 'begin' | 'left'>;
  /** Where cells are run from: an open notebook (the default), or a run without a window. */
  readonly origin?: 'notebook' | 'run';
  readonly pollMs?: number;
  readonly patienceMs?: number;
  readonly consoleAfterMs?: number;
}

/** Runs cells on workers: pushed there, or fetched by them (worker-protocol 1). */
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
      const nothing = { method: 'executor', stdout: '' } as const;
      /** Stands in front of what the cell writes to stderr. */
      let notices = '';
      let isHeld = false;
      let hasEnded = false;
      const forget = (): void => forgetRun(request.cwd, request.cellId);
      const sweepsDir = `${request.outputDir}-sweeps`;
      const durationMs = (): number => performance.now() - startedAt;
      try {
        const url = usableUrl(request);
        const token = tokens.resolve(request.notebookId, worker);
        const told = {
          ...runOptions,
          onProgress(progress: RemoteProgress) {
            if (hasEnded) return;
            remote = { ...remote, buildId: progress.buildId, buildState: progress.state };
            onProgress(progress);
          },
          ...{ url, token },
        };
        const onBuild = (id: string): void => {
          remote = { ...remote, buildId: id };
          isHeld = true;
          holdRun(request.cwd, request.cellId, {
            ...{ build_id: id, worker: worker.name, url },
            ...{ provenance_hash: request.provenanceHash, source_hash: request.sourceHash },
            run_id: request.runId,
          });
        };
        const isPull = transport === 'signed';
        const onNotice = (text: string): void => {
          notices += text;
          runOptions.onConsole({ stream: 'stderr', text });
        };
        const sending = { ...told, onBuild, onNotice };
        const inputs = await sweepsAsCode(request, sweepsDir);
        const asked = { worker: worker.name, healthUrl: workerUrls(url).health, signal: runOptions.signal };
        const sent = { ...(await withSetup(tools.environments, request, asked)), inputs };
        const send = async (): Promise<HadRun> => {
          const slot = await slotFor(tools, { ...asked, onProgress: told.onProgress });
          try {
            const run = isPull ? pullRun : pushRun;
            return await run(tools, sent, { ...sending, slot });
          } finally {
            slot.release();
          }
        };
        const had = (await resumedRun(tools, sent, told)) ?? (await send());
        const { result, stdout } = had.bundle;
        const stderr = notices + had.bundle.stderr;
        const ended = { ...remote, buildId: had.buildId, ...(isPull ? { buildState: 'ready' } : {}) };
        const letGo = async (): Promise<void> => {
          forget();
          await had.letGo();
        };
        if (runOptions.signal.aborted) {
          return { ...cancelled({ stdout, stderr, durationMs: durationMs(), remote: ended }), letGo };
        }
        const refused = whyValueRefused(worker, result);
        if (refused !== null) {
          const printed = { stdout, stderr, durationMs: durationMs(), remote: ended };
          return { kind: 'crashed', message: refused, method: 'executor', ...printed, letGo };
        }
        return {
          kind: 'finished',
          result,
          method: 'executor',
          durationMs: durationMs(),
          stdout,
          stderr,
          remote: ended,
          letGo,
        };
      } catch (error) {
        // Where the line broke the worker may still be at it, and the next run of the cell asks first.
        if (isHeld && (runOptions.signal.aborted || !mayRunOn(error))) forget();
        if (runOptions.signal.aborted) {
          return cancelled({ stdout: '', stderr: notices, durationMs: durationMs(), remote });
        }
        if (!(error instanceof RemoteFailure)) throw error;
        const state = transport === 'signed' && remote.buildId !== null ? { buildState: 'failed' } : {};
        const failed = {
          ...nothing,
          stderr: notices,
          durationMs: durationMs(),
          remote: { ...remote, ...state, errorCode: error.code },
        };
        return { kind: error.isTimeout ? 'timeout' : 'crashed', message: error.message, ...failed };
      } finally {
        hasEnded = true;
        await removeTree(sweepsDir);
      }
    },
  };
}

/** The run's place at its worker; what it says while it waits for one. */
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
  { onProgress, ...at }: AskedWorker & { onProgress(progress: RemoteProgress): void },
): Promise<Slot> {
  const { worker, healthUrl, signal } = at;
  return slots.take(healthUrl, {
    ...{ worker, signal, patienceMs: provisioningSeconds * 1000 },
    async most() {
      try {
        return (await environments.facts(at)).most;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof RemoteFailure)) throw error;
        // It says so itself when it is full.
        return null;
      }
    },
    onWait: (position) =>
      onProgress({ buildId: null, state: 'starting', position, detail: waitingWords(worker, position) }),
  });
}

/** The set-up cell as a part of its own where the worker knows that part, else in front of the source: never both. */
async function withSetup(
  features: Pick<LockedEnvironments, 'offers'>,
  request: RemoteRequest,
  asked: Parameters<LockedEnvironments['offers']>[1],
): Promise<RemoteRequest> {
  const { setup, ...rest } = request;
  if (setup === undefined || (await features.offers(SETUP_FEATURE, asked))) return request;
  return { ...rest, source: withSetupInFront(request.source, setup) };
}

function cancelled(printed: Pick<ExecOutcome, 'stdout' | 'stderr' | 'durationMs' | 'remote'>): ExecOutcome {
  return { kind: 'cancelled', message: 'Cancelled before it finished', method: 'executor', ...printed };
}

/** @throws RemoteFailure for what a worker elsewhere cannot be sent */
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
  const fetched = Object.entries(inputs).find(
    ([, input]) => 'content_type' in input && input.content_type === 'file/path',
  );
  if (language === 'r' && fetched !== undefined) {
    throw new RemoteFailure(
      null,
      `An R cell on a worker cannot @fetch \`${fetched[0]}\`: fetch it in a Python cell above.`,
    );
  }
  return url;
}
