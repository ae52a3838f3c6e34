import { stat } from 'node:fs/promises';
import type { REnvironment } from '../../../src-shared/wire/environment.ts';
import { nullIfMissing } from '../../lib/atomicFile.ts';
import { packagesIn, readRFacts } from './rFacts.ts';
import { stageOf } from './rStage.ts';
import { askR, type RTools } from './rTool.ts';

export type RPackages = Pick<REnvironment, 'packages' | 'packages_status' | 'packages_error'>;

/** rest-notebooks 6. */
const TIMEOUT_MS = 30_000;

/** What the library holds that this machine's R would use in `dir`; starts R to ask where that is. */
export async function readRPackages(dir: string, tools: RTools, signal?: AbortSignal): Promise<RPackages> {
  const none = (status: REnvironment['packages_status'], error: string | null = null): RPackages => ({
    packages: [],
    packages_status: status,
    packages_error: error,
  });
  const { lock } = await readRFacts(dir);
  if (lock === null) return none('absent');
  const found = await tools.find();
  if ('words' in found) return none('rscript_missing', found.words);
  const answer = await askR({
    ...{ dir, tools, rscript: found.path, verb: 'where', ...stageOf(dir), signal, timeoutMs: TIMEOUT_MS },
  });
  if (answer.kind === 'cancelled') return none('failed', 'R was stopped.');
  if (answer.kind === 'failed') return none('failed', answer.error);
  const isThere = (await stat(answer.library).catch(nullIfMissing)) !== null;
  if (!isThere) {
    return none(
      'renv_not_active',
      `The notebook has no library for R ${answer.rVersion} yet. Restore it from renv.lock.`,
    );
  }
  return { packages: [...(await packagesIn(answer.library))], packages_status: 'ok', packages_error: null };
}
