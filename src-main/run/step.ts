/**
 * The request that the reducer makes for running one cell (a step), by language and shape, and its possible outcomes.
 */

import type { CellId, NotebookId } from '../../src-shared/notebook/ids.ts';
import type { ExecutionMethod } from '../../src-shared/wire/execution.ts';
import type { RunUsage } from '../../src-shared/wire/harness.ts';
import type { MutationWarning, Output, OutputPreview } from '../../src-shared/wire/output.ts';
import type { AiChoice } from '../ai/aiSettings.ts';
import type { ArtifactRow } from '../artifacts/artifact.ts';
import type { RemoteRun } from '../exec/executor.ts';
import type { PythonInterpreter, SetupCode } from '../exec/interpreter.ts';
import type { ModuleFacts } from '../language/modules/closure.ts';
import type { DataUse } from '../mount/dataAccess.ts';
import type { Worker } from '../notebook/file/notebookFile.ts';
import type { NotebookFolder } from '../notebook/folder/notebookFolder.ts';
import type { RunFacts } from './facts.ts';
import type { KnownPackages } from './observed/knownPackages.ts';
import type { Observation, WrittenFact } from './observed/observation.ts';
import type { PathStates } from './observed/pathState.ts';
import type { SqlUse } from './sql/sqlUse.ts';
import type { StoredVersions } from './storedVersions.ts';
import type { TeamOrigin } from './team/teamOrigin.ts';
import type { WidgetRun } from './widget/widgetRequest.ts';

/** A variable a cell reads: its producer and the stored version (null: none stored, a NameError at run). */
export interface StepInput {
  readonly variable: string;
  readonly producerId: CellId;
  readonly row: ArtifactRow | null;
  /** The variant of the value: the cell sees `{variant: value}`. Null: the value itself. */
  readonly variant: string | null;
  /** Bound as the value itself, and only in that variant's run of a fan-out. */
  readonly perRun: boolean;
}

/** One run of a cell that runs once per variant (docs/spec/analysis-and-graph.md, 3.4). */
export interface VariantRun {
  readonly variant: string;
  readonly basis: string;
  readonly contentKey: string | null;
  readonly unlockedKey: string | null;
}

/** The progress report about an ended run of a variant. */
export interface VariantProgress {
  readonly variant: string;
  /** From 0. */
  readonly index: number;
  readonly total: number;
  readonly success: boolean;
  readonly durationMs: number;
  readonly error: string | null;
}

/** How a loop cell runs (docs/spec/analysis-and-graph.md, 3.5). */
export interface LoopStep {
  readonly carry: string;
  readonly maxIter: number;
  readonly untilExpr: string | null;
  /** The iteration of another loop that the first one starts with; null: the value wired to the carry. */
  readonly start: { readonly cellId: string; readonly iteration: number } | null;
  /** Digest of the code of one iteration. */
  readonly iterationHash: string;
}

/** The progress report about a finished and stored iteration. */
export interface IterationProgress {
  readonly iteration: number;
  readonly maxIter: number;
  readonly artifactUri: string;
  readonly contentType: string;
  readonly untilReached: boolean;
  readonly durationMs: number;
}

/**
 * Which variables of a leaf are stored although nothing reads them yet: none; those that cost little compared
 * with the run, so that a cell added below can use them; or all, as in headless runs (docs/spec/command-line.md, 2).
 */
export type LeafStorage = 'none' | 'cheap' | 'all';

/** The fields of every step: the keys of its result, and what is recorded about the result. */
export interface AnyStep {
  readonly notebookId: NotebookId;
  readonly cellId: CellId;
  readonly source: string;
  /** Followed by the set-up cell's. */
  readonly sourceHash: string;
  readonly provenanceHash: string;
  /** Digest of the values it reads: a result made from others never matches, under any key. */
  readonly basis: string;
  readonly envHash: string;
  readonly inputHashes: readonly string[];
  /** The inputs of the run, for explaining it later; recorded once it succeeds. */
  readonly facts: RunFacts;
  /** Variables that later cells read, which must be stored. */
  readonly consumed: readonly string[];
  readonly leaves: LeafStorage;
  readonly stored: StoredVersions;
}

/** A step that reads values and external data, and whose result is found by the content of what it read. */
export interface ReadingStep extends AnyStep {
  readonly notebookDir: NotebookFolder;
  readonly cellName: string;
  /** The key over the bytes of the inputs; null: the result is neither looked up nor found by content. */
  readonly contentKey: string | null;
  readonly inputs: readonly StepInput[];
  readonly defines: readonly string[];
  readonly useCache: boolean;
  /**
   * False for @nocache and for cells that write to a mount: never a hit, and a leaf stores no console
   * artifact.
   */
  readonly cacheable: boolean;
  readonly env: Readonly<Record<string, string>>;
  /** The external data it uses, with the last checks. */
  readonly data: readonly DataUse[];
  readonly timeoutSeconds: number;
  /** The authenticated name of the user who started the run; null: there is none. */
  readonly principal: string | null;
  /**
   * The files that other cells of the notebook were seen to write: a file of this cell may have been
   * rewritten by them.
   */
  readonly otherWrites: readonly WrittenFact[];
  /**
   * The folder's modules as in the key; null: stop checking, because they change faster than they are read.
   */
  readonly modules: ModuleFacts | null;
}

/** A step that starts a process of the notebook's Python, always or when it needs one. */
export interface PythonUser {
  /**
   * The Python that runs the step; null: none is ready. A cell of a worker, and a prompt over plain values, need none.
   */
  readonly interpreter: PythonInterpreter | null;
  /** The set-up cell that runs before it; null if there is none. */
  readonly setup: SetupCode | null;
  /** Dotted names of the modules that its process may import. */
  readonly moduleNames: readonly string[];
}

/** A step that runs a cell's code in a process. */
interface CodeStep extends ReadingStep {
  /** The worker it names; null: this machine. */
  readonly worker: Worker | null;
}

/** The cell runs once. */
export interface OnceShape {
  readonly shape: 'once';
}
/** The cell runs again and again, each time with the value carried over from the previous iteration. */
export interface LoopShape {
  readonly shape: 'loop';
  readonly loop: LoopStep;
}
/** The cell runs once per variant. */
export interface FanOutShape {
  readonly shape: 'fan_out';
  /** In order. */
  readonly runs: readonly VariantRun[];
}
/** One run of a fan-out. */
interface OneVariant {
  readonly shape: 'variant';
  readonly variant: string;
}

interface PythonCode extends CodeStep, PythonUser {
  readonly language: 'python';
  /** The key of its inputs, source and environment without the packages; null: the whole lock counts. */
  readonly unlockedKey: string | null;
  /** The packages installed where it runs; null: unknown. */
  readonly packages: KnownPackages | null;
  readonly mutationDefines: readonly string[];
  /** Names that only a later cell defines → the display name of that cell. */
  readonly below: Readonly<Record<string, string>>;
}
export type PythonStep = PythonCode & (OnceShape | LoopShape | FanOutShape | OneVariant);

interface RCode extends CodeStep {
  readonly language: 'r';
}
export type RStep = RCode & (OnceShape | LoopShape);

/** A step that requests a reply from a model. */
export interface PromptStep extends ReadingStep, PythonUser {
  readonly language: 'prompt';
  readonly ai: AiChoice;
}

/** A step that queries a database. */
export interface SqlStep extends ReadingStep {
  readonly language: 'sql';
  readonly sql: SqlUse;
}

/** A step that stores the values of a widget cell's controls. */
export interface WidgetStep extends AnyStep {
  readonly language: 'widget';
  readonly widget: WidgetRun;
}

/**
 * Everything one cell's execution needs, gathered by the reducer: running it makes no further decisions. Each
 * language and shape has the fields that it uses and no others.
 */
export type StepRequest = PythonStep | RStep | PromptStep | SqlStep | WidgetStep;

/** The steps that run a cell's code in a process. */
export type CodeRequest = PythonStep | RStep;
/** The steps that run the code of a loop cell. */
export type LoopRequest = Extract<CodeRequest, { shape: 'loop' }>;
/** The steps that read values of other cells. */
export type ReadingRequest = Exclude<StepRequest, WidgetStep>;
/** The shapes in which the tests of a cell run it. */
export type TestedShape = OnceShape | LoopShape | OneVariant;

export type StepLanguage = StepRequest['language'];
export type StepOf<L extends StepLanguage> = Extract<StepRequest, { language: L }>;

/** Whether the step runs the code of a Python cell. */
export function isPythonStep(request: StepRequest): request is PythonStep {
  return request.language === 'python';
}

/** Whether the step reads values of other cells; a widget has its own. */
export function readsValues(request: StepRequest): request is ReadingRequest {
  return 'inputs' in request;
}

/** The variant of one run of a fan-out; null for every other step. */
export function variantOf(request: ReadingRequest): string | null {
  return 'variant' in request ? request.variant : null;
}

/** The variable that a loop carries; null for every other step. */
export function carryOf(request: ReadingRequest): string | null {
  return 'loop' in request ? request.loop.carry : null;
}

/** The packages that decide whether a result of the step is current; null: unknown, or it has none. */
export function packagesOf(request: ReadingRequest): KnownPackages | null {
  return 'packages' in request ? request.packages : null;
}

/** The key without the packages; null for a step whose whole environment counts. */
export function unlockedKeyOf(request: ReadingRequest): string | null {
  return 'unlockedKey' in request ? request.unlockedKey : null;
}

interface StepTimes {
  readonly durationMs: number;
  /** Milliseconds since the epoch; set by the caller that ran it. */
  readonly endedAtMs?: number;
  /** The run whose log the console belongs to; absent if nothing was started. */
  readonly logRun?: string;
  /** The worker and its progress, for a run on a remote worker. */
  readonly remote?: RemoteRun;
}
interface StepConsole {
  readonly stdout: string;
  readonly stderr: string;
}
/** Rows that were stored although the cell did not complete: finished variants. */
interface StoredRows {
  readonly published?: readonly ArtifactRow[];
}

/** How one cell's execution ended. A failing cell is an expected outcome. */
export type StepOutcome =
  | (StepTimes & {
      readonly kind: 'hit';
      /** New versions if an older result or one with another provenance was promoted; else empty. */
      readonly promoted: readonly ArtifactRow[];
      readonly displays: readonly Output[];
      /** The observation of the run that answers, and the current state of its files. */
      readonly observation?: Observation | null;
      readonly seen?: PathStates;
      /** The output of the run behind the result; null: none is stored, and the cell's last one stays. */
      readonly console: StepConsole | null;
      /** Default: `cached`. */
      readonly method?: ExecutionMethod;
      /** The run of a fan-out that was answered. */
      readonly variant?: string;
      /** The warnings of the run behind the result; absent: none. */
      readonly mutationWarnings?: readonly MutationWarning[];
      /** Who made the result, if it was just copied from the team's cache. */
      readonly team?: TeamOrigin;
    })
  | (StepTimes &
      StepConsole & {
        readonly kind: 'ran';
        readonly published: readonly ArtifactRow[];
        readonly outputs: Readonly<Record<string, OutputPreview>>;
        readonly displays: readonly Output[];
        readonly method: ExecutionMethod;
        readonly mutationWarnings: readonly MutationWarning[];
        readonly observation?: Observation | null;
        /** The cost of a single run on this machine, if it is measured. */
        readonly usage?: RunUsage | undefined;
      })
  | (StepTimes &
      StepConsole &
      StoredRows & {
        readonly kind: 'failed';
        readonly error: string;
        readonly traceback: string | null;
        readonly suggestInstall: string | null;
        readonly errorCode?: 'fetch_pin_mismatch';
        readonly method: ExecutionMethod;
      })
  | (StepTimes & StepConsole & StoredRows & { readonly kind: 'cancelled' })
  | (StepTimes &
      StoredRows & {
        readonly kind: 'input_lost';
        readonly producerId: CellId;
        readonly uri: string;
        readonly message: string;
      });
