import { randomBytes } from 'node:crypto';
import { suggestInstall } from '../../src-shared/notebook/suggestInstall.ts';
import type { HarnessInput } from '../../src-shared/wire/harness.ts';
import type { ArtifactStore } from '../artifacts/artifact.ts';
import type { ConsoleText, Executor } from '../exec/executor.ts';
import type { RemoteExecutor, RemoteProgress } from '../exec/remote/call/remoteRequest.ts';
import type { StopSignal } from '../lib/processGroup.ts';
import type { Patience } from '../lib/stop.ts';
import type { DataAccess, Prepared } from '../mount/dataAccess.ts';
import type { ConsoleLogs } from '../notebook/kept/consoleLogs.ts';
import type { InputFiles } from './execRequest.ts';
import type { LanguageSteps } from './languageStep.ts';
import type { PromptDelta } from './prompt/deltaFeed.ts';
import { harnessInput } from './shared/harnessInput.ts';
import type { IterationProgress, StepInput, StepOutcome, StepRequest, VariantProgress } from './step.ts';

/** What a step needs whichever way it runs: once, or as a loop. */

export interface StepTools {
  readonly store: ArtifactStore;
  readonly executor: Pick<Executor, 'run'>;
  /** Where cells of workers run; absent: no cell has one. */
  readonly remote?: RemoteExecutor;
  /** Inside the notebook's `.svc`, so that results move into the store without being copied. */
  readonly scratchDir: string;
  /** Keeps cleaning up in sight of whoever closes; nobody waits for it before the result is told. */
  readonly inBackground: (work: Promise<unknown>) => void;
  readonly logs: ConsoleLogs;
  /** Brings what the cell uses from outside to where its process can open it. */
  readonly data: DataAccess;
  /** How cells of other languages run. */
  readonly languages: LanguageSteps;
}

export interface StepOptions {
  readonly signal: AbortSignal;
  /** In what manner the signal stops it; absent: soon. */
  readonly patience?: Patience;
  readonly onConsole: (text: ConsoleText) => void;
  readonly onStopSignal?: (signal: StopSignal) => void;
  /** An iteration of a loop is kept, or was found kept. */
  readonly onIteration?: (progress: IterationProgress) => void;
  /** Whether what the key holds of files outside the store is still so; asked when the cell has ended. */
  readonly isCurrent?: () => Promise<boolean>;
  /** A variant's run of a fan-out has ended. */
  readonly onVariant?: (progress: VariantProgress) => void;
  /** A piece of a model's answer, or what is to be said of it. */
  readonly onDelta?: (delta: PromptDelta) => void;
  /** How far a run on a worker elsewhere is. */
  readonly onProgress?: (progress: RemoteProgress) => void;
  /** Names the run: its rows in the store and its log carry it. */
  readonly runId: string;
}

export type Inputs =
  | { readonly kind: 'ready'; readonly files: InputFiles }
  | { readonly kind: 'lost'; readonly input: StepInput; readonly uri: string; readonly message: string };

export async function readableInputs(store: ArtifactStore, inputs: readonly StepInput[]): Promise<Inputs> {
  const files: Record<string, HarnessInput> = {};
  for (const input of inputs) {
    if (input.row === null) continue;
    const found = await harnessInput(store, input.row);
    if (found.kind === 'lost') return { kind: 'lost', input, uri: found.uri, message: found.message };
    const file = found.input;
    files[input.variable] =
      input.variant === null ? file : withVariant(files[input.variable], { name: input.variant, file });
  }
  return { kind: 'ready', files };
}

/** A dict of the variants so far, and one more. */
export function withVariant(
  before: HarnessInput | undefined,
  { name, file }: { readonly name: string; readonly file: Extract<HarnessInput, { file: string }> },
): HarnessInput {
  const variants = before !== undefined && 'variants' in before ? before.variants : {};
  return { kind: 'sweep_dict', variants: { ...variants, [name]: file } };
}

export function lostInput({ input, uri, message }: Extract<Inputs, { kind: 'lost' }>) {
  return { kind: 'input_lost', producerId: input.producerId, uri, message } as const;
}

export type ReadyData = Extract<Prepared, { kind: 'ready' }>;

/** Null where the cell uses nothing from outside: it costs such a cell nothing. */
export async function prepareData(
  tools: Pick<StepTools, 'data'>,
  request: Pick<StepRequest, 'data'>,
  options: { readonly scratchDir: string; readonly signal: AbortSignal },
): Promise<Prepared | null> {
  return request.data.length === 0 ? null : tools.data.prepare(request.data, options);
}

/** What the cell uses cannot be had: it fails before anything of it runs (analysis-and-graph 3.6, outside-data). */
export function notStarted(
  { message, errorCode }: Extract<Prepared, { kind: 'failed' }>,
  durationMs: number,
): StepOutcome {
  return {
    ...failedStep(message, null),
    suggestInstall: null,
    ...(errorCode === undefined ? {} : { errorCode }),
    durationMs,
  };
}

/** A failure; what was printed before it and how long it took come from who knows. */
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

/** An exception may carry anything; its ends say what happened, and every frame and file holds it again. */
const KEPT_ERROR_CHARACTERS = 50_000;

function bounded(text: string): string {
  const left = text.length - 2 * KEPT_ERROR_CHARACTERS;
  if (left <= 0) return text;
  const start = text.slice(0, KEPT_ERROR_CHARACTERS);
  return `${start}\n… ${left} characters left out …\n${text.slice(-KEPT_ERROR_CHARACTERS)}`;
}

/** A result nobody can say the inputs of: shown, and never an answer to a later run. */
export function keptForNobody(request: StepRequest): StepRequest {
  return { ...request, provenanceHash: randomBytes(32).toString('hex'), contentKey: null, unlockedKey: null };
}
