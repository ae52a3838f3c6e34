/** The in-memory state of an open notebook and its cells, which the session's reducer takes and returns. */

import type { Graph } from '../../../src-shared/notebook/graph.ts';
import type { CellId, NotebookId, SessionId } from '../../../src-shared/notebook/ids.ts';
import type { Bundle, FanOut } from '../../../src-shared/notebook/producers.ts';
import type { WidgetValue } from '../../../src-shared/notebook/widgets.ts';
import { AUTO_RUN_OFF, type AutoRun } from '../../../src-shared/wire/autoRun.ts';
import type {
  Causality,
  CellStatus,
  Diagnostic,
  Language,
  StalenessReason,
} from '../../../src-shared/wire/cell.ts';
import type { StoredTestResult } from '../../../src-shared/wire/cellTests.ts';
import type {
  Dependency,
  Environment,
  EnvironmentJob,
  PackageSource,
} from '../../../src-shared/wire/environment.ts';
import type { ExecutionMethod } from '../../../src-shared/wire/execution.ts';
import type { Output } from '../../../src-shared/wire/output.ts';
import type { RunSample } from '../../../src-shared/wire/runSample.ts';
import type { ServerAi } from '../../ai/aiSettings.ts';
import type { ArtifactRow } from '../../artifacts/artifact.ts';
import type { RFacts } from '../../environment/r/rFacts.ts';
import type { RemoteRun } from '../../exec/executor.ts';
import type { CellAnalysis } from '../../language/cellAnalysis.ts';
import type { ModuleFacts, ModuleFile } from '../../language/modules/closure.ts';
import type { DataFact } from '../../mount/dataItem.ts';
import type { CellEntry, NotebookFile } from '../../notebook/file/notebookFile.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { ImportedOutputs } from '../../notebook/stored/importedOutputs.ts';
import type { ServerWorkers } from '../../notebook/workers.ts';
import type { LastRun, RunFacts } from '../../run/facts.ts';
import type { KnownPackages } from '../../run/observed/knownPackages.ts';
import type { PathStates } from '../../run/observed/pathState.ts';
import type { LeafStorage } from '../../run/step.ts';
import type { TeamOrigin } from '../../run/team/teamOrigin.ts';
import type { DamagedRecord } from './damaged.ts';
import type { Inspections } from './inspectState.ts';
import type { QueuedRun } from './queuedRun.ts';
import type { RunningState } from './running.ts';
import type { TestRun } from './testRun.ts';

/** All inputs of a key at one time; comparing references shows whether the key would be the same now. */
export interface KeyInputs {
  /** The run with the resulting keys. */
  readonly run: ExpectedRun;
  readonly analysis: CellState['analysis'];
  readonly entry: CellState['entry'];
  readonly widgetValues: CellState['widgetValues'];
  readonly defaults: string;
  readonly serverWorkers: SessionState['options']['serverWorkers'];
  readonly lockHash: string;
  readonly workerLockHash: string;
  readonly packages: SessionState['environment']['packages'];
  /** The external data it uses, from the last check. */
  readonly data: string;
  /** For a SQL cell, its connection and policy. */
  readonly sql: string;
  /**
   * The graph that had the links below the last time they were compared: checked first, because most edits do
   * not change the graph.
   */
  readonly graph: SessionState['graph'];
  readonly upstream: readonly CellId[] | undefined;
  readonly wiring: ReadonlyMap<string, CellId> | undefined;
  readonly bundles: ReadonlyMap<string, Bundle> | undefined;
  readonly fanOut: FanOut | undefined;
  readonly modules: readonly ModuleFile[];
  /** The analysis of the set-up cell that runs before it. */
  readonly setup: CellState['analysis'] | undefined;
  /** One for each cell upstream. */
  readonly producers: readonly ProducerInputs[];
}

/** What a run takes from one cell upstream. */
export interface ProducerInputs {
  readonly id: CellId;
  readonly analysis: CellState['analysis'] | undefined;
  readonly artifacts: CellState['artifacts'] | undefined;
  readonly consumed: readonly string[] | undefined;
  readonly fanOut: FanOut | undefined;
  readonly run: ExpectedRun | undefined;
}

/** Every version the store holds of one cell's variables, displays and console: label -> newest first. */
export type CellArtifacts = Readonly<Record<string, readonly ArtifactRow[]>>;

/**
 * What was hashed for the last successful run; a later difference shows what changed (docs/spec/staleness-and-runs.md,
 * 2).
 */
export interface RunRecord {
  readonly provenanceHash: string;
  readonly sourceHash: string;
  readonly envHash: string;
  readonly inputs: readonly string[];
  /** The inputs of the run by kind; null if an older version recorded the run. */
  readonly facts: RunFacts | null;
  /**
   * What must match before another session accepts the run; null: it does not accept it, or needs no match.
   */
  readonly reopenIdentity: string | null;
}

/** The text that a run printed, by stream. */
export interface ConsoleOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** Why the newest run failed. */
interface LastError {
  readonly text: string;
  readonly sourceHash: string;
  /** The key of the run; null if an older version recorded the run. */
  readonly provenanceHash: string | null;
}

/** One cell: its committed part, its analysis, the results of its last run, and its computed status. */
export interface CellState {
  readonly id: CellId;
  readonly language: Language;
  readonly entry: CellEntry;
  readonly source: string;
  readonly testSource: string;
  /** Why the cell's file cannot be read, or could not be written; null if there is no problem. */
  readonly fileProblem: string | null;
  readonly analysis: CellAnalysis;
  /** Problems in the text and in the notebook around it (docs/spec/annotations.md, 1.3); they never prevent a run. */
  readonly diagnostics: readonly Diagnostic[];
  readonly artifacts: CellArtifacts;
  readonly record: RunRecord | null;
  readonly lastError: LastError | null;
  readonly displays: readonly Output[];
  readonly console: ConsoleOutput;
  /** The run that printed it: its log may hold more. */
  readonly logRun: string | null;
  /** The runs that stored the rows of the displays, the console and the record; null if none are stored. */
  readonly shownRuns: string | null;
  /**
   * Set while the console is that of a later, unsuccessful run: the console of the shown result's own run.
   */
  readonly resultConsole: ConsoleOutput | null;
  /**
   * The cell's outputs in the file that the notebook was imported from; null if there are none. Not a result.
   */
  readonly imported: ImportedOutputs | null;
  /** The last run that succeeded. */
  readonly lastRun: LastRun | null;
  /** How long the newest run had taken when it was stopped; null if it was not stopped. */
  readonly stoppedMs: number | null;
  /** How long the newest run of this session took that the store did not answer, however it ended. */
  readonly lastTookMs: number | null;
  readonly cacheHit: boolean;
  readonly method: ExecutionMethod | null;
  /** The last run on a remote worker, or the current one. */
  readonly remote: RemoteRun | null;
  /** The newest 50 runs; the last uncached one is the estimate for the next (docs/spec/staleness-and-runs.md, 3). */
  readonly samples: readonly (RunSample & {
    /** The result was taken over from the team's cache. */
    readonly team?: TeamOrigin | undefined;
  })[];
  /** The provenance this cell was ready with since the session opened. */
  readonly readyProvenance: string | null;
  /** Whether a failed cell upstream prevented this one from running; until something changes. */
  readonly blocked: boolean;
  /** The last result of its tests, and whether it is stale: computed with the statuses. */
  readonly testResult: StoredTestResult | null;
  readonly testsStale: boolean;
  /** What controls were set to by name, whether or not the cell still declares them. */
  readonly widgetValues: ReadonlyMap<string, WidgetValue>;
  readonly status: CellStatus;
  readonly reasons: readonly StalenessReason[];
  readonly causality: Causality | null;
}

/** The keys that the next run of a cell would have with the current sources, inputs and environment. */
export interface ExpectedRun {
  readonly provenanceHash: string;
  readonly contentKey: string | null;
  /** The key of the run without the packages; null: the whole lock counts. */
  readonly unlockedKey: string | null;
  /** Digest of the values it would read: a result made from others is out of date, whatever its key. */
  readonly basis: string;
  /** The content key of each run of a cell that runs once per variant; null for other cells. */
  readonly variantKeys: readonly VariantKey[] | null;
  /** For a widget cell: the key that each control is stored under, by name; null for every other cell. */
  readonly controlKeys: ReadonlyMap<string, string> | null;
  readonly envHash: string;
  readonly sourceHash: string;
  readonly inputs: readonly string[];
  /** The lines of `inputs` about mounts, fetches, datasets and tables. */
  readonly data: readonly string[];
  /** The local modules it may run: its own, and those of inputs that are not plain data. */
  readonly modules: readonly ModuleFile[];
}

interface VariantKey {
  readonly variant: string;
  readonly basis: string;
  readonly contentKey: string | null;
  readonly unlockedKey: string | null;
}

/** One live socket: who it is and at which cell. */
export interface SocketState {
  readonly identity: string;
  readonly focusedCellId: CellId | null;
  /** Epoch seconds, as in presence frames. */
  readonly since: number;
}

/** The environment of a notebook, its job in progress and its latest jobs. */
export interface EnvironmentState {
  readonly environment: Environment;
  readonly job: EnvironmentJob | null;
  readonly history: readonly EnvironmentJob[];
  /** The digest of the packages that cells on this machine run with. */
  readonly lockHash: string;
  /** The digest of the lock, from which a remote worker builds its environment. */
  readonly workerLockHash: string;
  /** The packages installed here; null: unknown, or different from the lock. */
  readonly packages: KnownPackages | null;
  /** The project's requirements, and the versions its lock resolves them to. */
  readonly dependencies: readonly Dependency[];
  readonly resolved: readonly Dependency[];
  readonly interpreter: { readonly path: string; readonly identity: string } | null;
  readonly r: RState;
  /**
   * The packages that an untrusted folder, or an import, wants to install; absent: none that need approval.
   */
  readonly wanted?: PackagesWanted;
}

/** Packages that need a user's approval. */
interface PackagesWanted {
  /** All requirements of an untrusted folder. */
  readonly sources: readonly PackageSource[];
  /** Packages of an import that are not installed before approval. */
  readonly waiting: readonly PackageSource[];
}

/** The parts that may change when another program changes the environment. */
export type CurrentEnvironment = Pick<
  EnvironmentState,
  'environment' | 'interpreter' | 'lockHash' | 'workerLockHash' | 'packages' | 'dependencies' | 'resolved'
>;

/** R's part of the environment. */
interface RState {
  readonly facts: RFacts;
  /** Why the last restore failed; null: it succeeded, or there was none. */
  readonly error: string | null;
}

/** The result of the last fetch from the notebook's secret manager. */
export interface SecretFetch {
  /** The message; null if it succeeded or there is nothing to fetch. */
  readonly error: string | null;
  /** The last success: ISO, UTC. */
  readonly fetchedAt: string | null;
}

export { AUTO_RUN_OFF };

export const NO_SECRET_FETCH: SecretFetch = { error: null, fetchedAt: null };

/** What a hold over the notebook's folder refuses now (docs/spec/rest-notebooks.md, 4). */
export interface HoldState {
  /** `draining`: new runs; `held`: writes too. */
  readonly phase: 'draining' | 'held';
  /** The first sync of the environment waits for the release. */
  readonly environmentDue: boolean;
}

interface StoredPlan {
  readonly planId: string;
  readonly targetId: CellId;
  readonly steps: readonly CellId[];
}

/** The complete state of one open notebook. Only the reducers make the next one. */
export interface SessionState {
  readonly sessionId: SessionId;
  readonly notebookId: NotebookId;
  readonly path: NotebookFolder;
  readonly file: NotebookFile;
  /** In notebook order. */
  readonly cells: ReadonlyMap<CellId, CellState>;
  readonly graph: Graph;
  /** Why there is no graph (a cycle); every cell is idle then. */
  readonly graphError: string | null;
  readonly expected: ReadonlyMap<CellId, ExpectedRun>;
  /** The inputs of the last walk: they show which results it can reuse. */
  readonly made: ReadonlyMap<CellId, KeyInputs>;
  /** The Python files of the folder that cells import, as of the last read. */
  readonly modules: ModuleFacts;
  readonly environment: EnvironmentState;
  /**
   * Version of the R that reads and runs this notebook's R cells; null if there is none, or none was needed.
   */
  readonly rVersion: string | null;
  /** The last check of the external data that cells use, by key. */
  readonly data: ReadonlyMap<string, DataFact>;
  /** The last check of the files that runs used, by path (docs/soundness.md). */
  readonly seenFiles: PathStates;
  readonly secretFetch: SecretFetch;
  readonly running: RunningState | null;
  /** Runs of cells' tests, by their ids. */
  readonly testing: ReadonlyMap<string, TestRun>;
  readonly plan: StoredPlan | null;
  /** Outdated plans that were never confirmed, newest last: confirming one prompts again. */
  readonly agedPlans: readonly Pick<StoredPlan, 'planId' | 'targetId'>[];
  /** Queued runs, oldest first. */
  readonly queue: readonly QueuedRun[];
  readonly sockets: ReadonlyMap<string, SocketState>;
  /** A REST edit shows its author on that cell for 60 s: identity -> cell. */
  readonly visitors: ReadonlyMap<string, { readonly cellId: CellId; readonly since: number }>;
  readonly locks: ReadonlyMap<CellId, { readonly identity: string; readonly atMs: number }>;
  /** Consoles that are open inside cells; their values are not part of this state. */
  readonly inspections: Inspections;
  readonly closing: boolean;
  /** A hold over the folder; null: none. */
  readonly hold: HoldState | null;
  /** How often each cell's file was changed externally since the session opened. */
  readonly outside: ReadonlyMap<CellId, number>;
  /** Cells whose source the disk refused: it exists only here, and is written again until that succeeds. */
  readonly unsaved: ReadonlySet<CellId>;
  /** Files below `.svc` that were damaged when the session opened. */
  readonly damaged: readonly DamagedRecord[];
  /** Why the folder cannot be followed now; null if there is no problem. */
  readonly folderProblem: string | null;
  /** The folder is missing: nothing can be stored, so nothing runs. */
  readonly folderGone: boolean;
  /** False until the user trusts the folder: nothing of it runs. */
  readonly trusted: boolean;
  /** Why the folder is read-only; null: it can be written. A read-only folder counts as untrusted. */
  readonly readOnly: string | null;
  /** The user's value for this notebook in place of the option of that name; null: none. */
  readonly parallelCells: number | null;
  /** Which runs begin without a request. */
  readonly autoRun: AutoRun;
  readonly options: SessionOptions;
}

/** The settings of the server and of the user that the reducer uses. */
export interface SessionOptions {
  /** The languages this program runs; cells of other languages are stored and shown. */
  readonly languages: ReadonlySet<Language>;
  readonly leaves: LeafStorage;
  readonly cellLockSeconds: number;
  readonly defaultTimeoutSeconds: number;
  /** How many cells of one run may work at the same time; 1: one by one. */
  readonly parallelCells: number;
  /** Whether processes may be kept for the widgets of their cells; not on a server that people share. */
  readonly liveWidgets: boolean;
  /** The server's settings for models. */
  readonly ai: ServerAi;
  /** Timeout for all tests of a cell together (docs/spec/tests-and-consoles.md, 1). */
  readonly testTimeoutSeconds: number;
  /** Workers of the server, and whether notebooks may define their own. */
  readonly serverWorkers: ServerWorkers;
}
