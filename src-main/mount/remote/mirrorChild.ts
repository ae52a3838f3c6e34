import { createHash } from 'node:crypto';
import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listingOf } from './listing.ts';
import { mirror } from './mirror.ts';
import type { ObjectStore, RemoteObject } from './objectStore.ts';

/**
 * A process for the crash tests: `mirrorChild.ts <bucket folder> <cache folder>` mirrors the bucket's `d/` and says
 * `begun`, then `done <path>`. Downloads come in small pieces, so that a kill meets half a file.
 */
const [bucket = '', cacheDir = ''] = process.argv.slice(2);
const PIECE = 512;
const never = new AbortController().signal;

const store: ObjectStore = {
  async list() {
    const names = await readdir(bucket);
    return Promise.all(
      names.map(async (name): Promise<RemoteObject> => {
        const bytes = await readFile(join(bucket, name));
        const etag = createHash('md5').update(bytes).digest('hex');
        return { key: decodeURIComponent(name), size: bytes.byteLength, etag, modified: '' };
      }),
    );
  },
  async download({ key }, file) {
    const bytes = await readFile(join(bucket, encodeURIComponent(key)));
    const part = await open(file, 'wx');
    try {
      for (let at = 0; at < bytes.byteLength; at += PIECE) await part.write(bytes.subarray(at, at + PIECE));
    } finally {
      await part.close();
    }
  },
  async upload() {
    throw new Error('nothing is written here');
  },
};

process.stdout.write('begun\n');
const listing = listingOf('d', await store.list('d', never));
if (listing.kind !== 'folder') throw new Error(`the bucket is ${listing.kind}`);
const path = await mirror(store, listing, { cacheDir, key: 'd', signal: never });
process.stdout.write(`done ${path}\n`);
