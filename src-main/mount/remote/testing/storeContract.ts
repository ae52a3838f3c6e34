import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ObjectStore, RemoteObject } from '../objectStore.ts';

/**
 * The tests that every object store must pass. `open` returns a new empty bucket for each call.
 * @param largeMib mebibytes of a file that the store transfers in several pieces
 */
export function storeContract(name: string, open: () => Promise<ObjectStore>, largeMib: number): void {
  describe(`[MT-12] ${name}`, () => {
    const never = new AbortController().signal;
    let dir = '';
    let files = 0;
    beforeAll(async () => {
      dir = await mkdtemp(join(tmpdir(), 'store-'));
    });
    afterAll(() => rm(dir, { recursive: true, force: true }));
    const newFile = () => join(dir, `file-${++files}`);
    const put = async (store: ObjectStore, key: string, text: string): Promise<void> => {
      const file = newFile();
      await writeFile(file, text);
      await store.upload(file, key, never);
    };
    const only = async (store: ObjectStore, key: string): Promise<RemoteObject> => {
      const match = (await store.list(key, never)).find((object) => object.key === key);
      if (match === undefined) throw new Error(`no ${key}`);
      return match;
    };

    it('lists names with a prefix, with sizes', async () => {
      const store = await open();
      expect(await store.list('', never)).toEqual([]);
      for (const key of ['a/1.csv', 'a/sub/2 é+%.csv', 'ab', 'c']) await put(store, key, key);
      const listed = async (prefix: string) =>
        (await store.list(prefix, never)).map(({ key, size }) => `${key}:${size}`).sort();
      expect(await listed('')).toEqual(['a/1.csv:7', 'a/sub/2 é+%.csv:16', 'ab:2', 'c:1']);
      expect(await listed('a')).toEqual(['a/1.csv:7', 'a/sub/2 é+%.csv:16', 'ab:2']);
      expect(await listed('a/')).toEqual(['a/1.csv:7', 'a/sub/2 é+%.csv:16']);
      expect(await listed('zz')).toEqual([]);
    });

    it('gives different bytes a different etag, and the same object the same', async () => {
      const store = await open();
      await put(store, 'x', 'one');
      const first = await only(store, 'x');
      expect((await only(store, 'x')).etag).toBe(first.etag);
      expect(first.etag).not.toBe('');
      await put(store, 'x', 'two');
      expect((await only(store, 'x')).etag).not.toBe(first.etag);
    });

    it('downloads the exact bytes, also of empty objects, and only of the listed version', async () => {
      const store = await open();
      await put(store, 'd/x', 'line\r\n\0é');
      await put(store, 'd/empty', '');
      for (const [key, text] of [
        ['d/x', 'line\r\n\0é'],
        ['d/empty', ''],
      ] as const) {
        const file = newFile();
        await store.download(await only(store, key), file, never);
        expect(await readFile(file, 'utf8')).toBe(text);
      }
      const listed = await only(store, 'd/x');
      await put(store, 'd/x', 'other bytes');
      await expect(store.download(listed, newFile(), never)).rejects.toThrow(
        /was changed while it was being copied|There is no/,
      );
    });

    it('transfers a large file both ways', async () => {
      const store = await open();
      const file = newFile();
      const block = Buffer.from(Array.from({ length: 4096 }, (_, i) => i % 251));
      await writeFile(file, Buffer.concat(Array.from({ length: largeMib * 256 }, () => block)));
      await store.upload(file, 'large', never);
      const back = newFile();
      await store.download(await only(store, 'large'), back, never);
      expect((await stat(back)).size).toBe(largeMib * 2 ** 20);
      expect((await readFile(back)).equals(await readFile(file))).toBe(true);
    });

    it('ends with a failure when it is cancelled', async () => {
      const store = await open();
      await put(store, 'x', 'one');
      const object = await only(store, 'x');
      const aborted = AbortSignal.abort();
      await expect(store.list('', aborted)).rejects.toThrow();
      await expect(store.download(object, newFile(), aborted)).rejects.toThrow();
    });

    it('reports a missing object with a message', async () => {
      const store = await open();
      await put(store, 'x', 'one');
      const object = { ...(await only(store, 'x')), key: 'not/there' };
      await expect(store.download(object, newFile(), never)).rejects.toThrow(/There is no .*not\/there/);
    });
  });
}
