/**
 * What the steps of all languages share: their tools and options, and how they read inputs, report failures and key
 * results.
 */

import { randomBytes } from 'node:crypto';
import { suggestInstall } from '../../src-shared/notebook/suggestInstall.ts';
import type { HarnessInput } from '../../src-shared/wire/harness.ts';
import type { ArtifactStore } from '../artifacts/artifact.ts';
import type { ConsoleText, Executor } from '../exec/executor.ts';
import type { KeptProcess } from '../exec/keptProcess.ts';
import type { RemoteExecutor, RemoteProgress } from '../exec/remote/call/remoteRequest.ts';
import type { StopSignal } from '../lib/processGroup.ts';
import type { StopPatience } from '../lib/stop.ts';
import type { DataAccess, PreparedData } from '../mount/dataAccess.ts';
import type { ConsoleLogs } from '../notebook/stored/consoleLogs.ts';
import type { CodeRunner } from './codeRunner.ts';
import type { InputFiles } from './execRequest.ts';
import type { LanguageSteps } from './languageStep.ts';
import type { PromptDelta } from './prompt/deltaFeed.ts';
import { harnessInput } from './shared/harnessInput.ts';
import type {
  CodeRequest,
  IterationProgress,
  ReadingRequest,
  StepInput,
  StepOutcome,
  VariantProgress,
} from './step.ts';
import type { TeamCache } from './team/teamCache.ts';

/** The parts of the program that a step of any language may use. */
export interface StepTools {
  readonly store: ArtifactStore;
  readonly executor: Pick<Executor, 'run'>;
  /** Runs cells on workers; absent: no cell has a worker. */
  readonly remote?: RemoteExecutor;
  /** Inside the notebook's `.svc`, so that results are moved into the store, not copied. */
  readonly scratchDir: string;
  /** Tracks clean-up work for the closing of the session; the result is reported without waiting for it. */
  readonly inBackground: (work: Promise<unknown>) => void;
  readonly logs: ConsoleLogs;
  /** Copies external data to where the cell's process can open it. */
  readonly data: DataAccess;
  /** Absent: results are not shared with a team. */
  readonly team?: TeamCache;
  /** How cells of other languages run. */
  readonly languages: LanguageSteps;
}

/** The parts of the program for the step of a code cell, whose language has chosen its interpreter. */
export interface CodeTools extends Omit<StepTools, 'executor' | 'languages'> {
  readonly runner: CodeRunner;
}

/** How one step runs: its run id, its stop, and the callbacks for its progress. */
export interface StepOptions {
  readonly signal: AbortSignal;
  /** Whether a stop may wait for the cell to end by itself; absent: it does not. */
  readonly patience?: StopPatience;
  readonly onConsole: (text: ConsoleText) => void;
  readonly onStopSignal?: (signal: StopSignal) => void;
  /** An iteration of a loop was stored, or reused. */
  readonly onIteration?: (progress: IterationProgress) => void;
  /** Whether the files in the key are unchanged; called when the cell has ended. */
  readonly isCurrent?: () => Promise<boolean>;
  /** A variant's run of a fan-out has ended. */
  readonly onVariant?: (progress: VariantProgress) => void;
  /** A chunk of a model's reply, or a note about it. */
  readonly onDelta?: (delta: PromptDelta) => void;
  /** The progress of a run on a remote worker. */
  readonly onProgress?: (progress: RemoteProgress) => void;
  /** The process of a cell that shows widgets stays; absent: every process ends with its run. */
  readonly onKept?: (process: KeptProcess) => void;
  /** Identifies the run in its stored rows and its log. */
  readonly runId: string;
}

type Inputs =
  | { readonly kind: 'ready'; readonly files: InputFiles }
  | { readonly kind: 'lost'; readonly input: StepInput; readonly uri: string; readonly message: string };

/** The files of a step's inputs for its process; `lost` if the bytes of one are missing. */
export async function readableInputs(store: ArtifactStore, inputs: readonly StepInput[]): Promise<Inputs> {
  const files: Record<string, HarnessInput> = {};
  for (const input of inputs) {
    if (input.row === null) continue;
    const stored = await harnessInput(store, input.row);
    if (stored.kind === 'lost') return { kind: 'lost', input, uri: stored.uri, message: stored.message };
    const file = stored.input;
    files[input.variable] =
      input.variant === null ? file : withVariant(files[input.variable], { name: input.variant, file });
  }
  return { kind: 'ready', files };
}

/** The dict of the variants so far, plus one. */
export function withVariant(
  before: HarnessInput | undefined,
  { name, file }: { readonly name: string; readonly file: Extract<HarnessInput, { file: string }> },
): HarnessInput {
  const variants = before !== undefined && 'variants' in before ? before.variants : {};
  return { kind: 'sweep_dict', variants: { ...variants, [name]: file } };
}

/** The outcome of a step whose input has lost its bytes. */
export function lostInput({ input, uri, message }: Extract<Inputs, { kind: 'lost' }>) {
  return { kind: 'input_lost', producerId: input.producerId, uri, message } as const;
}

export type ReadyData = Extract<PreparedData, { kind: 'ready' }>;

/** Null if the cell uses no external data, at no cost. */
export async function prepareData(
  tools: Pick<StepTools, 'data'>,
  request: Pick<ReadingRequest, 'data'>,
  options: { readonly scratchDir: string; readonly signal: AbortSignal },
): Promise<PreparedData | null> {
  return request.data.length === 0 ? null : tools.data.prepare(request.data, options);
}

/**
 * The outcome of a cell whose external data is unavailable: it fails before it starts
 * (docs/spec/analysis-and-graph.md, 3.6; docs/spec/outside-data.md).
 */
export function notStarted(
  { message, errorCode }: Extract<PreparedData, { kind: 'failed' }>,
  durationMs: number,
): StepOutcome {
  return {
    ...failedStep(message, null),
    suggestInstall: null,
    ...(errorCode === undefined ? {} : { errorCode }),
    durationMs,
  };
}

/** A failure; the caller adds the output before it and the duration. */
export function failedStep(error: string, traceback: string | null) {
  return {
    kind: 'failed',
    error: bounded(error),
    traceback: traceback === null ? null : bounded(traceback),
    suggestInstall: suggestInstall(error),
    stdout: '',
    stderr: '',
    method: 'error',
  } as const;
}

/**
 * An exception may have a text of any length; its beginning and end show what happened, and every frame and
 * file repeats it.
 */
const MAX_AT_EACH_END = 50_000;

function bounded(text: string): string {
  const omitted = text.length - 2 * MAX_AT_EACH_END;
  if (omitted <= 0) return text;
  const start = text.slice(0, MAX_AT_EACH_END);
  return `${start}\n… ${omitted} characters left out …\n${text.slice(-MAX_AT_EACH_END)}`;
}

/** For a result with unknown inputs: it is shown, and never matches a later run. */
export function withUnmatchableKeys<R extends CodeRequest>(request: R): R {
  const keys = { provenanceHash: randomBytes(32).toString('hex'), contentKey: null };
  return 'unlockedKey' in request ? { ...request, ...keys, unlockedKey: null } : { ...request, ...keys };
}
