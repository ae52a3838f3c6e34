import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from './store.ts';
import { newItem } from './testing/testItems.ts';
import { artifactUri } from './uri.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'recheck-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

interface Row {
  readonly id: string;
  readonly bytes: string;
  readonly provenance: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly from?: readonly string[];
}

/** The rows, oldest first, that answer under their own key after this program opened the store. */
async function answering(rows: readonly Row[]): Promise<readonly string[]> {
  const store = await openStore(dir);
  for (const { id, bytes, provenance, params = {}, from = [] } of rows) {
    await store.publish([
      {
        ...newItem(id, bytes),
        provenanceHash: provenance,
        contentKey: 'c',
        params,
        inputVersions: Object.fromEntries(from.map((ref) => [`svc://artifact/${ref}`, ref])),
      },
    ]);
  }
  await store.close();
  const database = new Sqlite(join(dir, 'artifacts.sqlite'));
  database.exec('DELETE FROM cellar_schema; INSERT INTO cellar_schema VALUES (1, 0)');
  database.close();
  const opened = await openStore(dir);
  const current = opened.current('').filter((row) => !row.provenanceHash.startsWith('recheck:'));
  expect(
    opened.current('').filter(({ contentKey, params }) => contentKey !== null && !('basis' in params)),
  ).toEqual([]);
  await opened.close();
  return current.map(({ id, version }) => artifactUri(id, version).slice('svc://artifact/'.length)).sort();
}

const a = (provenance: string, run: string): Row => ({ id: 'a', bytes: 'x', provenance, params: { run } });

describe('[SO-8] which results of an older program still answer', () => {
  const rows: readonly (readonly [what: string, rows: readonly Row[], answering: readonly string[]])[] = [
    ['one run answers', [a('p1', 'r1')], ['a@v=1']],
    [
      'the same run stored again under another provenance does not',
      [a('p1', 'r1'), a('p2', 'r1')],
      ['a@v=1'],
    ],
    ['another run of the same bytes does', [a('p1', 'r1'), a('p2', 'r2')], ['a@v=1', 'a@v=2']],
    ['a reverted edit does', [a('p1', 'r1'), a('p1', 'r1')], ['a@v=1', 'a@v=2']],
    [
      'nothing derived from a result that does not answer does, at any depth',
      [
        a('p1', 'r1'),
        a('p2', 'r1'),
        { id: 'b', bytes: 'y', provenance: 'q', params: { run: 'r3' }, from: ['a@v=2'] },
        { id: 'c', bytes: 'z', provenance: 's', params: { run: 'r4' }, from: ['b@v=1'] },
        { id: 'd', bytes: 'z', provenance: 't', params: { run: 'r5' }, from: ['a@v=1'] },
      ],
      ['a@v=1', 'd@v=1'],
    ],
    [
      'a result with a record of what its run read does',
      [
        { id: 'a', bytes: 'x', provenance: 'p1', params: { run: 'r1', basis: 'b' } },
        { id: 'a', bytes: 'x', provenance: 'p2', params: { run: 'r1', basis: 'b' } },
      ],
      ['a@v=1', 'a@v=2'],
    ],
  ];
  for (const [what, given, expected] of rows) {
    test(what, async () => {
      expect(await answering(given)).toEqual(expected);
      expect(await readdir(dir)).toContain('artifacts.sqlite.v1');
    });
  }
});
