import type { CellId, NotebookId } from '../../src-shared/notebook/ids.ts';
import type { Language } from '../../src-shared/wire/cell.ts';
import type { ExecutionMethod } from '../../src-shared/wire/execution.ts';
import type { MutationWarning, Output, OutputPreview } from '../../src-shared/wire/output.ts';
import type { AiChoice } from '../ai/aiSettings.ts';
import type { ArtifactRow } from '../artifacts/artifact.ts';
import type { RemoteRun, SetupCode } from '../exec/executor.ts';
import type { ModuleFacts } from '../language/modules/closure.ts';
import type { DataUse } from '../mount/dataAccess.ts';
import type { Worker } from '../notebook/file/notebookFile.ts';
import type { StoredVersions } from './cache.ts';
import type { RunFacts } from './facts.ts';
import type { SeenFiles } from './observed/holds.ts';
import type { Observation, WrittenFact } from './observed/observation.ts';
import type { KnownPackages } from './observed/packages.ts';
import type { SqlUse } from './sql/sqlUse.ts';
import type { WidgetStep } from './widget/widgetRequest.ts';

/** A variable a cell reads: who makes it and which stored version it gets (null: none stored, a NameError at run). */
export interface StepInput {
  readonly variable: string;
  readonly producerId: CellId;
  readonly row: ArtifactRow | null;
  /** Of which variant it is the value: the cell sees `{variant: value}`. Null: the value itself. */
  readonly variant: string | null;
  /** Bound as the value itself in that variant's run of a fan-out, and in no other. */
  readonly perRun: boolean;
}

/** One run of a cell that runs once per variant (analysis-and-graph 3.4). */
export interface VariantRun {
  readonly variant: string;
  readonly basis: string;
  readonly contentKey: string | null;
  readonly unlockedKey?: string | null;
}

/** What everybody is told of a variant's run that has ended. */
export interface VariantProgress {
  readonly variant: string;
  /** From 0. */
  readonly index: number;
  readonly total: number;
  readonly success: boolean;
  readonly durationMs: number;
  readonly error: string | null;
}

/** How a cell that is a loop runs (analysis-and-graph 3.5). */
export interface LoopStep {
  readonly carry: string;
  readonly maxIter: number;
  readonly untilExpr: string | null;
  /** The iteration of another loop that the first one starts with; null: what is wired to the carry. */
  readonly start: { readonly cellId: string; readonly iteration: number } | null;
  /** Digest of what one iteration does. */
  readonly iterationHash: string;
}

/** What everybody is told of an iteration that has finished and is kept. */
export interface IterationProgress {
  readonly iteration: number;
  readonly maxIter: number;
  readonly artifactUri: string;
  readonly contentType: string;
  readonly untilReached: boolean;
  readonly durationMs: number;
}

/**
 * What is kept of the variables of a leaf, which nobody reads yet: nothing, what costs little beside the run that made
 * it, so that a cell added below finds it, or everything, as headless runs have it (command-line).
 */
export type KeptLeaves = 'none' | 'cheap' | 'all';

/** Everything one cell's execution needs, gathered by the reducer: running it decides nothing more. */
export interface StepRequest {
  readonly notebookId: NotebookId;
  readonly notebookDir: string;
  readonly cellId: CellId;
  readonly cellName: string;
  readonly language: Language;
  readonly source: string;
  /** The set-up cell in front of it; absent or null where there is none. */
  readonly setup?: SetupCode | null;
  /** With the set-up cell's behind it. */
  readonly sourceHash: string;
  readonly provenanceHash: string;
  readonly contentKey: string | null;
  /** The key of its inputs, source and environment without the packages; absent or null: the whole lock counts. */
  readonly unlockedKey?: string | null;
  /** What is installed where it runs; absent or null: not known. */
  readonly packages?: KnownPackages | null;
  /** Digest of the values it reads: a result made from others never answers, whatever its key. */
  readonly basis: string;
  readonly envHash: string;
  readonly inputHashes: readonly string[];
  /** What the run uses, for explaining it later; recorded once it succeeds. */
  readonly facts: RunFacts;
  readonly inputs: readonly StepInput[];
  /** Variables later cells read: what is stored. */
  readonly consumed: readonly string[];
  readonly leaves: KeptLeaves;
  readonly mutationDefines: readonly string[];
  /** Names that only a later cell defines → how that cell is called. */
  readonly below?: Readonly<Record<string, string>> | undefined;
  readonly defines: readonly string[];
  readonly useCache: boolean;
  /** False for @nocache and for cells that write to a mount: never a hit, and a leaf leaves no console artifact. */
  readonly cacheable: boolean;
  readonly stored: StoredVersions;
  /** Null: the cell runs once. */
  readonly loop: LoopStep | null;
  /** The runs of a fan-out, in order; null: the cell is none. */
  readonly fanOut: readonly VariantRun[] | null;
  /** Which run of a fan-out this is; null for every other cell. */
  readonly variant: string | null;
  /** The controls of a widget cell; null for every other. */
  readonly widget: WidgetStep | null;
  readonly env: Readonly<Record<string, string>>;
  /** What it uses from outside the notebook, as it was last seen. */
  readonly data: readonly DataUse[];
  readonly timeoutSeconds: number;
  /** Of the notebook's Python; its path is empty where the cell's language needs none and there is none. */
  readonly interpreter: { readonly path: string; readonly identity: string };
  readonly moduleNames: readonly string[];
  /** Of a SQL cell: its connection and how it is cached; absent or null for every other cell. */
  readonly sql?: SqlUse | null;
  /** Whom a prompt asks; null for every other cell. */
  readonly ai: AiChoice | null;
  /** Where it runs, if not on this machine. */
  readonly worker?: Worker | null;
  /** What other cells of the notebook were seen to write: a file this one left may be theirs by now. */
  readonly otherWrites: readonly WrittenFact[];
  /** What the key holds of the folder's modules; null: look no more, they change faster than they are read. */
  readonly modules: ModuleFacts | null;
}

interface Timed {
  readonly durationMs: number;
  /** Milliseconds since the epoch; set by who ran it. */
  readonly endedAtMs?: number;
  /** The run whose log the console belongs to; absent where nothing was started. */
  readonly logRun?: string;
  /** Of a run on a worker elsewhere. */
  readonly remote?: RemoteRun;
}
interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}
/** What was kept although the cell did not come to its end: variants that had finished. */
interface Kept {
  readonly published?: readonly ArtifactRow[];
}

/** How one cell's execution ended. A failing cell is an expected outcome. */
export type StepOutcome =
  | (Timed & {
      readonly kind: 'hit';
      /** New versions where an older result or another provenance was promoted; else empty. */
      readonly promoted: readonly ArtifactRow[];
      readonly displays: readonly Output[];
      /** What the run that answers was seen to do, and the files it speaks of as they were found now. */
      readonly observation?: Observation | null;
      readonly seen?: SeenFiles;
      /** Null: the result keeps no console, the cell's last one stands. */
      readonly console: Printed | null;
      /** `cached` where it is not said. */
      readonly method?: ExecutionMethod;
      /** Which run of a fan-out was answered. */
      readonly variant?: string;
      /** Of the run that left the result; absent: none. */
      readonly mutationWarnings?: readonly MutationWarning[];
    })
  | (Timed &
      Printed & {
        readonly kind: 'ran';
        readonly published: readonly ArtifactRow[];
        readonly outputs: Readonly<Record<string, OutputPreview>>;
        readonly displays: readonly Output[];
        readonly method: ExecutionMethod;
        readonly mutationWarnings: readonly MutationWarning[];
        readonly observation?: Observation | null;
      })
  | (Timed &
      Printed &
      Kept & {
        readonly kind: 'failed';
        readonly error: string;
        readonly traceback: string | null;
        readonly suggestInstall: string | null;
        readonly errorCode?: 'fetch_pin_mismatch';
        readonly method: ExecutionMethod;
      })
  | (Timed & Printed & Kept & { readonly kind: 'cancelled' })
  | (Timed &
      Kept & {
        readonly kind: 'input_lost';
        readonly producerId: CellId;
        readonly uri: string;
        readonly message: string;
      });
