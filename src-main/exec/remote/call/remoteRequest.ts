/** Types of a run on a worker: the request, its progress, its result and its failure. */

import type { Mount } from '../../../../src-shared/wire/cell.ts';
import type { Worker } from '../../../notebook/file/notebookFile.ts';
import type { TraceHeaders } from '../../../observe/tracing.ts';
import type { ExecOutcome, ExecRequest, RunOptions } from '../../executor.ts';
import type { ReadBundle } from '../../outputBundle/readBundle.ts';

/** A run of a cell on a worker: the request for a run on this machine, without its local parts, and the worker. */
export interface RemoteRequest extends Omit<ExecRequest, 'mounts' | 'interpreter' | 'mode'> {
  readonly worker: Worker;
  readonly notebookId: string;
  readonly sourceHash: string;
  readonly provenanceHash: string;
  /** The mounts as declared: a worker opens them itself, with its own credentials. */
  readonly declaredMounts: readonly Mount[];
  /** Runs of the cell whose results are stored. */
  readonly keptRuns: ReadonlySet<string>;
}

/** The result of a run on a worker. It can be fetched again until `discard` is called. */
export interface RemoteResult {
  readonly bundle: ReadBundle;
  readonly buildId: string;
  discard(): Promise<void>;
}

/** The progress of a run on a worker, reported when it changes. */
export interface RemoteProgress {
  /** Null while the run waits to be sent. */
  readonly buildId: string | null;
  readonly state: 'starting' | 'running';
  /** The position in the queue, from 1; only while starting. */
  readonly position: number | null;
  readonly detail: string | null;
}

export interface RemoteRunOptions extends RunOptions {
  /** The tracing span of this run, the parent of the worker's. */
  readonly trace?: TraceHeaders;
  onProgress(progress: RemoteProgress): void;
}

type RemoteErrorCode =
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

/** A run on a worker that ended without a result of the cell. `code` null: nothing was sent. */
export class RemoteFailure extends Error {
  readonly code: RemoteErrorCode | null;
  /** The cell reached its time limit, like a timeout on this machine. */
  readonly isTimeout: boolean;

  constructor(code: RemoteErrorCode | null, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.isTimeout = code === 'TIMEOUT';
  }
}

/** Runs cells on workers. Like an executor it rejects only for an error of its caller or a full disk. */
export interface RemoteExecutor {
  run(request: RemoteRequest, options: RemoteRunOptions): Promise<ExecOutcome>;
}
