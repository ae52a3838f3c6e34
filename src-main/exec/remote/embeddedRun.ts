/** The worker `embedded://`: runs a cell on this machine, but through the bundle format of workers. */

import { join } from 'node:path';
import { removeTree } from '../../lib/guardedFolder/names.ts';
import { makePrivateFolder } from '../../lib/makePrivateFolder.ts';
import type { Worker } from '../../notebook/file/notebookFile.ts';
import type { ExecOutcome, RunOptions } from '../executor.ts';
import { packBundle } from '../outputBundle/packBundle.ts';
import { readBundle } from '../outputBundle/readBundle.ts';

interface Runner<R> {
  run(request: R, options: RunOptions): Promise<ExecOutcome>;
}

/**
 * Runs a cell in the notebook's own interpreter, and packs and reads the bundle that a worker would send
 * (docs/spec/remote-execution.md, 1). A value that would not survive a worker fails here too.
 */
export function embeddedRun<R extends { readonly outputDir: string }>(
  runner: Runner<R>,
  worker: Worker,
): Runner<R> {
  return {
    async run(request, options) {
      const folder = `${request.outputDir}-embedded`;
      const outputDir = join(folder, 'out');
      makePrivateFolder(outputDir);
      try {
        const outcome = await runner.run({ ...request, outputDir }, options);
        const remote = {
          worker: worker.name,
          transport: 'embedded',
          buildId: null,
          buildState: null,
          errorCode: null,
        };
        if (outcome.kind !== 'finished') return { ...outcome, method: 'executor', remote };
        const { result, durationMs, stdout, stderr } = outcome;
        const maxMemberBytes = Number.MAX_SAFE_INTEGER;
        const packed = await packBundle({ result, outputDir, durationMs, stdout, stderr, maxMemberBytes });
        const bundle = await readBundle(packed.stream(), { dir: request.outputDir, maxMemberBytes });
        return { ...outcome, method: 'executor', result: bundle.result, remote };
      } finally {
        await removeTree(folder);
      }
    },
  };
}
