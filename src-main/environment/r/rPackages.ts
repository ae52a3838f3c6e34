/** Lists the R packages of a notebook for the Environment panel, from renv.lock and the library. */

import { stat } from 'node:fs/promises';
import type { REnvironment } from '../../../src-shared/wire/environment.ts';
import { nullIfMissing } from '../../lib/atomicFile.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { packagesIn, readRFacts } from './rFacts.ts';
import { stageOf } from './rStage.ts';
import { askR, type RTools } from './rTool.ts';

export type RPackages = Pick<REnvironment, 'packages' | 'packages_status' | 'packages_error'>;

/** The time limit of the listing (docs/spec/rest-notebooks.md, 6). */
const TIMEOUT_MS = 30_000;

/** The packages in the library that this machine's R would use in `dir`; starts R to find the library. */
export async function readRPackages(
  dir: NotebookFolder,
  tools: RTools,
  signal?: AbortSignal,
): Promise<RPackages> {
  const withoutPackages = (
    status: REnvironment['packages_status'],
    error: string | null = null,
  ): RPackages => ({
    packages: [],
    packages_status: status,
    packages_error: error,
  });
  const { lock } = await readRFacts(dir);
  if (lock === null) return withoutPackages('absent');
  const rscript = await tools.find();
  if ('message' in rscript) return withoutPackages('rscript_missing', rscript.message);
  const answer = await askR({
    dir,
    tools,
    rscript: rscript.path,
    verb: 'where',
    ...stageOf(dir),
    signal,
    timeoutMs: TIMEOUT_MS,
  });
  if (answer.kind === 'cancelled') return withoutPackages('failed', 'R was stopped.');
  if (answer.kind === 'failed') return withoutPackages('failed', answer.error);
  const isThere = (await stat(answer.library).catch(nullIfMissing)) !== null;
  if (!isThere) {
    return withoutPackages(
      'renv_not_active',
      `The notebook has no library for R ${answer.rVersion} yet. Restore it from renv.lock.`,
    );
  }
  return { packages: [...(await packagesIn(answer.library))], packages_status: 'ok', packages_error: null };
}
