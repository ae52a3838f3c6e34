import type {
  Allowance,
  HarnessInput,
  HarnessManifest,
  HarnessResult,
} from '../../src-shared/wire/harness.ts';
import type { Rung, StopSignal } from '../lib/processGroup.ts';
import type { StreamRedactor } from '../lib/redactor.ts';
import type { Patience } from '../lib/stop.ts';
import type { Inspection, InspectRequest } from './inspection.ts';

/** A Python somebody may run cells with, or the Rscript of an R cell. `identity` changes when its environment changes. */
export interface PythonInterpreter {
  readonly path: string;
  readonly identity: string;
}

/** The set-up cell that runs in a cell's process before anything else of it (docs/extensions.md). */
export interface SetupCode {
  readonly source: string;
  /** Shown in tracebacks as `<set-up cell NAME>`. */
  readonly cellName: string;
}

/** One run of one cell: all a process needs to know of it. */
export interface ExecRequest {
  readonly runId: string;
  readonly cellId: string;
  /** With the cell's, part of the names shared code has. */
  readonly notebookId?: string;
  /** Shown in tracebacks as `<cell NAME>`. */
  readonly cellName: string;
  readonly language: 'python' | 'r';
  readonly interpreter: PythonInterpreter;
  readonly source: string;
  readonly setup?: SetupCode;
  readonly inputs: Readonly<Record<string, HarnessInput>>;
  /** Paths the cell gets under a name. */
  readonly mounts?: NonNullable<HarnessManifest['mounts']>;
  readonly tables?: NonNullable<HarnessManifest['tables']>;
  /** Overrides from @env, set before the inputs are read. */
  readonly env: Readonly<Record<string, string>>;
  /** Set where the interpreter itself starts, over its environment; such a run is never warm. */
  readonly processEnv?: Readonly<Record<string, string>>;
  /** Exported names to serialise in full; the others get a preview only. `all`: none is left out. */
  readonly store: readonly string[] | 'all';
  /** Nobody reads those names yet: what may be spent on them. Absent: whatever it takes. */
  readonly unread?: Allowance;
  readonly mutationDefines: readonly string[];
  /** Names that only a later cell of the notebook defines → how that cell is called. */
  readonly below?: Readonly<Record<string, string>>;
  /** Where the notebook's own server stores inputs that say no `uri`. */
  readonly inputUris?: Readonly<Record<string, string>>;
  /** The run is one iteration of a loop. */
  readonly loop?: { readonly iteration: number; readonly untilExpr: string | null };
  /** Tests to run instead of keeping what the cell leaves; `file` is how their file is shown. */
  readonly tests?: NonNullable<HarnessManifest['tests']>;
  /** Values to put into words for a prompt, instead of running a cell. */
  readonly promptValues?: NonNullable<HarnessManifest['prompt_values']>;
  /** Wall-clock limit; 0 or less means none. */
  readonly timeoutSeconds: number;
  /** The notebook's folder: working directory and first entry of sys.path. */
  readonly cwd: string;
  /** Exists, empty, the caller's to remove: the manifest, the value files and the result land here. */
  readonly outputDir: string;
  /** Where a stream is written whole once it is long; absent: only its tail is kept. */
  readonly consoleLog?: ConsoleLogRequest;
  /** `cold` asks for a fresh interpreter even if a warm one is ready. */
  readonly mode: 'auto' | 'cold';
}

/** Printed text, live and in order; at most 64 KiB of UTF-8 per call, calls at most every 33 ms. */
export interface ConsoleText {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** Where a run elsewhere ran, and how that went. */
export interface RemoteRun {
  readonly worker: string;
  readonly transport: string;
  readonly buildId: string | null;
  /** `starting` and `running` of a run that is waited for; null where nothing was said. */
  readonly buildState: string | null;
  readonly errorCode: string | null;
}

/** What was printed: the last 1 MiB of each stream, its first line saying how much was left out before. */
interface Printed {
  readonly method: 'warm' | 'cold' | 'executor';
  /** Absent for a run on this machine. */
  readonly remote?: RemoteRun;
  /**
   * Of a run elsewhere: to be called once what came of it is kept, or nobody wants it. Until then it can be had again,
   * by this program or by one that comes after it.
   */
  readonly letGo?: () => Promise<void>;
  /** From the call of `run` to its outcome. */
  readonly durationMs: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where a run's streams go once they are long; with `hide`, without the values it hides. */
export interface ConsoleLogRequest {
  readonly stdout: string;
  readonly stderr: string;
  readonly maxBytes: number;
  readonly hide?: () => StreamRedactor;
}

/** How a run ended. All of these are ordinary: `run` rejects only for a caller's mistake or a full disk. */
export type ExecOutcome =
  /** The harness left a result, `result.success` says whether the cell succeeded. */
  | ({ readonly kind: 'finished'; readonly result: HarnessResult } & Printed)
  /**
   * `cancelled` by the signal, whatever the cell made of it; `timeout` after `timeoutSeconds`;
   * `crashed` when the process ended without leaving a result.
   */
  | ({ readonly kind: 'cancelled' | 'timeout' | 'crashed'; readonly message: string } & Printed);

export interface RunOptions {
  readonly signal: AbortSignal;
  onConsole(text: ConsoleText): void;
  /** In what manner the signal stops it; absent: soon. */
  readonly patience?: Patience;
  /** How the signal stops it, instead of as a cell of one's own machine. */
  readonly cancelLadder?: readonly Rung[];
  /** A run that is being stopped was sent this signal; each is harder than the one before. */
  onStopSignal?(signal: StopSignal): void;
}

/** A process kept ready for cells. */
export interface WarmProcess {
  readonly pid: number;
  readonly identity: string;
  readonly role: 'template' | 'spare';
  /** Resident memory; null where the platform does not tell cheaply. */
  readonly residentBytes: number | null;
}

/**
 * Runs cells. Each run is a process of its own, and no process outlives its run: background processes a
 * cell leaves behind end with it. Runs may overlap.
 */
export interface Executor {
  run(request: ExecRequest, options: RunOptions): Promise<ExecOutcome>;
  /** Opens a console inside a cell; it lasts until it is closed, ends itself, or this closes. */
  inspect(request: InspectRequest): Inspection;
  /**
   * Makes warm runs of this interpreter possible, with these modules already imported. Cheap when nothing
   * changed. Resolves when ready; the processes of an earlier list or environment serve until then.
   * Modules that are not installed, or fail to import, are left to the cells. They are imported under `variables`
   * (absent: none), and serve runs whose `env` is the same.
   */
  prepare(
    interpreter: PythonInterpreter,
    imports: readonly string[],
    variables?: Readonly<Record<string, string>>,
  ): Promise<void>;
  /** Ends the warm processes of this interpreter; runs under way are not touched. */
  retire(interpreter: PythonInterpreter): Promise<void>;
  memory(): Promise<readonly WarmProcess[]>;
  /** Ends everything, runs included (they end `cancelled`). Later runs end `cancelled` at once. */
  close(): Promise<void>;
}
