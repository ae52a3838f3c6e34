import { rmSync, writeFileSync } from 'node:fs';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from './store.ts';
import { openMemoryStore } from './testing/memoryStore.ts';
import { storeContract } from './testing/storeContract.ts';
import { newItem, sha256 } from './testing/testItems.ts';
import { artifactUri, parseArtifactUri } from './uri.ts';
import { walUnsafeBecause } from './walSafety.ts';

storeContract('the SQLite store', (dir, clock) => openStore(dir, { clock, prunedGuardMs: -1_000 }));
storeContract('the store in memory', (_dir, clock) => openMemoryStore({ clock }));

describe('the store on disk', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'store-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const blobs = async () => (await readdir(join(dir, 'blobs'))).sort();

  test('[AS-1] rows and blobs are still there after reopening', async () => {
    const first = await openStore(dir, { executor: 'notebook/cell@v1' });
    const rows = await first.publish([newItem('a', 'x'), newItem('b', 'y')]);
    await first.close();
    const second = await openStore(dir);
    expect(second.current('')).toEqual(rows);
    expect(second.notice).toBeNull();
    await second.close();
  });

  const forms: readonly {
    readonly name: string;
    readonly item: (id: string) => Promise<ReturnType<typeof newItem>>;
  }[] = [
    { name: 'bytes', item: async (id) => newItem(id, 'same') },
    {
      name: 'a file of a known digest',
      item: async (id) => {
        const file = join(dir, `result-${id}`);
        await writeFile(file, 'same');
        return newItem(id, { file, sha256: sha256('same') });
      },
    },
  ];
  test.each(forms)(
    '[AS-22] bytes that the store has, given as $name, are not written again, but still removed from their old place',
    async ({ item }) => {
      const store = await openStore(dir);
      await store.publish([newItem('first', 'same')]);
      const before = await stat(join(dir, 'blobs', sha256('same')));
      const rows = await store.publish([await item('second')]);
      const after = await stat(join(dir, 'blobs', sha256('same')));
      expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
      expect(rows.map((row) => [row.id, row.contentSha256])).toEqual([['second', sha256('same')]]);
      await store.close();
      expect((await readdir(dir)).filter((name) => name.startsWith('result-'))).toEqual([]);
    },
  );

  test.each(forms)(
    '[AS-22] bytes that another process swept in the meantime, given as $name, are written after all',
    async ({ item }) => {
      let sweep = false;
      const blob = join(dir, 'blobs', sha256('same'));
      const store = await openStore(dir, {
        onStep: (step) => {
          if (sweep && step === 'folder_synced') rmSync(blob);
          if (step === 'folder_synced') sweep = false;
        },
      });
      await store.publish([newItem('first', 'same')]);
      sweep = true;
      const [row] = await store.publish([await item('second')]);
      expect(row === undefined ? null : await store.readable(row)).toEqual({ kind: 'ok', path: blob });
      expect(await readFile(blob, 'utf8')).toBe('same');
      await store.close();
    },
  );

  test('[AS-6] pruned blobs are deleted, shared ones remain', async () => {
    const store = await openStore(dir, { prunedGuardMs: -1000 });
    await store.publish([newItem('keep', '0')]);
    for (let n = 0; n < 6; n += 1) await store.publish([newItem('a', String(n))]);
    await store.close();
    expect(await blobs()).toEqual(['0', '2', '3', '4', '5'].map(sha256).sort());
  });

  test('[AS-6] equal bytes that are published at the same time remain, although versions of them were pruned', async () => {
    const store = await openStore(dir);
    await Promise.all(Array.from({ length: 12 }, (_, n) => store.publish([newItem('a', `v${n % 3}`)])));
    expect(store.current('a').map((row) => row.version)).toEqual([12, 11, 10, 9]);
    expect(await blobs()).toEqual(['v0', 'v1', 'v2'].map(sha256).sort());
    await store.close();
  });

  test('[AS-6] a recent pruned blob remains, because another process may be about to refer to it', async () => {
    const store = await openStore(dir);
    for (let n = 0; n < 6; n += 1) await store.publish([newItem('a', String(n))]);
    await store.close();
    expect((await blobs()).length).toBe(6);
    await (await openStore(dir)).close();
    expect((await blobs()).length).toBe(4);
  });

  test('[AS-47] blobs that were too recent are collected once they are old enough, without reopening', async () => {
    const store = await openStore(dir, { prunedGuardMs: 200 });
    for (let n = 0; n < 6; n += 1) await store.publish([newItem('a', String(n))]);
    const uses = await store.uses();
    const one = uses.find(({ row }) => row.version === 3);
    if (one === undefined) throw new Error('no version 3');
    await store.remove([{ id: one.row.id, version: 3 }], Date.now());
    expect((await blobs()).length).toBe(6);
    await expect.poll(async () => (await blobs()).length).toBe(3);
    await store.close();
  });

  test('[AS-6] opening sweeps stray blobs and folders of dead writers, and leaves those of live ones', async () => {
    await (await openStore(dir)).close();
    const dead = join(dir, 'tmp', 'nonsense');
    await mkdir(dead);
    await writeFile(join(dead, 'half'), 'x');
    await writeFile(join(dir, 'blobs', sha256('stray')), 'stray');
    const living = await openStore(dir);
    expect(await blobs()).toEqual([]);
    await writeFile(join(dir, 'blobs', sha256('young')), 'young');
    await writeFile(join(dir, 'blobs', sha256('old')), 'old');
    const second = await openStore(dir);
    expect(await blobs()).toEqual([sha256('old'), sha256('young')].sort());
    expect((await readdir(join(dir, 'tmp'))).length).toBe(2);
    await Promise.all([living.close(), second.close()]);
    await (await openStore(dir)).close();
    expect(await blobs()).toEqual([]);
    expect(await readdir(join(dir, 'tmp'))).toEqual([]);
  });

  test('[AS-5] a truncated blob is detected after a restart and quarantined', async () => {
    const first = await openStore(dir);
    const [row] = await first.publish([newItem('a', 'long enough')]);
    await first.close();
    await truncate(join(dir, 'blobs', sha256('long enough')), 4);
    const second = await openStore(dir);
    if (row === undefined) throw new Error('published');
    const result = await second.readable(row);
    expect(result).toMatchObject({ kind: 'corrupt', message: expect.stringContaining('quarantine') });
    expect((await readdir(join(dir, 'quarantine'))).length).toBe(1);
    expect((await second.readable(row)).kind).toBe('corrupt');
    expect(second.current('')).toEqual([]);
    await second.close();
  });

  test('[AS-5] a flipped bit is detected by the next start, although size and time did not change', async () => {
    const first = await openStore(dir);
    const [row] = await first.publish([newItem('a', 'abcd')]);
    await first.close();
    const path = join(dir, 'blobs', sha256('abcd'));
    const { mtime, atime } = await stat(path);
    await writeFile(path, 'abce');
    await utimes(path, atime, mtime);
    const second = await openStore(dir);
    if (row === undefined) throw new Error('published');
    expect((await second.readable(row)).kind).toBe('corrupt');
    await second.close();
  });

  test('a claimed digest does not replace existing bytes', async () => {
    const store = await openStore(dir);
    const [good] = await store.publish([newItem('a', 'good')]);
    const file = join(dir, 'result');
    await writeFile(file, 'evil');
    const [claimed] = await store.publish([newItem('b', { file, sha256: sha256('good') })]);
    if (good === undefined || claimed === undefined) throw new Error('published');
    expect(await Promise.all([good, claimed].map(async (row) => (await store.readable(row)).kind))).toEqual([
      'ok',
      'ok',
    ]);
    await store.close();
  });

  test.each([
    ['changed before it is named', 'corrupt', 'blobs_synced'],
    ['unchanged', 'ok', null],
  ] as const)('[AS-5] a large file with a claimed digest, %s, is %s', async (_what, kind, when) => {
    const bytes = Buffer.alloc(1 << 20, 7);
    const file = join(dir, 'result');
    await mkdir(dir, { recursive: true });
    await writeFile(file, bytes);
    const store = await openStore(join(dir, 'store'), {
      onStep: (step) => {
        if (step === when) writeFileSync(file, 'x', { flag: 'r+' });
      },
    });
    const [row] = await store.publish([newItem('a', { file, sha256: sha256(bytes) })]);
    if (row === undefined) throw new Error('published');
    expect((await store.readable(row)).kind).toBe(kind);
    await store.close();
  });

  test('a link in place of a result is refused', async () => {
    const store = await openStore(dir);
    await symlink('/etc/hostname', join(dir, 'link'));
    await expect(store.publish([newItem('a', { file: join(dir, 'link') })])).rejects.toMatchObject({
      code: 'blob_missing',
    });
    await store.close();
  });

  for (const name of ['blobs', 'tmp', 'quarantine', '.']) {
    test(`[AS-11] a link in place of ${name} is refused, and its target is unchanged`, async () => {
      const precious = join(dir, 'precious');
      await mkdir(join(precious, 'folder'), { recursive: true });
      await writeFile(join(precious, 'file'), 'mine');
      const store = join(dir, 'store');
      if (name === '.') await symlink(precious, store);
      else {
        await mkdir(store);
        await symlink(precious, join(store, name));
      }
      await expect(openStore(store)).rejects.toMatchObject({
        code: 'unreadable',
        message: expect.stringMatching(/is a link/),
      });
      expect((await readdir(precious)).toSorted()).toEqual(['file', 'folder']);
    });
  }

  test('[AS-11] a row whose digest names a file outside is ignored, and that file remains', async () => {
    const store = await openStore(dir);
    const [row] = await store.publish([newItem('a', 'x'), newItem('b', 'y')]);
    await store.close();
    const precious = join(dir, 'precious');
    await writeFile(precious, 'mine');
    const database = new Sqlite(join(dir, 'artifacts.sqlite'));
    database.prepare("UPDATE artifact_versions SET content_sha256 = '../precious' WHERE id = 'a'").run();
    database.prepare("UPDATE artifact_versions SET transform_spec = '{{' WHERE id = 'b'").run();
    database.close();
    const again = await openStore(dir);
    expect(again.current('').map(({ id, params }) => [id, params])).toEqual([['b', {}]]);
    expect(again.rowByUri(artifactUri('a', 1))).toBeNull();
    if (row === undefined) throw new Error('published');
    await expect(again.readable({ ...row, contentSha256: '../precious' })).rejects.toMatchObject({
      code: 'invalid',
    });
    expect(await readdir(dir)).toContain('precious');
    await again.close();
  });

  test('[AS-12] while another program writes for a long time, only publishing waits', async () => {
    const store = await openStore(dir);
    await store.publish([newItem('a', 'x')]);
    const other = new Sqlite(join(dir, 'artifacts.sqlite'));
    other.exec('BEGIN IMMEDIATE');
    let turns = 0;
    const clock = setInterval(() => (turns += 1), 10);
    const publishing = store.publish([newItem('a', 'z')]);
    await expect.poll(() => turns).toBeGreaterThan(20);
    expect(store.current('').map(({ version }) => version)).toEqual([1]);
    other.exec('COMMIT');
    other.close();
    expect(await publishing).toMatchObject([{ version: 2 }]);
    clearInterval(clock);
    await store.close();
  });

  test('[AS-7] a store of a newer program is refused with a message, and not changed', async () => {
    await (await openStore(dir)).close();
    const database = new Sqlite(join(dir, 'artifacts.sqlite'));
    database.prepare('INSERT INTO schema_version VALUES (11, 0)').run();
    database.close();
    await expect(openStore(dir)).rejects.toMatchObject({
      code: 'newer_schema',
      message: expect.stringContaining('were written by a newer version of Cellar (store version'),
    });
  });

  const damages: readonly (readonly [what: string, bytes: (before: Buffer) => Buffer])[] = [
    ['no database', () => Buffer.from('not a database, but long enough to look like a file'.repeat(50))],
    [
      'overwritten behind its head',
      (before) => Buffer.concat([before.subarray(0, 4096), Buffer.alloc(before.length - 4096, 0xaa)]),
    ],
    ['cut short', (before) => before.subarray(0, 5000)],
  ];
  for (const [what, bytes] of damages) {
    test(`[AS-7] rows in a file that is ${what} are set aside and reported, and a new store is created`, async () => {
      const path = join(dir, 'artifacts.sqlite');
      const first = await openStore(dir);
      await first.publish([newItem('a', 'x')]);
      await first.close();
      const damaged = bytes(await readFile(path));
      await writeFile(path, damaged);
      const store = await openStore(dir);
      const aside = (await readdir(dir)).find((name) => name.includes('.damaged-')) ?? '';
      expect(store.notice).toContain(aside);
      expect(await readFile(join(dir, aside))).toEqual(damaged);
      expect(store.current('')).toEqual([]);
      expect(await store.publish([newItem('a', 'x')])).toMatchObject([{ version: 1 }]);
      await store.close();
    });
  }

  test('a place that cannot be written is refused and named', async () => {
    await writeFile(join(dir, 'file'), '');
    await expect(openStore(join(dir, 'file'))).rejects.toMatchObject({
      code: 'unreadable',
      message: expect.stringContaining(join(dir, 'file')),
    });
  });

  for (const entry of ['artifacts.sqlite', 'blobs', 'tmp', '.']) {
    test(`[AS-13] after ${entry} was removed under an open store, the next publication is stored`, async () => {
      const at = join(dir, 'store');
      const store = await openStore(at);
      await store.publish([newItem('a', 'x')]);
      await rm(join(at, entry), { recursive: true });
      const [row] = await store.publish([newItem('b', 'y')]);
      if (row === undefined) throw new Error('published');
      expect((await store.readable(row)).kind).toBe('ok');
      await store.close();
      const again = await openStore(at);
      expect(again.rowByUri(artifactUri('b', row.version))).toEqual(row);
      expect((await again.readable(row)).kind).toBe('ok');
      await again.close();
    });
  }

  test('[AS-10] on a file system without a safe log another journal is used and reported', async () => {
    const store = await openStore(dir, { statfsType: async () => 0x6969 });
    await store.publish([newItem('a', 'x')]);
    expect(store.notice).toMatch(/NFS.*safer journal/);
    expect((await readdir(dir)).filter((name) => name.endsWith('-wal'))).toEqual([]);
    await store.close();
  });
});

const unsafe: readonly [string, number, boolean][] = [
  ['/home/a/notebook', 0xef53, false],
  ['/mnt/share', 0x6969, true],
  ['/mnt/share', 0xff534d42 | 0, true],
  ['/home/a/Dropbox/notebook', 0xef53, true],
  ['C:\\Users\\a\\OneDrive - Work\\nb', 0xef53, true],
  ['\\\\server\\share', 0xef53, true],
  ['/home/a/my-dropbox-notes', 0xef53, false],
];
test.each(unsafe)('[AS-10] a log in %s on 0x%s: unsafe = %s', async (path, type, expected) => {
  expect((await walUnsafeBecause(path, async () => type)) !== null).toBe(expected);
});

const uris: readonly [string, ReturnType<typeof parseArtifactUri>][] = [
  ['svc://artifact/nb_1_cell_a_var_x@v=3', { id: 'nb_1_cell_a_var_x', version: 3 }],
  ['svc://artifact/a@v=1@v=2', { id: 'a@v=1', version: 2 }],
  ['svc://artifact/a@import=12345678@v=12', { id: 'a@import=12345678', version: 12 }],
  ['svc://artifact/a', null],
  ['svc://artifact/@v=1', null],
  ['svc://artifact/a@v=0', null],
  ['svc://artifact/a@v=1x', null],
  ['svc://artifact/a@v=', null],
  ['svc://name/a@v=1', null],
];
test.each(uris)('[AS-4] %s is read', (uri, expected) => {
  expect(parseArtifactUri(uri)).toEqual(expected);
  if (expected !== null) expect(artifactUri(expected.id, expected.version)).toBe(uri);
});
