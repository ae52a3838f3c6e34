/** For tests: runs one cell on the worker at a URL; returns its output and progress messages too. */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecOutcome } from '../../executor.ts';
import type { RemoteExecutor, RemoteProgress, RemoteRequest } from '../call/remoteRequest.ts';

let runs = 0;

export async function testRun(
  executor: RemoteExecutor,
  {
    dir,
    url,
    signal = new AbortController().signal,
    onProgress,
    ...changes
  }: Partial<RemoteRequest> & {
    readonly dir: string;
    readonly url: string;
    readonly signal?: AbortSignal;
    readonly onProgress?: (progress: RemoteProgress) => void;
  },
): Promise<{
  readonly outcome: ExecOutcome;
  readonly progress: readonly RemoteProgress[];
  readonly printed: string;
}> {
  runs += 1;
  const outputDir = join(dir, `out-${runs}`);
  await mkdir(outputDir);
  const progress: RemoteProgress[] = [];
  let printed = '';
  const request: RemoteRequest = {
    runId: `r${runs}`,
    cellId: `c${runs}`,
    cellName: 'x',
    notebookId: 'n1',
    language: 'python',
    source: 'x = 42',
    sourceHash: 'sh',
    provenanceHash: 'ph',
    inputs: {},
    declaredMounts: [],
    keptRuns: new Set<string>(),
    env: {},
    store: ['x'],
    mutationDefines: [],
    timeoutSeconds: 60,
    cwd: dir,
    outputDir,
    worker: { name: 'gpu', backend: 'executor', runtime_id: null, config: { url, token: 'tok' } },
    ...changes,
  };
  const outcome = await executor.run(request, {
    signal,
    onConsole: ({ text }) => {
      printed += text;
    },
    onProgress: (one) => {
      progress.push(one);
      onProgress?.(one);
    },
  });
  return { outcome, progress, printed };
}
