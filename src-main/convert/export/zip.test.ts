/** The zip and snapshot exports: which files and results they contain, and that snapshots contain no secrets. */

import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ArtifactRow, ArtifactStore } from '../../artifacts/artifact.ts';
import { openMemoryStore } from '../../artifacts/testing/memoryStore.ts';
import { createRedactor } from '../../lib/redactor.ts';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { display, exportedCell, exportView } from '../testing/views.ts';
import { allOf, unzipped } from '../testing/zips.ts';
import { type SnapshotChoice, snapshotExport } from './snapshotExport.ts';
import { zipExport } from './zipExport.ts';

let dir = notebookFolder('');
let store: ArtifactStore;
let loopRow: ArtifactRow;
let plainRow: ArtifactRow;
const SECRET = 'sk-very-secret-1';
beforeAll(async () => {
  dir = notebookFolder(await mkdtemp(join(tmpdir(), 'cellar-zip-')));
  store = await openMemoryStore();
  const files: Readonly<Record<string, string>> = {
    'notebook.toml': `notebook_id = "n1"\n[ai]\napi_key = "${SECRET}"\n`,
    'pyproject.toml': '[project]\n',
    'uv.lock': 'lock',
    '.gitignore': '.svc/\n',
    'README.md': 'read me',
    'data.csv': 'a,b',
    'cells/a1.py': 'x = 1',
    'cells/a1.test.py': 'def test(): pass',
    'cells/__pycache__/a1.pyc': 'no',
    '.svc/runtime.json': '{}',
    '.svc/fetch/index.json': JSON.stringify({
      'https://example.org/z.csv': { sha256: 'f'.repeat(64), filename: 'z.csv', etag: null },
      'https://example.org/other': { sha256: 'e'.repeat(64), filename: '../../../etc/passwd' },
    }),
    [`.svc/fetch/${'f'.repeat(64)}/z.csv`]: 'fetched',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
  await symlink('/etc/hostname', join(dir, 'cells/link.py'));
  plainRow = await keep('a1', 'x', '1');
  await keep('l1', 's@iter=0', '2');
  await keep('l1', 's@iter=1', '3');
  loopRow = await keep('l1', 's', '3');
});
afterAll(async () => {
  await store.close();
  await rm(dir, { recursive: true, force: true });
});

async function keep(cell: string, label: string, text: string): Promise<ArtifactRow> {
  const [row] = await store.publish([
    {
      id: `nb_n1_cell_${cell}_var_${label}`,
      provenanceHash: `p-${label}`,
      contentKey: null,
      contentType: 'json/object',
      params: { source: 'x = 1' },
      inputVersions: {},
      rowCount: null,
      schemaJson: null,
      blob: { bytes: Buffer.from(text) },
    },
  ]);
  if (row === undefined) throw new Error('nothing was kept');
  return row;
}

function view(redacted = false) {
  return exportView(dir, store, {
    redactor: createRedactor(redacted ? [SECRET] : []),
    cells: [
      exportedCell(
        {
          id: 'a1',
          defines: ['x'],
          console_stdout: `key ${SECRET}`,
          display_outputs: [display({ preview: SECRET })],
        },
        {
          stored: { x: [plainRow] },
          fetches: [{ name: 'z', url: 'https://example.org/z.csv', pin: null, refetch: 'stale' }],
        },
      ),
      exportedCell({ id: 'l1' }, { stored: { s: [loopRow] }, isLoop: true }),
    ],
  });
}

const COMMITTED = [
  '.gitignore',
  'cells/a1.py',
  'cells/a1.test.py',
  'notebook.toml',
  'provenance.json',
  'pyproject.toml',
  'uv.lock',
];

it('[TR-1] a zip contains the committed files and the provenance record', async () => {
  const members = await unzipped(await allOf(zipExport(view())));
  expect([...members.keys()].sort()).toEqual(COMMITTED);
  expect(members.get('cells/a1.py')?.toString()).toBe('x = 1');
  const provenance: unknown = JSON.parse(members.get('provenance.json')?.toString() ?? '');
  expect(provenance).toMatchObject({
    notebook_id: 'n1',
    lockfile_hash: 'lock',
    dag: { edges: [] },
    cells: {
      a1: {
        source_hash: 'source-hash',
        defines: ['x'],
        status: 'ready',
        outputs: [
          { name: 'x', artifact_id: plainRow.id, version: 1, content_sha256: plainRow.contentSha256 },
        ],
      },
    },
  });
});

const A1 = 'artifacts/nb_n1_cell_a1_var_x@v=1';
const L1 = ['s', 's@iter=0', 's@iter=1'].map((label) => `artifacts/nb_n1_cell_l1_var_${label}@v=1`);
const SHOWN = ['outputs/a1/0.json', 'outputs/a1/console.json'];
const FETCHED = ['fetch/index.json', `fetch/${'f'.repeat(64)}/z.csv`];

const CHOICES: readonly (readonly [name: string, choice: SnapshotChoice, carried: readonly string[]])[] = [
  ['all', { include: 'all', cells: new Set() }, [A1, ...L1, ...FETCHED]],
  ['one cell', { include: 'selected', cells: new Set(['a1']) }, [A1]],
  ['a loop with its iterations', { include: 'selected', cells: new Set(['l1']) }, L1],
  ['no cell', { include: 'selected', cells: new Set() }, []],
  ['none', { include: 'none', cells: new Set(['a1']) }, []],
];
it.each(CHOICES)('[TR-12] a snapshot of %s', async (_name, choice, carried) => {
  const members = await unzipped(await allOf(snapshotExport(view(), choice)));
  expect([...members.keys()].sort()).toEqual([...COMMITTED, 'artifacts.json', ...SHOWN, ...carried].sort());
  const manifest = JSON.parse(members.get('artifacts.json')?.toString() ?? '') as Record<string, never>;
  const refs = carried.filter((name) => name.startsWith('artifacts/')).map((name) => name.slice(10));
  expect(manifest).toMatchObject({ format_version: 2, notebook_id: 'n1', include: choice.include });
  expect([...(manifest['carried'] as unknown as string[])].sort()).toEqual([...refs].sort());
  expect(Object.keys(manifest['records'] ?? {}).sort()).toEqual([...refs].sort());
  expect(manifest['artifacts']).toMatchObject({
    a1: [{ variable: 'x', artifact_id: plainRow.id, version: 1, byte_size: 1 }],
    l1: [{ variable: 's' }],
  });
  expect(manifest['fetches']).toEqual([
    {
      cell_id: 'a1',
      name: 'z',
      url: 'https://example.org/z.csv',
      pinned: false,
      sha256: 'f'.repeat(64),
      refetch: 'stale',
    },
  ]);
});

it('[TR-13] a snapshot contains no secret, and leaves out a result that contains one', async () => {
  const secret = await keep('a1', 'k', JSON.stringify(SECRET));
  const [first, ...rest] = view(true).cells;
  if (first === undefined) throw new Error('no cell');
  const cells = [{ ...first, stored: { ...first.stored, k: [secret] } }, ...rest];
  const members = await unzipped(
    await allOf(snapshotExport({ ...view(true), cells }, { include: 'all', cells: new Set() })),
  );
  for (const [name, bytes] of members) expect(bytes.includes(SECRET), name).toBe(false);
  expect([...members.keys()]).not.toContain('artifacts/nb_n1_cell_a1_var_k@v=1');
  expect(members.get('notebook.toml')?.toString()).toContain('api_key = ""');
  expect([...members.keys()]).toContain(A1);
});

it('[TR-2] a reader that disconnects ends the export', async () => {
  await writeFile(join(dir, 'cells/big.py'), Buffer.alloc(8 * 1024 * 1024, 'x y z'));
  try {
    let byteCount = 0;
    for await (const piece of zipExport(view())) {
      byteCount += piece.byteLength;
      break;
    }
    expect(byteCount).toBeGreaterThan(0);
    expect(byteCount).toBeLessThan(1024 * 1024);
  } finally {
    await rm(join(dir, 'cells/big.py'));
  }
});
