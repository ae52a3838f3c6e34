import { createHash } from 'node:crypto';
import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listingOf } from '../listing.ts';
import { mirror } from '../mirror.ts';
import type { ObjectStore, RemoteObject } from '../objectStore.ts';

/**
 * A process for the crash tests: `mirrorChild.ts <bucket folder> <cache folder> <pieces>` mirrors the
 * bucket's `d/` and prints `done <path>`. Downloads come in small pieces, several files at a time; after that
 * many pieces it is killed (0: never).
 */
const [bucket = '', cacheDir = '', pieces = '0'] = process.argv.slice(2);
let remaining = Number(pieces);
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
      for (let at = 0; at < bytes.byteLength; at += PIECE) {
        await part.write(bytes.subarray(at, at + PIECE));
        remaining -= 1;
        if (remaining === 0) process.kill(process.pid, 'SIGKILL');
      }
    } finally {
      await part.close();
    }
  },
  async upload() {
    throw new Error('nothing is written here');
  },
};

const listing = listingOf('d', await store.list('d', never));
if (listing.kind !== 'folder') throw new Error(`the bucket is ${listing.kind}`);
const path = await mirror(store, listing, { cacheDir, key: 'd', signal: never });
process.stdout.write(`done ${path}\n`);
