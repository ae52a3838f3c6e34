import { join } from 'node:path';
import type { Language } from '../../../src-shared/wire/cell.ts';
import { findRscript, noRscriptWords } from '../../environment/findRscript.ts';
import { childEnvironment } from '../../exec/local/childEnvironment.ts';
import { createRRunner, rEnvironment } from '../../exec/local/r/rRunner.ts';
import { createRNameReader, type RNameReader } from '../../language/r/rNames.ts';
import type { LanguageStep } from '../languageStep.ts';
import { createRStep } from './rStep.ts';

export interface RLanguageOptions {
  /** Holds `r/harness.R`. */
  readonly harnessDir: string;
  /** SVC_RSCRIPT. */
  readonly rscript: string | null;
  /** SVC_NOTEBOOK_HARNESS_ENV_ALLOWLIST. */
  readonly envAllowlist: readonly string[] | null;
  /** SVC_NOTEBOOK_WARM_POOL_SIZE. */
  readonly poolSize: number;
}

/** R in this program: what reads its cells' names and what runs them. No R is looked for before the first R cell. */
export interface RLanguage {
  readonly names: Pick<RNameReader, 'known'>;
  readonly step: LanguageStep;
  /** Reads the names of those that are R; the first of them brings the warm processes up, too. */
  learn(texts: readonly { readonly language: Language; readonly source: string }[]): Promise<void>;
  /** Of the R that was last asked; null: none answered. */
  version(): string | null;
  close(): Promise<void>;
}

export function createRLanguage(options: RLanguageOptions): RLanguage {
  const { harnessDir, rscript, envAllowlist, poolSize } = options;
  const find = () => findRscript(rscript);
  const names = createRNameReader({
    findRscript: find,
    harness: join(harnessDir, 'r', 'harness.R'),
    env: rEnvironment(
      childEnvironment({ base: process.env, allowlist: envAllowlist, python: rscript ?? '' }),
    ),
  });
  const runner = createRRunner({ harnessDir, envAllowlist, poolSize });
  let isWarm = false;

  async function warmUp(): Promise<void> {
    if (isWarm) return;
    isWarm = true;
    const found = await find();
    if (found !== null) await runner.prepare(found);
    else isWarm = false;
  }

  return {
    names,
    step: createRStep({
      runner,
      async findRscript() {
        const path = await find();
        return path === null ? { words: noRscriptWords(rscript) } : { path };
      },
    }),
    async learn(texts) {
      const sources = texts.filter(({ language }) => language === 'r').map(({ source }) => source);
      if (sources.length === 0) return;
      const learned = names.learn(sources);
      // Nobody waits for it: a run that comes first starts an R of its own.
      void warmUp();
      await learned;
    },
    version: () => names.installed()?.version ?? null,
    async close() {
      await Promise.all([names.close(), runner.close()]);
    },
  };
}
