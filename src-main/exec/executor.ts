/** The interface through which cells run, which the executors for this machine and for workers implement. */

import type {
  Allowance,
  HarnessInput,
  HarnessManifest,
  HarnessResult,
} from '../../src-shared/wire/harness.ts';
import type { SignalStep, StopSignal } from '../lib/processGroup.ts';
import type { StreamRedactor } from '../lib/redactor.ts';
import type { StopPatience } from '../lib/stop.ts';
import type { ClientAccess } from './clientAccess.ts';
import type { Inspection, InspectRequest } from './inspection.ts';
import type { PythonInterpreter, SetupCode } from './interpreter.ts';
import type { KeptProcess } from './keptProcess.ts';

/** One run of one cell, with all that its process needs. */
export interface ExecRequest {
  readonly runId: string;
  readonly cellId: string;
  /** The notebook's id; with the cell's id it is part of the module names of shared code. */
  readonly notebookId?: string;
  /** The name that tracebacks show, as `<cell NAME>`. */
  readonly cellName: string;
  readonly language: 'python' | 'r';
  readonly interpreter: PythonInterpreter;
  readonly source: string;
  readonly setup?: SetupCode;
  readonly inputs: Readonly<Record<string, HarnessInput>>;
  /** Paths that the cell gets by name. */
  readonly mounts?: NonNullable<HarnessManifest['mounts']>;
  readonly tables?: NonNullable<HarnessManifest['tables']>;
  /** The client `svc`; absent: the cell has none. */
  readonly client?: ClientAccess;
  /** Overrides from @env, set before the inputs are read. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables set when the interpreter itself starts, over its environment; such a run is never warm. */
  readonly processEnv?: Readonly<Record<string, string>>;
  /** Exported names to serialize in full; the others get only a preview. `all`: every name in full. */
  readonly store: readonly string[] | 'all';
  /** Limits for names that no cell reads yet. Absent: no limit. */
  readonly unread?: Allowance;
  readonly mutationDefines: readonly string[];
  /** Names that only a later cell of the notebook defines → the name of that cell. */
  readonly below?: Readonly<Record<string, string>>;
  /** URIs of inputs that have none themselves, at the notebook's own server. */
  readonly inputUris?: Readonly<Record<string, string>>;
  /** The run is one iteration of a loop. */
  readonly loop?: { readonly iteration: number; readonly untilExpr: string | null };
  /** Tests to run instead of storing the cell's values; `file` is the file name shown for them. */
  readonly tests?: NonNullable<HarnessManifest['tests']>;
  /** Values to describe as text for a prompt, instead of running a cell. */
  readonly promptValues?: NonNullable<HarnessManifest['prompt_values']>;
  /** Wall-clock limit; 0 or less means none. */
  readonly timeoutSeconds: number;
  /** The notebook's folder: working directory and first entry of sys.path. */
  readonly cwd: string;
  /** An empty folder, removed by the caller. Receives the manifest, the value files and the result. */
  readonly outputDir: string;
  /** Where a long stream is written in full; absent: only its tail is kept. */
  readonly consoleLog?: ConsoleLogRequest;
  /** `cold` asks for a fresh interpreter even if a warm one is ready. */
  readonly mode: 'auto' | 'cold';
}

/** Printed text, live and in order; at most 64 KiB of UTF-8 per call, calls at most every 33 ms. */
export interface ConsoleText {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** Where a run on a worker ran, and how it ended. */
export interface RemoteRun {
  readonly worker: string;
  readonly transport: string;
  readonly buildId: string | null;
  /** `starting` and `running` while the run is under way; null when the worker did not report a state. */
  readonly buildState: string | null;
  readonly errorCode: string | null;
}

/** What was printed: the last 1 MiB of each stream; its first line says how much was left out before. */
interface Printed {
  readonly method: 'warm' | 'cold' | 'executor';
  /** Absent for a run on this machine. */
  readonly remote?: RemoteRun;
  /**
   * For a run on a worker: call it when the result is stored or no longer needed. Until then the result can be fetched
   * again, by this program or by a later start of it.
   */
  readonly discard?: () => Promise<void>;
  /** The time from the call of `run` to its outcome. */
  readonly durationMs: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Log files for long streams; with `hide`, secret values are replaced in them. */
export interface ConsoleLogRequest {
  readonly stdout: string;
  readonly stderr: string;
  readonly maxBytes: number;
  readonly hide?: () => StreamRedactor;
}

/** How a run ended. All of these are expected: `run` rejects only for an error of its caller or a full disk. */
export type ExecOutcome =
  /** The harness wrote a result; `result.success` says whether the cell succeeded. */
  | ({ readonly kind: 'finished'; readonly result: HarnessResult } & Printed)
  /**
   * `cancelled`: by the signal, however the cell reacted; `timeout`: after `timeoutSeconds`;
   * `crashed`: the process ended without a result.
   */
  | ({ readonly kind: 'cancelled' | 'timeout' | 'crashed'; readonly message: string } & Printed);

export interface RunOptions {
  readonly signal: AbortSignal;
  onConsole(text: ConsoleText): void;
  /** How long the signal waits for the cell; absent: briefly. */
  readonly patience?: StopPatience;
  /** The signals that stop the run, instead of those for a cell on this machine. */
  readonly cancelLadder?: readonly SignalStep[];
  /**
   * Called before the outcome of a run on this machine whose process stays for its widgets. Absent: every process ends
   * with its run.
   */
  onKept?(process: KeptProcess): void;
  /** Called when a run that is being stopped gets this signal; each is harder than the one before. */
  onStopSignal?(signal: StopSignal): void;
}

/** A process kept ready for cells. */
export interface WarmProcess {
  readonly pid: number;
  readonly identity: string;
  readonly role: 'template' | 'spare';
  /** Resident memory; null where the platform has no cheap way to read it. */
  readonly residentBytes: number | null;
}

/**
 * Runs cells. Each run has its own process, and background processes that a cell starts end with its run.
 * Runs may overlap.
 */
export interface Executor {
  run(request: ExecRequest, options: RunOptions): Promise<ExecOutcome>;
  /** Opens a console inside a cell; it lasts until it is closed, its process ends, or the executor closes. */
  inspect(request: InspectRequest): Inspection;
  /**
   * Prepares warm processes for this interpreter, with these modules already imported. Cheap when nothing
   * changed. Resolves when ready; the processes of an earlier list or environment serve until then.
   * Modules that are not installed or fail to import are skipped; the cells import them. `variables` are set during the
   * imports (absent: none), and the processes serve only runs with the same `env`.
   */
  prepare(
    interpreter: PythonInterpreter,
    imports: readonly string[],
    variables?: Readonly<Record<string, string>>,
  ): Promise<void>;
  /** Ends the warm processes of this interpreter; active runs continue. */
  retire(interpreter: PythonInterpreter): Promise<void>;
  memory(): Promise<readonly WarmProcess[]>;
  /** Ends everything, active runs included (as `cancelled`). Later runs end as `cancelled` at once. */
  close(): Promise<void>;
}
