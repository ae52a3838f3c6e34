/** Finds packages while the user types in the Packages panel: known names at once, then the package index. */

import { normalizedName } from '../../../src-shared/notebook/requirement.ts';
import { type PackageSuggestion, suggestPackages } from '../../../src-shared/notebook/suggestPackages.ts';
import { keepLatest } from '../../lib/keepLatest.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { whyNoIndexYet } from '../importSync.ts';
import type { FoundUv } from '../uv/resolveUv.ts';
import { captureTool } from '../uv/runTool.ts';
import { uvBaseEnv } from '../uv/uvSync.ts';
import { cachedNames } from './cachedNames.ts';
import { type IndexedPackage, lookUpPackage } from './lookUpPackage.ts';

/** Finds packages for one notebook by what the user types. */
export interface PackageSearch {
  /** Works without a network. `trusted` false: starts nothing, so uv's cache is not read. */
  suggest(
    typed: string,
    options: { readonly trusted: boolean; readonly notebook: readonly string[] },
  ): Promise<readonly PackageSuggestion[]>;
  /** Queries the index; answers are reused for a while. Only call it when the folder is trusted. */
  lookUp(name: string): Promise<IndexedPackage>;
}

interface PackageSearchOptions {
  readonly dir: NotebookFolder;
  readonly uv: () => Promise<FoundUv>;
  readonly env: () => NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly now?: () => number;
}

/** How long answers of the index are reused; short enough for new versions and for names that uv has cached since. */
const FRESH_MS = 300_000;
const MAX_NAMES = 200;
/** Each look-up is a process of uv. */
const MAX_ACTIVE = 4;
const CACHE_DIR_MS = 10_000;

interface Cached<T> {
  readonly at: number;
  readonly value: Promise<T>;
}

export function createPackageSearch(options: PackageSearchOptions): PackageSearch {
  const { dir, env, signal, now = Date.now } = options;
  const answers = new Map<string, Cached<IndexedPackage>>();
  let cache: Cached<readonly string[]> | null = null;
  let active = 0;

  const readCache = async (): Promise<readonly string[]> => {
    const uv = await options.uv();
    if (uv.kind === 'missing') return [];
    const { end, stdout } = await captureTool({
      file: uv.path,
      args: ['cache', 'dir'],
      cwd: dir,
      env: uvBaseEnv(env()),
      timeoutMs: CACHE_DIR_MS,
      signal,
    });
    return end.kind === 'exited' && end.code === 0 ? cachedNames(stdout.trim()) : [];
  };

  const ask = async (name: string): Promise<IndexedPackage> => {
    const waitReason = await whyNoIndexYet(dir);
    if (waitReason !== null) return { status: 'unknown', version: null, problem: waitReason };
    if (active === MAX_ACTIVE) return { status: 'unknown', version: null, problem: BUSY };
    active += 1;
    try {
      return await lookUpPackage(name, { dir, uv: await options.uv(), env: env(), signal });
    } finally {
      active -= 1;
    }
  };

  return {
    async suggest(typed, { trusted, notebook }) {
      if (trusted && (cache === null || now() - cache.at > FRESH_MS))
        cache = { at: now(), value: readCache() };
      const sources = { notebook, cache: trusted && cache !== null ? await cache.value : [] };
      return suggestPackages(typed, sources);
    },
    async lookUp(name) {
      const key = normalizedName(name);
      const cached = answers.get(key);
      if (cached !== undefined && now() - cached.at < FRESH_MS) return cached.value;
      const value = ask(name);
      keepLatest(answers, [key, { at: now(), value }], MAX_NAMES);
      const answer = await value;
      // Not reused, because the network may come back.
      if (answer.status === 'unknown') answers.delete(key);
      return answer;
    },
  };
}

const BUSY = 'Several names are being looked up. Try again in a moment.';
