/** An object store in memory, for tests of mounts. */

import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { type ObjectStore, problemFor, type RemoteObject, StoreProblem } from '../objectStore.ts';

/** A bucket in memory. */
export interface FakeStore extends ObjectStore {
  put(key: string, text: string): void;
  remove(key: string): void;
  text(key: string): string | undefined;
  /** Makes the next call of this kind fail with this problem. */
  failNext(kind: 'list' | 'download' | 'upload', problem: StoreProblem): void;
  readonly downloads: string[];
  readonly uploads: string[];
}

export function createFakeStore(): FakeStore {
  const objects = new Map<string, { readonly about: RemoteObject; readonly bytes: Buffer }>();
  const failures = new Map<string, StoreProblem>();
  const downloads: string[] = [];
  const uploads: string[] = [];
  let clock = 0;
  const put = (key: string, bytes: Buffer): void => {
    const etag = createHash('md5').update(bytes).digest('hex');
    const modified = new Date(++clock * 1000).toISOString();
    objects.set(key, { about: { key, size: bytes.byteLength, etag, modified }, bytes });
  };
  const gate = (kind: string, signal: AbortSignal): void => {
    if (signal.aborted) throw new StoreProblem('It was cancelled.');
    const failure = failures.get(kind);
    failures.delete(kind);
    if (failure !== undefined) throw failure;
  };
  return {
    put: (key, text) => put(key, Buffer.from(text)),
    remove: (key) => void objects.delete(key),
    text: (key) => objects.get(key)?.bytes.toString('utf8'),
    failNext: (kind, problem) => void failures.set(kind, problem),
    downloads,
    uploads,
    async list(prefix, signal) {
      gate('list', signal);
      return [...objects.values()].map(({ about }) => about).filter(({ key }) => key.startsWith(prefix));
    },
    async download({ key, etag }, file, signal) {
      gate('download', signal);
      const object = objects.get(key);
      const about = { place: key, doing: 'read', detail: 'fake' } as const;
      if (object === undefined) throw problemFor(404, about);
      if (object.about.etag !== etag) throw problemFor(412, about);
      downloads.push(key);
      await writeFile(file, object.bytes, { flag: 'wx' });
    },
    async upload(file, key, signal) {
      gate('upload', signal);
      uploads.push(key);
      put(key, await readFile(file));
    },
  };
}
