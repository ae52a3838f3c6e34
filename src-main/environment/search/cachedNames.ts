/** Reads package names from uv's cache, which the package search of the Packages panel suggests. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Matches folders in uv's cache with index responses and wheels; the number changes with uv. */
const BUCKETS = /^(?:simple|wheels)-v\d+$/;
const NAME = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
/** A cache shared by many notebooks has some thousands of names. */
const MAX_NAMES = 20_000;

/**
 * Names of packages that uv has requested from an index on this machine. The layout of the folder belongs to uv, so
 * missing folders and entries that are not names are ignored.
 */
export async function cachedNames(cacheDir: string): Promise<readonly string[]> {
  const buckets = (await namesIn(cacheDir)).filter((name) => BUCKETS.test(name));
  const names = new Set<string>();
  for (const bucket of buckets) {
    for (const folder of await indexFolders(join(cacheDir, bucket))) {
      for (const entry of await namesIn(folder)) {
        const name = entry.replace(/\.rkyv$/, '');
        if (NAME.test(name) && names.size < MAX_NAMES) names.add(name);
      }
    }
  }
  return [...names];
}

/** The folders of the indexes: `pypi`, and one for each other index. */
async function indexFolders(bucket: string): Promise<readonly string[]> {
  const others = (await namesIn(join(bucket, 'index'))).map((name) => join(bucket, 'index', name));
  return [join(bucket, 'pypi'), ...others];
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []); // no such folder: nothing is cached
}
