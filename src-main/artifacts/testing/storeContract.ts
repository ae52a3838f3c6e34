import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ArtifactRow, ArtifactStore, NewArtifact } from '../artifact.ts';
import { artifactUri } from '../uri.ts';
import { newItem, sha256 } from './testItems.ts';

/** The tests that every artifact store must pass; run on the real store and on the fake one. */
export function storeContract(
  name: string,
  open: (dir: string, clock: { now(): number }) => Promise<ArtifactStore>,
): void {
  describe(`${name} fulfils the store’s contract`, () => {
    let dir: string;
    let store: ArtifactStore;
    let now: number;

    beforeEach(async () => {
      dir = await mkdtemp(join(tmpdir(), 'store-contract-'));
      now = 1_700_000_000_123;
      store = await open(join(dir, 'store'), { now: () => now });
    });
    afterEach(async () => {
      await store.close();
      await rm(dir, { recursive: true, force: true });
    });

    async function bytesOf(row: ArtifactRow): Promise<string> {
      const blob = await store.readable(row);
      return blob.kind === 'ok' ? readFile(blob.path, 'utf8') : blob.kind;
    }

    const brief = (rows: readonly ArtifactRow[]) =>
      rows.map((row) => `${row.id}@${row.version} ${row.state}`);

    test('[AS-1] a published artifact is read back unchanged', async () => {
      const item = newItem('nb_1_cell_a_var_x', 'value', {
        contentKey: 'k',
        params: { source: 'x = 1\n', cell_id: 'a' },
        inputVersions: { 'svc://artifact/u@v=2': 'u@v=2' },
        rowCount: 7,
        schemaJson: '{}',
      });
      const expected: ArtifactRow = {
        id: item.id,
        version: 1,
        state: 'ready',
        provenanceHash: item.provenanceHash,
        contentKey: 'k',
        contentType: 'json/object',
        contentSha256: sha256('value'),
        byteSize: 5,
        rowCount: 7,
        schemaJson: '{}',
        createdAt: now,
        params: item.params,
        inputVersions: item.inputVersions,
      };
      expect(await store.publish([item])).toEqual([expected]);
      expect(store.current('nb_1_')).toEqual([expected]);
      expect(store.rowByUri(artifactUri(item.id, 1))).toEqual(expected);
      expect(await bytesOf(expected)).toBe('value');
    });

    test('[AS-1] versions count up, the newest is ready, three superseded ones remain', async () => {
      for (const text of ['1', '2', '3', '4', '5', '6']) await store.publish([newItem('a', text)]);
      await store.publish([newItem('ab', 'other'), newItem('b', 'else')]);
      expect(brief(store.current('a'))).toEqual([
        'a@6 ready',
        'a@5 superseded',
        'a@4 superseded',
        'a@3 superseded',
        'ab@1 ready',
      ]);
      expect(store.rowByUri('svc://artifact/a@v=2')).toBeNull();
      expect(await Promise.all(store.current('a').map(bytesOf))).toEqual(['6', '5', '4', '3', 'other']);
    });

    test('[LO-8] one id can be queried alone, and ids that contain a text can be skipped', async () => {
      for (const id of ['x', 'x@iter=1', 'x@iter=10', 'x@iter=1', 'xy'])
        await store.publish([newItem(id, id)]);
      expect(brief(store.versions('x@iter=1'))).toEqual(['x@iter=1@2 ready', 'x@iter=1@1 superseded']);
      expect(brief(store.versions('none'))).toEqual([]);
      expect(brief(store.current('x', { without: '@iter=' }))).toEqual(['x@1 ready', 'xy@1 ready']);
      expect(store.current('x')).toHaveLength(5);
    });

    test('a file is moved in, with or without a given digest', async () => {
      const files = await Promise.all(
        ['one', 'two'].map(async (text) => {
          const file = join(dir, text);
          await writeFile(file, text);
          return file;
        }),
      );
      const rows = await store.publish([
        newItem('one', { file: files[0] ?? '' }),
        newItem('two', { file: files[1] ?? '', sha256: sha256('two') }),
      ]);
      expect(rows.map((row) => row.contentSha256)).toEqual([sha256('one'), sha256('two')]);
      expect(await Promise.all(rows.map(bytesOf))).toEqual(['one', 'two']);
      for (const file of files) await expect(stat(file)).rejects.toThrow();
    });

    test('one file is stored under two names, without a given digest too', async () => {
      const file = join(dir, 'both');
      await writeFile(file, 'both');
      const rows = await store.publish([newItem('last', { file }), newItem('last@iter=2', { file })]);
      expect(await Promise.all(rows.map(bytesOf))).toEqual(['both', 'both']);
    });

    test('[AS-5] a wrong digest of the caller is detected at the first read and the row is no longer used', async () => {
      const file = join(dir, 'liar');
      await writeFile(file, 'lie');
      const [row] = await store.publish([newItem('liar', { file, sha256: sha256('truth') })]);
      expect(row && (await store.readable(row)).kind).toBe('corrupt');
      expect(store.current('liar')).toEqual([]);
      expect(store.rowByUri('svc://artifact/liar@v=1')?.state).toBe('failed');
      expect(brief(await store.publish([newItem('liar', 'truth')]))).toEqual(['liar@2 ready']);
      expect(await Promise.all(store.current('liar').map(bytesOf))).toEqual(['truth']);
    });

    test('[AS-5] damaged and missing bytes are distinguished, fail their rows and are repaired by publishing again', async () => {
      const [a, b] = await store.publish([newItem('a', 'good'), newItem('b', 'gone')]);
      if (a === undefined || b === undefined) throw new Error('published');
      const [pathA, pathB] = await Promise.all([a, b].map((row) => store.readable(row)));
      if (pathA?.kind !== 'ok' || pathB?.kind !== 'ok') throw new Error('readable');
      await writeFile(pathA.path, 'bad!');
      await rm(pathB.path);
      expect([(await store.readable(a)).kind, (await store.readable(b)).kind]).toEqual([
        'corrupt',
        'missing',
      ]);
      expect(store.current('')).toEqual([]);
      const again = await store.publish([newItem('a', 'good'), newItem('b', 'gone')]);
      expect(await Promise.all(again.map(bytesOf))).toEqual(['good', 'gone']);
    });

    test('[AS-3] promotion makes an old version current without new bytes', async () => {
      await store.publish([newItem('a', 'first', { provenanceHash: 'p1', contentKey: 'k1' })]);
      await store.publish([newItem('a', 'second', { provenanceHash: 'p2' })]);
      now += 1000;
      const rows = store.promote([{ id: 'a', fromVersion: 1, provenanceHash: 'p3', contentKey: 'k3' }]);
      expect(rows).toEqual(store.current('a').slice(0, 1));
      expect(brief(store.current('a'))).toEqual(['a@3 ready', 'a@2 superseded', 'a@1 superseded']);
      expect(rows[0]).toMatchObject({
        provenanceHash: 'p3',
        contentKey: 'k3',
        createdAt: now,
        params: { variable_name: 'a' },
      });
      expect(await Promise.all(rows.map(bytesOf))).toEqual(['first']);
      expect(() =>
        store.promote([{ id: 'a', fromVersion: 9, provenanceHash: '', contentKey: null }]),
      ).toThrow(/a@v=9/);
    });

    test('a failed promotion undoes the others of its call', async () => {
      await store.publish([newItem('a', 'x')]);
      const promotion = { provenanceHash: 'p', contentKey: null };
      expect(() =>
        store.promote([
          { id: 'a', fromVersion: 1, ...promotion },
          { id: 'zzz', fromVersion: 1, ...promotion },
        ]),
      ).toThrow();
      expect(brief(store.current(''))).toEqual(['a@1 ready']);
    });

    test('[AS-2] all or none: one missing file prevents every item', async () => {
      const items = [newItem('a', 'x'), newItem('b', { file: join(dir, 'nowhere') })];
      await expect(store.publish(items)).rejects.toMatchObject({ code: 'blob_missing' });
      expect(store.current('')).toEqual([]);
    });

    const refused: readonly [string, readonly NewArtifact[]][] = [
      ['an id twice', [newItem('a', 'x'), newItem('a', 'y')]],
      ['a slash', [newItem('a/b', 'x')]],
      ['dots', [newItem('a..b', 'x')]],
      ['a digest that is a path', [newItem('a', { file: 'x', sha256: '../../x' })]],
    ];
    test.each(refused)('refuses %s', async (_name, items) => {
      await expect(store.publish(items)).rejects.toMatchObject({ code: 'invalid' });
      expect(store.current('')).toEqual([]);
    });

    test('equal bytes under many ids, empty bytes, large bytes', async () => {
      const large = 'x'.repeat(300_000);
      const rows = await store.publish([
        newItem('a', 'same'),
        newItem('b', 'same'),
        newItem('c', ''),
        newItem('d', large),
      ]);
      expect(await Promise.all(rows.map(bytesOf))).toEqual(['same', 'same', '', large]);
    });

    test('concurrent publications never lose a version', async () => {
      await Promise.all(Array.from({ length: 12 }, (_, n) => store.publish([newItem('a', `v${n}`)])));
      expect(store.current('a').map((row) => row.version)).toEqual([12, 11, 10, 9]);
      expect((await Promise.all(store.current('a').map(bytesOf))).every((text) => /^v\d+$/.test(text))).toBe(
        true,
      );
    });

    test('[AS-42] the last use of each version is recorded, for reads with a resolution of five minutes', async () => {
      const [a] = await store.publish([newItem('a', 'one'), newItem('b', 'two')]);
      const published = now;
      now += 600_000;
      if (a !== undefined) await store.readable(a);
      const readAt = now;
      now += 60_000;
      if (a !== undefined) await store.readable(a);
      const uses = await store.uses();
      expect(uses.map(({ row }) => `${row.id}@${row.version}`)).toEqual(['a@1', 'b@1']);
      expect((uses[0]?.lastUsedAt ?? 0) - readAt).toBeLessThanOrEqual(300_000);
      expect(uses[0]?.lastUsedAt).toBeGreaterThanOrEqual(readAt);
      expect(uses[1]?.lastUsedAt).toBe(published);
    });

    test('[AS-42] removed versions are deleted with their unshared bytes; used ones and unknown ones stay', async () => {
      await store.publish([newItem('a', 'shared'), newItem('b', 'its own'), newItem('c', 'shared')]);
      const then = now;
      now += 3_600_000;
      const [, b] = store.current('');
      const refs = ['a', 'b', 'none'].map((id) => ({ id, version: 1 }));
      expect(await store.remove(refs, then - 1)).toEqual({ refs: [], bytes: 0 });
      expect(await store.remove(refs, then)).toEqual({
        refs: [
          { id: 'a', version: 1 },
          { id: 'b', version: 1 },
        ],
        bytes: 7,
      });
      expect(brief(store.current(''))).toEqual(['c@1 ready']);
      expect(await Promise.all(store.current('').map(bytesOf))).toEqual(['shared']);
      expect(b && (await store.readable(b)).kind).toBe('missing');
      await store.publish([newItem('b', 'its own')]);
      expect(await Promise.all(store.current('b').map(bytesOf))).toEqual(['its own']);
    });

    test('a closed store refuses with a message', async () => {
      await store.close();
      expect(() => store.current('')).toThrow(/closed/);
    });
  });
}
