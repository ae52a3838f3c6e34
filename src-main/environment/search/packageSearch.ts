import { normalName } from '../../../src-shared/notebook/requirement.ts';
import { type PackageSuggestion, suggestPackages } from '../../../src-shared/notebook/suggestPackages.ts';
import { keepLatest } from '../../lib/keepLatest.ts';
import { whyIndexWaits } from '../importSync.ts';
import type { FoundUv } from '../uv/resolveUv.ts';
import { captureTool } from '../uv/runTool.ts';
import { uvBaseEnv } from '../uv/uvSync.ts';
import { cachedNames } from './cachedNames.ts';
import { type IndexedPackage, lookUpPackage } from './lookUpPackage.ts';

/** Finds packages for one notebook by what a person types. */
export interface PackageSearch {
  /** Without a network. `trusted` false: nothing is started, so that uv's cache is not looked at. */
  suggest(
    typed: string,
    options: { readonly trusted: boolean; readonly notebook: readonly string[] },
  ): Promise<readonly PackageSuggestion[]>;
  /** Asks the index; an answer is good for a while. Not before the folder is trusted. */
  lookUp(name: string): Promise<IndexedPackage>;
}

export interface PackageSearchOptions {
  readonly dir: string;
  readonly uv: () => Promise<FoundUv>;
  readonly env: () => NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly now?: () => number;
}

/** New versions come out, and what uv caches grows. */
const GOOD_MS = 300_000;
const MOST_NAMES = 200;
/** Each is a process of uv. */
const MOST_AT_ONCE = 4;
const CACHE_DIR_MS = 10_000;

interface Kept<T> {
  readonly at: number;
  readonly value: Promise<T>;
}

export function createPackageSearch(options: PackageSearchOptions): PackageSearch {
  const { dir, env, signal, now = Date.now } = options;
  const answers = new Map<string, Kept<IndexedPackage>>();
  let cache: Kept<readonly string[]> | null = null;
  let asking = 0;

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
    const waits = await whyIndexWaits(dir);
    if (waits !== null) return { status: 'unknown', version: null, problem: waits };
    if (asking === MOST_AT_ONCE) return { status: 'unknown', version: null, problem: BUSY };
    asking += 1;
    try {
      return await lookUpPackage(name, { dir, uv: await options.uv(), env: env(), signal });
    } finally {
      asking -= 1;
    }
  };

  return {
    async suggest(typed, { trusted, notebook }) {
      if (trusted && (cache === null || now() - cache.at > GOOD_MS))
        cache = { at: now(), value: readCache() };
      const known = { notebook, cache: trusted && cache !== null ? await cache.value : [] };
      return suggestPackages(typed, known);
    },
    async lookUp(name) {
      const key = normalName(name);
      const before = answers.get(key);
      if (before !== undefined && now() - before.at < GOOD_MS) return before.value;
      const value = ask(name);
      keepLatest(answers, [key, { at: now(), value }], MOST_NAMES);
      const answer = await value;
      // A network that comes back is asked again.
      if (answer.status === 'unknown') answers.delete(key);
      return answer;
    },
  };
}

const BUSY = 'Several names are being looked up. Try again in a moment.';
