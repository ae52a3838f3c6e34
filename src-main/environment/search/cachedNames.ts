import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Where uv keeps what indexes told it, and the wheels it has, below its cache folder; `v27` changes with uv. */
const BUCKETS = /^(?:simple|wheels)-v\d+$/;
const NAME = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
/** A cache that many notebooks share has some thousands. */
const MOST = 20_000;

/**
 * Names of packages that uv has asked an index for on this machine. What the folder looks like is uv's own business:
 * what is not there, or not a name, is passed over.
 */
export async function cachedNames(cacheDir: string): Promise<readonly string[]> {
  const buckets = (await namesIn(cacheDir)).filter((name) => BUCKETS.test(name));
  const found = new Set<string>();
  for (const bucket of buckets) {
    for (const folder of await indexFolders(join(cacheDir, bucket))) {
      for (const entry of await namesIn(folder)) {
        const name = entry.replace(/\.rkyv$/, '');
        if (NAME.test(name) && found.size < MOST) found.add(name);
      }
    }
  }
  return [...found];
}

/** `pypi`, and a folder for each other index. */
async function indexFolders(bucket: string): Promise<readonly string[]> {
  const others = (await namesIn(join(bucket, 'index'))).map((name) => join(bucket, 'index', name));
  return [join(bucket, 'pypi'), ...others];
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []); // no such folder: nothing was kept there
}
