/** Sets up R for the notebooks of a server: reads the names in R cells, runs them, and manages renv libraries. */

import { join } from 'node:path';
import type { Language } from '../../../src-shared/wire/cell.ts';
import { findRscript, noRscriptMessage } from '../../environment/findRscript.ts';
import type { RTools } from '../../environment/r/rTool.ts';
import { childEnvironment } from '../../exec/local/childEnvironment.ts';
import { createRRunner, rEnvironment } from '../../exec/local/r/rRunner.ts';
import { createRNameReader, type RNameReader } from '../../language/r/rNames.ts';
import { rTextsOf } from '../../language/r/rTexts.ts';
import type { LanguageStep } from '../stepTools.ts';
import { createRStep } from './rStep.ts';

interface RLanguageOptions {
  /** Contains `r/harness.R`. */
  readonly harnessDir: string;
  /** SVC_RSCRIPT. */
  readonly rscript: string | null;
  readonly cacheDir: string;
  /** SVC_NOTEBOOK_HARNESS_ENV_ALLOWLIST. */
  readonly envAllowlist: readonly string[] | null;
  /** SVC_NOTEBOOK_WARM_POOL_SIZE. */
  readonly poolSize: number;
  /** SVC_NOTEBOOK_R_NAMES_TIMEOUT_SECONDS. */
  readonly namesTimeoutSeconds: number;
}

/** R in this program: reads the names in R cells and runs them. R is only looked up for the first R cell. */
interface RLanguage {
  readonly names: Pick<RNameReader, 'known'>;
  readonly step: LanguageStep<'r'>;
  /** The tools for notebooks' R environments. */
  readonly tools: RTools;
  /** Reads the names in those texts that are R; the first such text also starts the warm processes. */
  learn(texts: readonly { readonly language: Language; readonly source: string }[]): Promise<void>;
  /** The version of the R that answered last; null: none did. */
  version(): string | null;
  close(): Promise<void>;
}

/**
 * Installing runs code of packages, so the server's own secrets are removed. Libraries are in their projects.
 */
function renvEnvironment(): NodeJS.ProcessEnv {
  const env = rEnvironment(childEnvironment({ base: process.env, allowlist: null, python: '' }));
  const moved = new Set(['RENV_PROJECT', 'RENV_PROFILE', 'RENV_PATHS_LIBRARY', 'RENV_PATHS_LIBRARY_ROOT']);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !moved.has(name)));
}

/** Creates the R language for one program; nothing is looked up yet. */
export function createRLanguage(options: RLanguageOptions): RLanguage {
  const { harnessDir, rscript, envAllowlist, poolSize, namesTimeoutSeconds } = options;
  const find = () => findRscript(rscript);
  const names = createRNameReader({
    findRscript: find,
    harness: join(harnessDir, 'r', 'harness.R'),
    env: rEnvironment(
      childEnvironment({ base: process.env, allowlist: envAllowlist, python: rscript ?? '' }),
    ),
    timeoutMs: namesTimeoutSeconds * 1000,
  });
  const runner = createRRunner({ harnessDir, envAllowlist, poolSize });
  let isWarm = false;

  async function warmUp(): Promise<void> {
    if (isWarm) return;
    isWarm = true;
    const rscript = await find();
    if (rscript !== null) await runner.prepare(rscript);
    else isWarm = false;
  }

  const foundOrWords: RTools['find'] = async () => {
    const path = await find();
    return path === null ? { message: noRscriptMessage(rscript) } : { path };
  };

  return {
    names,
    step: createRStep({ runner, findRscript: foundOrWords }),
    tools: {
      find: foundOrWords,
      script: join(harnessDir, 'r', 'environment.R'),
      toolsDir: join(options.cacheDir, 'r'),
      env: renvEnvironment(),
    },
    async learn(texts) {
      const sources = texts
        .filter(({ language }) => language === 'r')
        .flatMap(({ source }) => rTextsOf(source));
      if (sources.length === 0) return;
      const learning = names.learn(sources);
      // Not awaited: a run that comes first starts its own R.
      void warmUp();
      await learning;
    },
    version: () => names.installed()?.version ?? null,
    async close() {
      await Promise.all([names.close(), runner.close()]);
    },
  };
}
