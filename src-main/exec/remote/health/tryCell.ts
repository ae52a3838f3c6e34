/** Runs an empty cell on a worker, as the last check when a user tests the worker. */

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from '../../../notebook/file/notebookFile.ts';
import type { ExecOutcome } from '../../executor.ts';
import type { RemoteExecutor, RemoteProgress } from '../call/remoteRequest.ts';

const CELL_SECONDS = 30;
/** Longer than a user waits at a dialog; a machine that has to be started may take more. */
const PATIENCE_MS = 60_000;

const NOTHING = { python: 'pass', r: 'invisible(NULL)' } as const;

/**
 * Runs an empty cell on a worker, in the same way as cells of a notebook, but without an environment.
 * @returns the reason why it failed, for users; null when it succeeded
 */
export async function tryCell(
  executor: RemoteExecutor,
  { worker, notebookId, language }: { worker: Worker; notebookId: string; language: 'python' | 'r' },
  { patienceMs = PATIENCE_MS }: { readonly patienceMs?: number } = {},
): Promise<string | null> {
  const dir = await mkdtemp(join(tmpdir(), 'svc-try-'));
  let last: RemoteProgress | null = null;
  try {
    const outputDir = join(dir, 'out');
    await mkdir(outputDir);
    const outcome = await executor.run(
      {
        runId: 'try',
        cellId: 'try',
        cellName: 'try',
        notebookId,
        language,
        worker,
        source: NOTHING[language],
        sourceHash: '',
        provenanceHash: '',
        inputs: {},
        env: {},
        declaredMounts: [],
        keptRuns: new Set<string>(),
        mutationDefines: [],
        store: [],
        timeoutSeconds: CELL_SECONDS,
        cwd: dir,
        outputDir,
      },
      {
        signal: AbortSignal.timeout(patienceMs),
        onConsole: () => undefined,
        onProgress: (progress) => {
          last = progress;
        },
      },
    );
    const problem = failureReason(outcome, last, patienceMs / 1000);
    if (outcome.discard !== undefined) await outcome.discard();
    return problem;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function failureReason(outcome: ExecOutcome, last: RemoteProgress | null, seconds: number): string | null {
  if (outcome.kind === 'finished') {
    const { result } = outcome;
    return result.success ? null : `A cell that does nothing failed there: ${result.error}`;
  }
  if (outcome.kind !== 'cancelled') return outcome.message;
  return last?.state === 'starting'
    ? `It took a cell, but has not started it within ${seconds} s${last.detail === null ? '' : ` (${last.detail})`}: its machine may still be starting. Try it again later.`
    : `A cell that does nothing has not ended there within ${seconds} s.`;
}
