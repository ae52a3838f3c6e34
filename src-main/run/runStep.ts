import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ArtifactRow, type ArtifactStore, StoreError } from '../artifacts/artifact.ts';
import { artifactUri, parseArtifactUri } from '../artifacts/uri.ts';
import type { ConsoleText, ExecOutcome, Executor } from '../exec/executor.ts';
import type { StopSignal } from '../lib/processGroup.ts';
import type { ConsoleLogs } from '../notebook/consoleLogs.ts';
import { findStored, type StoredResult } from './cache.ts';
import { subkey } from './provenance.ts';
import { publishRun } from './publish.ts';
import { replayConsole, replayDisplays } from './replay.ts';
import type { StepInput, StepOutcome, StepRequest } from './step.ts';
import { suggestInstall } from './suggestInstall.ts';

export interface StepTools {
  readonly store: ArtifactStore;
  readonly executor: Executor;
  /** Inside the notebook's `.svc`, so that results move into the store without being copied. */
  readonly scratchDir: string;
  /** Keeps cleaning up in sight of whoever closes; nobody waits for it before the result is told. */
  readonly inBackground: (work: Promise<unknown>) => void;
  readonly logs: ConsoleLogs;
}

export interface StepOptions {
  readonly signal: AbortSignal;
  readonly onConsole: (text: ConsoleText) => void;
  readonly onStopSignal?: (signal: StopSignal) => void;
  /** Names the run: its rows in the store and its log carry it. */
  readonly runId: string;
}

/**
 * Executes one planned cell: from the cache if it may, else in the harness, then publishes.
 * Never throws for what a cell or a disk can do: those are outcomes.
 */
export async function runStep(
  tools: StepTools,
  request: StepRequest,
  options: StepOptions,
): Promise<StepOutcome> {
  const startedAt = performance.now();
  const durationMs = () => performance.now() - startedAt;
  try {
    if (request.useCache && request.cacheable) {
      const hit = await answerFromStore(tools.store, request);
      if (hit !== null) return { ...hit, durationMs: durationMs() };
    }
    const inputs = await readableInputs(tools.store, request.inputs);
    if (inputs.kind === 'lost') {
      return {
        kind: 'input_lost',
        producerId: inputs.input.producerId,
        uri: inputs.uri,
        message: inputs.message,
        durationMs: durationMs(),
      };
    }
    return await execute(tools, request, { ...options, files: inputs.files });
  } catch (error) {
    // A full disk, a store held by another process: the cell fails in words and the notebook lives on.
    if (!(error instanceof StoreError) && !isSystemError(error)) throw error;
    return {
      kind: 'failed',
      error: `The result could not be kept: ${error.message}`,
      traceback: null,
      suggestInstall: null,
      stdout: '',
      stderr: '',
      method: 'error',
      durationMs: durationMs(),
    };
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}

async function answerFromStore(
  store: ArtifactStore,
  request: StepRequest,
): Promise<Omit<Extract<StepOutcome, { kind: 'hit' }>, 'durationMs'> | null> {
  const found = findStored({
    stored: request.stored,
    consumed: request.consumed,
    provenanceHash: request.provenanceHash,
    contentKey: request.contentKey,
    depth: 'all',
  });
  if (found === null) return null;
  const [displays, console] = await Promise.all([replayDisplays(store, found), replayConsole(store, found)]);
  if (displays === null || console === 'lost') return null;
  const promoted = found.current ? [] : promoteStored(store, request, found);
  if (promoted === null) return null;
  const newUris = new Map(promoted.map((row) => [row.id, artifactUri(row.id, row.version)]));
  const madeBy = Object.values(found.rows)[0]?.params['run'];
  return {
    kind: 'hit',
    promoted,
    console,
    ...(madeBy === undefined ? {} : { logRun: madeBy }),
    displays: displays.map((display) => {
      const uri = display.artifact_uri;
      if (uri === null) return display;
      const id = parseArtifactUri(uri)?.id;
      return { ...display, artifact_uri: (id === undefined ? undefined : newUris.get(id)) ?? uri };
    }),
  };
}

/** The result under its new key; null when it is not whole on disk any more, so that the cell runs instead. */
function promoteStored(
  store: ArtifactStore,
  request: StepRequest,
  found: StoredResult,
): readonly ArtifactRow[] | null {
  const promotions = Object.entries(found.rows).map(([label, row]) => ({
    id: row.id,
    fromVersion: row.version,
    provenanceHash: subkey(request.provenanceHash, label),
    contentKey: request.contentKey,
  }));
  try {
    return store.promote(promotions);
  } catch (error) {
    const isGone =
      error instanceof StoreError && (error.code === 'blob_missing' || error.code === 'unknown_version');
    if (!isGone) throw error;
    return null;
  }
}

type Inputs =
  | {
      readonly kind: 'ready';
      readonly files: Record<string, { content_type: string; file: string; uri: string }>;
    }
  | { readonly kind: 'lost'; readonly input: StepInput; readonly uri: string; readonly message: string };

async function readableInputs(store: ArtifactStore, inputs: readonly StepInput[]): Promise<Inputs> {
  const files: Record<string, { content_type: string; file: string; uri: string }> = {};
  for (const input of inputs) {
    if (input.row === null) continue;
    const uri = artifactUri(input.row.id, input.row.version);
    const readable = await store.readable(input.row);
    if (readable.kind !== 'ok') return { kind: 'lost', input, uri, message: readable.message };
    files[input.variable] = { content_type: input.row.contentType, file: readable.path, uri };
  }
  return { kind: 'ready', files };
}

async function execute(
  tools: StepTools,
  request: StepRequest,
  options: StepOptions & {
    readonly files: Record<string, { content_type: string; file: string; uri: string }>;
  },
): Promise<StepOutcome> {
  const startedAt = performance.now();
  const { runId } = options;
  const outputDir = join(tools.scratchDir, `run-${runId}`);
  await mkdir(outputDir, { recursive: true });
  try {
    const ended = await tools.executor.run(
      {
        runId,
        cellId: request.cellId,
        cellName: request.cellName,
        language: 'python',
        interpreter: request.interpreter,
        source: request.source,
        inputs: options.files,
        env: request.env,
        store: request.storeLeaves && request.consumed.length === 0 ? request.defines : request.consumed,
        mutationDefines: request.mutationDefines,
        timeoutSeconds: request.timeoutSeconds,
        cwd: request.notebookDir,
        outputDir,
        consoleLog: await tools.logs.begin(request.cellId, runId),
        mode: 'auto',
      },
      options,
    );
    // Its failure is logged and costs a log, not the result.
    tools.inBackground(tools.logs.end(request.cellId, runId, ended));
    const outcome = await settle(tools.store, { request, ended, outputDir, startedAt, runId });
    return { ...outcome, logRun: runId };
  } finally {
    tools.inBackground(rm(outputDir, { recursive: true, force: true }));
  }
}

async function settle(
  store: ArtifactStore,
  run: {
    readonly request: StepRequest;
    readonly ended: ExecOutcome;
    readonly outputDir: string;
    readonly startedAt: number;
    readonly runId: string;
  },
): Promise<StepOutcome> {
  const { request, ended } = run;
  const printed = { stdout: ended.stdout, stderr: ended.stderr };
  const durationMs = () => performance.now() - run.startedAt;
  const failure = (error: string, traceback: string | null): StepOutcome => ({
    kind: 'failed',
    error: bounded(error),
    traceback: traceback === null ? null : bounded(traceback),
    suggestInstall: suggestInstall(error),
    ...printed,
    method: 'error',
    durationMs: durationMs(),
  });
  switch (ended.kind) {
    case 'cancelled':
      return { kind: 'cancelled', ...printed, durationMs: durationMs() };
    case 'timeout':
    case 'crashed':
      return failure(ended.message, null);
    case 'finished': {
      const { result } = ended;
      if (!result.success) return failure(result.error, result.traceback || null);
      const outcome = await publishRun(store, {
        request,
        result,
        outputDir: run.outputDir,
        console: printed,
        runId: run.runId,
        durationMs: ended.durationMs,
      });
      if (outcome.kind === 'missing') return failure(outcome.message, null);
      const { published } = outcome;
      return {
        kind: 'ran',
        published: published.rows,
        outputs: published.outputs,
        displays: published.displays,
        ...printed,
        method: ended.method,
        mutationWarnings: result.mutation_warnings,
        durationMs: durationMs(),
      };
    }
    default:
      return ended satisfies never;
  }
}

/** An exception may carry anything; its ends say what happened, and every frame and file holds it again. */
const KEPT_ERROR_CHARACTERS = 50_000;

function bounded(text: string): string {
  const left = text.length - 2 * KEPT_ERROR_CHARACTERS;
  if (left <= 0) return text;
  const start = text.slice(0, KEPT_ERROR_CHARACTERS);
  return `${start}\n… ${left} characters left out …\n${text.slice(-KEPT_ERROR_CHARACTERS)}`;
}
