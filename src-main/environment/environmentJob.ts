/**
 * The state of an environment job (a run of uv or renv for a notebook): running → completed or failed
 * (docs/spec/rest-notebooks.md, 2.6), its phases and captured output. No I/O: the caller supplies times and ids.
 */

import type { EnvironmentJob, EnvironmentJobPhase } from '../../src-shared/wire/environment.ts';
import { appendText } from './boundedText.ts';
import type { ToolStream } from './uv/runTool.ts';

interface JobStart {
  readonly id: string;
  readonly action: EnvironmentJob['action'];
  /** As users see it: `uv sync`, `uv add pandas`. */
  readonly command: string;
  readonly package: string | null;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Every job starts in `uv_running` (docs/spec/rest-notebooks.md, 2.6). */
export function startJob(start: JobStart): EnvironmentJob {
  return {
    id: start.id,
    action: start.action,
    command: start.command,
    status: 'running',
    started_at: start.now,
    package: start.package,
    phase: 'uv_running',
    duration_ms: null,
    stdout: '',
    stderr: '',
    stdout_truncated: false,
    stderr_truncated: false,
    finished_at: null,
    lockfile_changed: false,
    stale_cell_count: 0,
    stale_cell_ids: [],
    error: null,
  };
}

/** Appends text to a running job; a finished job does not change. */
export function withText(job: EnvironmentJob, stream: ToolStream, text: string): EnvironmentJob {
  if (job.status !== 'running') return job;
  if (stream === 'stdout') {
    const next = appendText({ text: job.stdout, truncated: job.stdout_truncated }, text);
    return { ...job, stdout: next.text, stdout_truncated: next.truncated };
  }
  const next = appendText({ text: job.stderr, truncated: job.stderr_truncated }, text);
  return { ...job, stderr: next.text, stderr_truncated: next.truncated };
}

export type WorkingPhase = Exclude<EnvironmentJobPhase, 'completed' | 'failed'>;

/** A running job in its next phase; a finished job does not change. */
export function inPhase(job: EnvironmentJob, phase: WorkingPhase): EnvironmentJob {
  return job.status === 'running' ? { ...job, phase } : job;
}

interface JobFinish {
  /** Null: it succeeded. */
  readonly error: string | null;
  readonly lockfileChanged: boolean;
  /** Cells that are not ready after the job, in notebook order. */
  readonly staleCellIds: readonly string[];
  readonly now: number;
}

/** Ends a job, as succeeded or failed; a finished job does not change. */
export function finishJob(job: EnvironmentJob, finish: JobFinish): EnvironmentJob {
  if (job.status !== 'running') return job;
  const status = finish.error === null ? 'completed' : 'failed';
  return {
    ...job,
    status,
    phase: status,
    finished_at: finish.now,
    duration_ms: Math.max(0, Math.round(finish.now - job.started_at)),
    lockfile_changed: finish.lockfileChanged,
    stale_cell_count: finish.staleCellIds.length,
    stale_cell_ids: [...finish.staleCellIds],
    error: finish.error,
  };
}
