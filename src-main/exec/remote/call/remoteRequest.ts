import type { Mount } from '../../../../src-shared/wire/cell.ts';
import type { Worker } from '../../../notebook/file/notebookFile.ts';
import type { TraceHeaders } from '../../../observe/tracing.ts';
import type { ExecOutcome, ExecRequest, RunOptions } from '../../executor.ts';
import type { ReadBundle } from '../../outputBundle/readBundle.ts';

/** A run of a cell on a worker elsewhere: what a process of this machine is told, and what a worker is told beside it. */
export interface RemoteRequest extends Omit<ExecRequest, 'mounts' | 'interpreter' | 'mode'> {
  readonly worker: Worker;
  readonly notebookId: string;
  readonly sourceHash: string;
  readonly provenanceHash: string;
  /** As declared: a worker opens them itself, with credentials of its own. */
  readonly declaredMounts: readonly Mount[];
  /** Runs the store has results of the cell from. */
  readonly keptRuns: ReadonlySet<string>;
}

/** What a run elsewhere left. It stays to be had again until it is let go. */
export interface HadRun {
  readonly bundle: ReadBundle;
  readonly buildId: string;
  letGo(): Promise<void>;
}

/** How far a run elsewhere is, told when it changes. */
export interface RemoteProgress {
  /** Null while the run waits for its turn to be sent. */
  readonly buildId: string | null;
  readonly state: 'starting' | 'running';
  /** From 1; only while starting. */
  readonly position: number | null;
  readonly detail: string | null;
}

export interface RemoteRunOptions extends RunOptions {
  /** The span of this run, which the worker's is to be a child of. */
  readonly trace?: TraceHeaders;
  onProgress(progress: RemoteProgress): void;
}

export type RemoteErrorCode =
  | 'TIMEOUT'
  | 'EXECUTOR_HTTP_ERROR'
  | 'PROTOCOL_ERROR'
  | 'REQUEST_FAILED'
  | 'JOB_STATUS_FAILED'
  | 'PROVISIONING_TIMEOUT'
  | 'FINALIZE_FAILED'
  | 'SETUP_FAILED'
  | 'BUILD_FAILED'
  | 'MISSING_OUTPUT_BLOB'
  | 'INVALID_NOTEBOOK_BUNDLE'
  | 'EXECUTOR_ERROR'
  | 'OUTPUT_TOO_LARGE';

/** A run elsewhere that did not come to a result of the cell. `code` null: nothing was sent. */
export class RemoteFailure extends Error {
  readonly code: RemoteErrorCode | null;
  /** A limit of the cell was passed, as a timeout on this machine. */
  readonly isTimeout: boolean;

  constructor(code: RemoteErrorCode | null, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.isTimeout = code === 'TIMEOUT';
  }
}

/** Runs cells on workers. Like an executor it rejects for a caller's mistake or a full disk alone. */
export interface RemoteExecutor {
  run(request: RemoteRequest, options: RemoteRunOptions): Promise<ExecOutcome>;
}
