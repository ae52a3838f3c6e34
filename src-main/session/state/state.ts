import type { Graph } from '../../../src-shared/notebook/graph.ts';
import type { CellId, NotebookId, SessionId } from '../../../src-shared/notebook/ids.ts';
import type { WidgetValue } from '../../../src-shared/notebook/widgets.ts';
import type {
  Causality,
  CellStatus,
  Diagnostic,
  Language,
  StalenessReason,
} from '../../../src-shared/wire/cell.ts';
import type { KeptTestResult } from '../../../src-shared/wire/cellTests.ts';
import type {
  Dependency,
  Environment,
  EnvironmentJob,
  PackageSource,
} from '../../../src-shared/wire/environment.ts';
import type { ExecutionMethod } from '../../../src-shared/wire/execution.ts';
import type { Output } from '../../../src-shared/wire/output.ts';
import type { ServerAi } from '../../ai/aiSettings.ts';
import type { ArtifactRow } from '../../artifacts/artifact.ts';
import type { RFacts } from '../../environment/r/rFacts.ts';
import type { RemoteRun } from '../../exec/executor.ts';
import type { CellAnalysis } from '../../language/analyzeCell.ts';
import type { ModuleFacts, ModuleFile } from '../../language/modules/closure.ts';
import type { DataFact } from '../../mount/want.ts';
import type { CellEntry, NotebookFile } from '../../notebook/file/notebookFile.ts';
import type { ImportedOutputs } from '../../notebook/kept/importedOutputs.ts';
import type { ServerWorkers } from '../../notebook/workers.ts';
import type { LastRun, RunFacts } from '../../run/facts.ts';
import type { SeenFiles } from '../../run/observed/holds.ts';
import type { KnownPackages } from '../../run/observed/packages.ts';
import type { KeptLeaves } from '../../run/step.ts';
import type { Made } from '../keys/madeRun.ts';
import type { QueuedRun } from '../keys/runQueue.ts';
import type { Inspections } from './inspectState.ts';
import type { RunningState } from './running.ts';
import type { TestRun } from './testing.ts';

/** Every version the store holds of one cell's variables, displays and console: label -> newest first. */
export type CellArtifacts = Readonly<Record<string, readonly ArtifactRow[]>>;

/** What was hashed for the last successful run; a later difference explains itself (staleness-and-runs 2). */
export interface RunRecord {
  readonly provenanceHash: string;
  readonly sourceHash: string;
  readonly envHash: string;
  readonly inputs: readonly string[];
  /** What it used, told apart; null where an older program recorded the run. */
  readonly facts: RunFacts | null;
  /** What another session compares before it believes the run; null: it does not, or there is nothing to compare. */
  readonly reopenIdentity: string | null;
}

export interface CellConsole {
  readonly stdout: string;
  readonly stderr: string;
}

/** Why the newest run failed. */
export interface LastError {
  readonly text: string;
  readonly sourceHash: string;
  /** Its key; null where an older program recorded the run. */
  readonly provenanceHash: string | null;
}

/** One cell: its committed part, what analysis says, what its last run left, and its computed status. */
export interface CellState {
  readonly id: CellId;
  readonly language: Language;
  readonly entry: CellEntry;
  readonly source: string;
  readonly testSource: string;
  /** Why the cell's file cannot be read, or could not be written; null where all is well. */
  readonly fileProblem: string | null;
  readonly analysis: CellAnalysis;
  /** What the text and the notebook around it show to be wrong (annotations 1.3); never keeps a cell from running. */
  readonly diagnostics: readonly Diagnostic[];
  readonly artifacts: CellArtifacts;
  readonly record: RunRecord | null;
  readonly lastError: LastError | null;
  readonly displays: readonly Output[];
  readonly console: CellConsole;
  /** The run that printed it: its log may hold more. */
  readonly logRun: string | null;
  /**
   * The runs that left the stored rows which the displays, the console and the record belong to; null where nothing is
   * stored of them.
   */
  readonly shownRuns: string | null;
  /** Set while the console is that of a later run that did not succeed: what the shown result's own run printed. */
  readonly resultConsole: CellConsole | null;
  /** What the file that the notebook was imported from showed for it; null where there is none. It is no result. */
  readonly imported: ImportedOutputs | null;
  /** The last run that succeeded. */
  readonly lastRun: LastRun | null;
  /** How long the newest run had taken when it was stopped; null where that ended by itself. */
  readonly stoppedMs: number | null;
  readonly cacheHit: boolean;
  readonly method: ExecutionMethod | null;
  /** The last run on a worker elsewhere, or the one under way. */
  readonly remote: RemoteRun | null;
  /** The newest 50 runs; the last uncached one is the estimate of the next (staleness-and-runs 3). */
  readonly samples: readonly { readonly duration_ms: number; readonly cache_hit: boolean }[];
  /** The provenance under which this cell was ready since the session opened. */
  readonly readyProvenance: string | null;
  /** The failed cell that kept this one from running, until something changes. */
  readonly blocked: boolean;
  /** How its tests last went, and whether that still holds: computed with the statuses. */
  readonly testResult: KeptTestResult | null;
  readonly testsStale: boolean;
  /** What controls were set to by name, whether or not the cell still declares them. */
  readonly widgetValues: ReadonlyMap<string, WidgetValue>;
  readonly status: CellStatus;
  readonly reasons: readonly StalenessReason[];
  readonly causality: Causality | null;
}

/** What the next run of a cell would be keyed by, given the sources, inputs and environment of now. */
export interface ExpectedRun {
  readonly provenanceHash: string;
  readonly contentKey: string | null;
  /** Its key without the packages; null: the whole lock counts. */
  readonly unlockedKey: string | null;
  /** Digest of the values it would read: a result made from others is out of date, whatever its key. */
  readonly basis: string;
  /** Of a cell that runs once per variant: the content key of each of its runs. */
  readonly variantKeys: readonly VariantKey[] | null;
  /** Of a widget cell: what each control is kept under, by name; null for every other. */
  readonly controlKeys: ReadonlyMap<string, string> | null;
  readonly envHash: string;
  readonly sourceHash: string;
  readonly inputs: readonly string[];
  /** Those of `inputs` that speak of mounts, fetches, datasets and tables. */
  readonly data: readonly string[];
  /** The local modules it may run: its own, and those of values it reads that are no plain data. */
  readonly modules: readonly ModuleFile[];
}

export interface VariantKey {
  readonly variant: string;
  readonly basis: string;
  readonly contentKey: string | null;
  readonly unlockedKey: string | null;
}

export interface SocketState {
  readonly identity: string;
  readonly focusedCellId: CellId | null;
  /** Epoch seconds, as presence frames carry it. */
  readonly since: number;
}

export interface EnvironmentState {
  readonly environment: Environment;
  readonly job: EnvironmentJob | null;
  readonly history: readonly EnvironmentJob[];
  /** Of the packages that cells run with here. */
  readonly lockHash: string;
  /** Of the lock, which a worker elsewhere builds its environment from. */
  readonly workerLockHash: string;
  /** What is installed here; null: not known, or not what the lock says. */
  readonly packages: KnownPackages | null;
  /** What the project asks for, and what its lock makes of that. */
  readonly dependencies: readonly Dependency[];
  readonly resolved: readonly Dependency[];
  readonly interpreter: { readonly path: string; readonly identity: string } | null;
  readonly r: RState;
  /** What an untrusted folder, or an import, asks to be installed; absent: nothing that a person has to see first. */
  readonly wanted?: PackagesWanted;
}

/** Packages a person is asked about. */
export interface PackagesWanted {
  /** All that an untrusted folder asks for. */
  readonly sources: readonly PackageSource[];
  /** Those of an import that are not installed before they are allowed. */
  readonly waiting: readonly PackageSource[];
}

/** What may be another when something beside our jobs has worked on the environment. */
export type EnvironmentNow = Pick<
  EnvironmentState,
  'environment' | 'interpreter' | 'lockHash' | 'workerLockHash' | 'packages' | 'dependencies' | 'resolved'
>;

/** R's part of the environment. */
export interface RState {
  readonly facts: RFacts;
  /** Why the last restore failed; null: it went well, or none was tried. */
  readonly error: string | null;
}

/** How the last fetch from the notebook's secret manager went. */
export interface SecretFetch {
  /** In words; null where it went well or there is nothing to fetch. */
  readonly error: string | null;
  /** When it last went well: ISO, UTC. */
  readonly fetchedAt: string | null;
}

export const NO_SECRET_FETCH: SecretFetch = { error: null, fetchedAt: null };

/** What a hold over the notebook's folder refuses now (rest-notebooks 4). */
export interface HoldState {
  /** `draining`: new runs; `held`: writes too. */
  readonly phase: 'draining' | 'held';
  /** The first sync of the environment waits for the release. */
  readonly environmentDue: boolean;
}

export interface StoredPlan {
  readonly planId: string;
  readonly targetId: CellId;
  readonly steps: readonly CellId[];
}

/** Everything one open notebook is. Only the reducers make the next one. */
export interface SessionState {
  readonly sessionId: SessionId;
  readonly notebookId: NotebookId;
  readonly path: string;
  readonly file: NotebookFile;
  /** In notebook order. */
  readonly cells: ReadonlyMap<CellId, CellState>;
  readonly graph: Graph;
  /** Why there is no graph (a cycle); every cell is idle then. */
  readonly graphError: string | null;
  readonly expected: ReadonlyMap<CellId, ExpectedRun>;
  /** What the last walk made those from: it says which of them would be others now. */
  readonly made: ReadonlyMap<CellId, Made>;
  /** The Python files of the folder that cells import, as they were last read. */
  readonly modules: ModuleFacts;
  readonly environment: EnvironmentState;
  /** Version of the R that reads and runs this notebook's R cells; null while there is none, or none was needed. */
  readonly rVersion: string | null;
  /** What was last seen of the things outside that cells use, by key. */
  readonly data: ReadonlyMap<string, DataFact>;
  /** What was last seen of the files that runs were observed to use, by path (docs/soundness.md). */
  readonly seenFiles: SeenFiles;
  readonly secretFetch: SecretFetch;
  readonly running: RunningState | null;
  /** Runs of cells' tests, by their ids. */
  readonly testing: ReadonlyMap<string, TestRun>;
  readonly plan: StoredPlan | null;
  /** Plans that were dropped and never confirmed, newest last: who confirms one is asked again. */
  readonly agedPlans: readonly Pick<StoredPlan, 'planId' | 'targetId'>[];
  /** Runs that wait their turn, first come first. */
  readonly queue: readonly QueuedRun[];
  readonly sockets: ReadonlyMap<string, SocketState>;
  /** A REST edit keeps its author on that cell for 60 s: identity -> cell. */
  readonly visitors: ReadonlyMap<string, { readonly cellId: CellId; readonly since: number }>;
  readonly locks: ReadonlyMap<CellId, { readonly identity: string; readonly atMs: number }>;
  /** Consoles that are open inside cells; nothing they do is part of this state. */
  readonly inspections: Inspections;
  readonly closing: boolean;
  /** A hold over the folder; null: none. */
  readonly hold: HoldState | null;
  /** How often each cell's file was changed by somebody else since the session opened. */
  readonly outside: ReadonlyMap<CellId, number>;
  /** Cells whose source the disk refused: it is here alone, and written again and again until it is there. */
  readonly unsaved: ReadonlySet<CellId>;
  /** Why the folder cannot be followed now, in words; null while all is well. */
  readonly folderProblem: string | null;
  /** The folder is not there: nothing can be kept, so nothing runs. */
  readonly folderGone: boolean;
  /** False while the person has not said that they trust the folder: nothing of it runs. */
  readonly trusted: boolean;
  /** Why the folder can only be read, in words; null: it can be written to. What is read-only counts as untrusted. */
  readonly readOnly: string | null;
  /** What a person set for this notebook in place of the option of that name; null: nothing. */
  readonly parallelCells: number | null;
  readonly options: SessionOptions;
}

export interface SessionOptions {
  /** What this program runs; cells of other languages are kept and shown. */
  readonly languages: ReadonlySet<Language>;
  readonly leaves: KeptLeaves;
  readonly cellLockSeconds: number;
  readonly defaultTimeoutSeconds: number;
  /** How many cells of one run may work at the same time; 1: one by one. */
  readonly parallelCells: number;
  /** What the server says of models. */
  readonly ai: ServerAi;
  /** How long the tests of a cell may take together (tests-and-consoles). */
  readonly testTimeoutSeconds: number;
  /** Workers of the server, and whether notebooks may define their own. */
  readonly serverWorkers: ServerWorkers;
}
