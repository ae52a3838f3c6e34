/** Tests exports and imports over REST on a real server: Jupyter notebooks, snapshots, and damaged files. */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unzipped, zipped } from '../../src-main/convert/testing/zips.ts';
import type { SessionStateBody } from '../../src-shared/wire/notebookState.ts';
import type { JupyterReport, SnapshotReport } from '../../src-shared/wire/routes/transfer.ts';
import { IS_LONG } from '../support/longRun.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { openReady, rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
let notebook: OpenNotebook;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-transfer-'));
  server = await startServerProcess({ grants: [root] });
  notebook = await openNotebook(server, join(root, 'sales'), [
    { id: 'a1', source: 'x = [1, 2]\nprint("made")' },
    { id: 'a2', source: 'len(x)' },
    { id: 'l1', source: '# @loop max_iter=2 carry=x\nx = x + [len(x)]\nx' },
  ]);
  await notebook.execute('a2');
  await notebook.execute('l1');
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

async function exported(query: string): Promise<{ readonly response: Response; readonly bytes: Buffer }> {
  const response = await fetch(`${server.url}/v1/notebooks/${notebook.sid}/export?${query}`);
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

describe('export', () => {
  it.each([
    ['fmt=zip', /filename="[^"]+\.zip"/, 'application/zip'],
    ['fmt=snapshot&include=all', /filename="[^"]+\.snapshot\.zip"/, 'application/zip'],
    ['fmt=markdown', /filename="sales\.md"/, 'text/markdown; charset=utf-8'],
    ['fmt=html', /filename="sales\.html"/, 'text/html; charset=utf-8'],
    ['fmt=html&app_view=true', /filename="sales-app\.html"/, 'text/html; charset=utf-8'],
    ['fmt=html&app_layout=true', /filename="sales-app\.html"/, 'text/html; charset=utf-8'],
  ])('[TR-10] %s is a download with its name', async (query, name, type) => {
    const { response, bytes } = await exported(query);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; /);
    expect(response.headers.get('content-disposition')).toMatch(name);
    expect(response.headers.get('content-type')).toBe(type);
    expect(bytes.length).toBeGreaterThan(100);
  });

  it.each([
    'fmt=pdf',
    'fmt=zip&app_layout=true',
    'fmt=snapshot&include=some',
    'fmt=snapshot&cells=a1,nobody',
  ])('[TR-11] %s is 400 with a message', async (query) => {
    const { response, bytes } = await exported(query);
    expect(response.status).toBe(400);
    expect(JSON.parse(bytes.toString('utf8'))).toEqual({
      detail: expect.stringMatching(/Allowed|No such cell|requires fmt=html/),
    });
  });

  it('[TR-12] a full snapshot contains the stored results, and a loop’s iterations', async () => {
    const { bytes } = await exported('fmt=snapshot&include=all');
    const names = [...(await unzipped(bytes)).keys()];
    expect(names).toEqual(
      expect.arrayContaining(['cells/a1.py', 'outputs/a1/console.json', 'outputs/a2/0.json']),
    );
    expect(names.filter((name) => /_cell_l1_var_x(@iter=\d)?@v=1$/.test(name))).toHaveLength(3);
  });
});

function formOf(
  bytes: Buffer | string,
  fileName: string,
  fields: Readonly<Record<string, string>> = {},
): FormData {
  const form = new FormData();
  const data = typeof bytes === 'string' ? bytes : new Uint8Array(bytes);
  form.set('file', new Blob([data]), fileName);
  for (const [key, value] of Object.entries({ parent_path: root, ...fields })) form.set(key, value);
  return form;
}

type Imported<R> = SessionStateBody & { readonly import_report: R; readonly detail?: unknown };

function importing<R>(route: 'import' | 'import-snapshot', form: FormData) {
  return rest<Imported<R>>(server.url, 'POST', `/v1/notebooks/${route}`, form);
}

/** Incomplete folders that an import left beside the notebooks; there should be none. */
async function leftovers(): Promise<readonly string[]> {
  return (await readdir(root)).filter((name) => name.startsWith('.svc-'));
}

describe('import of a Jupyter notebook', () => {
  it('[TR-20] [TR-21] [TR-22] makes a notebook and an import report', async () => {
    const text = JSON.stringify({
      nbformat: 4,
      cells: [
        { cell_type: 'markdown', source: '# Hi' },
        {
          cell_type: 'code',
          source: ['%matplotlib inline\n', '!pip install tiny-thing-nobody-has\n', 'x = 1'],
        },
        { cell_type: 'code', source: '%%bash\nls' },
      ],
    });
    const { status, body } = await importing<JupyterReport>('import', formOf(text, 'My Study.ipynb'));
    expect(status, JSON.stringify(body.detail)).toBe(200);
    expect(body).toMatchObject({
      name: 'My Study',
      path: join(root, 'my_study'),
      import_report: {
        markdown_cells: 1,
        code_cells: 2,
        captured_deps: ['tiny-thing-nobody-has'],
        dropped_shells: ['%%bash'],
        report_path: join(root, 'my_study/import_report.md'),
      },
    });
    expect(body.cells.map(({ language }) => language)).toEqual(['markdown', 'python', 'python']);
    expect(await readFile(join(root, 'my_study/pyproject.toml'), 'utf8')).toContain(
      '"tiny-thing-nobody-has"',
    );
    expect(await readFile(join(root, 'my_study/import_report.md'), 'utf8')).toBe(
      body.import_report.report_text,
    );
    const again = await importing('import', formOf(text, 'My Study.ipynb'));
    expect(again.status).toBe(409);
    expect(await leftovers()).toEqual([]);
  });

  it.each([
    ['an empty file', '', 'a.ipynb', {}, 400],
    ['invalid JSON', '{', 'a.ipynb', {}, 400],
    ['JSON that is no notebook', '{}', 'a.ipynb', {}, 400],
    ['a name with a slash', '{"cells":[]}', 'a.ipynb', { name: 'a/b' }, 400],
    ['a parent folder outside the roots', '{"cells":[]}', 'a.ipynb', { parent_path: '/etc' }, 400],
    ['more than 50 MB', Buffer.alloc(50 * 1024 * 1024 + 1, ' '), 'a.ipynb', {}, 413],
  ])(
    '[TR-23] %s is refused with a message, and leaves no files',
    async (_name, bytes, fileName, fields, status) => {
      const answer = await importing('import', formOf(bytes, fileName, fields));
      expect(answer.status).toBe(status);
      expect(answer.body.detail).toEqual(expect.any(String));
      expect(await leftovers()).toEqual([]);
    },
  );

  it('[TR-23] a form without a file, and a body that is no form, are 422', async () => {
    const form = new FormData();
    form.set('name', 'x');
    expect((await importing('import', form)).status).toBe(422);
    expect((await rest(server.url, 'POST', '/v1/notebooks/import', {})).status).toBe(422);
  });
});

describe('import of a snapshot', () => {
  it('[TR-24] [TR-25] makes the same notebook with a new id: every cell is a hit, every address has the new id', async () => {
    const { bytes } = await exported('fmt=snapshot&include=all');
    const { status, body } = await importing<SnapshotReport>(
      'import-snapshot',
      formOf(bytes, 'Again.snapshot.zip'),
    );
    expect(status, JSON.stringify(body.detail)).toBe(200);
    expect(body.import_report).toMatchObject({
      replaced_notebook_id: notebook.opened.id,
      by_reference_cells: [],
    });
    expect(body.import_report.imported_artifacts).toBeGreaterThan(4);
    expect(body.id).not.toBe(notebook.opened.id);
    const ready = await openReady(server.url, body.path);
    expect(ready.cells.map(({ id, status: is }) => [id, is])).toEqual([
      ['a1', 'ready'],
      ['a2', 'ready'],
      ['l1', 'ready'],
    ]);
    expect(JSON.stringify(ready.cells)).not.toContain(notebook.opened.id);
    expect(ready.cells[0]?.console_stdout).toBe('made\n');
    const path = `/v1/notebooks/${ready.session_id}/cells/a2/execute`;
    const run = await rest<{ cache_hit: boolean }>(server.url, 'POST', path);
    expect(run.body.cache_hit).toBe(true);
    const again = await importing('import-snapshot', formOf(bytes, 'Again.snapshot.zip'));
    expect(again.status).toBe(409);
  });

  it('[TR-12] [TR-24] earlier results are imported as earlier ones, also those of the session that exported', async () => {
    const source = await openNotebook(server, join(root, 'often'), [
      { id: 'b1', source: 'y = 0' },
      { id: 'b2', source: 'y + 1' },
    ]);
    for (const value of [1, 2, 1, 3]) {
      await source.edit('b1', `y = ${value}`);
      await source.execute('b2');
    }
    const response = await fetch(`${server.url}/v1/notebooks/${source.sid}/export?fmt=snapshot&include=all`);
    const bytes = Buffer.from(await response.arrayBuffer());
    const imported = await rest<SessionStateBody>(
      server.url,
      'POST',
      '/v1/notebooks/import-snapshot',
      formOf(bytes, 'Often.snapshot.zip', { parent_path: root, name: 'Often again' }),
    );
    expect(imported.body).toMatchObject({ name: 'Often again' });
    const again = await openNotebook(server, imported.body.path);
    expect(await again.execute('b2')).toMatchObject({ cache_hit: true });
    await again.close();
    await source.close();
  });

  it('[TR-26] cells whose results were not exported are named and run again', async () => {
    const { bytes } = await exported('fmt=snapshot&cells=a1');
    const { body } = await importing<SnapshotReport>('import-snapshot', formOf(bytes, 'Part.zip'));
    expect(body.import_report.by_reference_cells).toEqual(['a2', 'l1']);
    const ready = await openReady(server.url, body.path);
    expect(ready.cells[0]?.status).toBe('ready');
    expect(ready.cells[1]?.status).not.toBe('ready');
  });

  const DAMAGED: readonly (readonly [string, (members: Map<string, Buffer>) => void, RegExp])[] = [
    ['a snapshot without a manifest', (members) => members.delete('artifacts.json'), /not a snapshot/],
    ['a snapshot without notebook.toml', (members) => members.delete('notebook.toml'), /not a snapshot/],
    ['a missing cell file', (members) => members.delete('cells/a1.py'), /cells\/a1\.py/],
    [
      'an older format version',
      (members) => rewrite(members, (manifest) => ({ ...manifest, format_version: 1 })),
      /export it again/,
    ],
    [
      'a newer format version',
      (members) => rewrite(members, (manifest) => ({ ...manifest, format_version: 3 })),
      /newer version/,
    ],
    [
      'a missing record',
      (members) => rewrite(members, (manifest) => ({ ...manifest, records: {} })),
      /missing/,
    ],
    [
      'an artifact with other bytes',
      (members) => members.set(first(members), Buffer.from('x')),
      /do not have the recorded size|not those/,
    ],
    ['an artifact without bytes', (members) => members.delete(first(members)), /missing/],
    ['a file of 17 MiB', (members) => members.set('cells/a1.py', Buffer.alloc(17 * 1024 * 1024)), /16 MiB/],
  ];
  it.each(DAMAGED)('[TR-27] %s is 400 with a message, and leaves no files', async (_name, damage, words) => {
    const members = new Map(await unzipped((await exported('fmt=snapshot&include=all')).bytes));
    damage(members);
    const answer = await importing('import-snapshot', formOf(await zipped(members), 'Damaged.zip'));
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toMatch(words);
    expect(await leftovers()).toEqual([]);
    expect(await readdir(root)).not.toContain('damaged');
  });

  it('[TR-27] a truncated or changed file never leaves a partial notebook', async () => {
    const { bytes } = await exported('fmt=snapshot&include=all');
    const places = IS_LONG ? 24 : 8;
    for (let at = 0; at < places; at += 1) {
      const damaged = Buffer.from(bytes);
      const place = Math.floor((bytes.length * (at + 1)) / (places + 1));
      if (at % 2 === 0) damaged[place] = (damaged[place] ?? 0) ^ 0xff;
      const input = at % 2 === 0 ? damaged : damaged.subarray(0, place);
      const answer = await importing('import-snapshot', formOf(input, `Cut ${at}.zip`));
      expect([200, 400]).toContain(answer.status);
      if (answer.status === 400) expect(await readdir(root)).not.toContain(`cut_${at}`);
      expect(await leftovers()).toEqual([]);
    }
  });
});

function first(members: ReadonlyMap<string, Buffer>): string {
  return [...members.keys()].find((name) => name.startsWith('artifacts/')) ?? '';
}

function rewrite(members: Map<string, Buffer>, change: (manifest: object) => object): void {
  const manifest: object = JSON.parse(members.get('artifacts.json')?.toString('utf8') ?? '{}');
  members.set('artifacts.json', Buffer.from(JSON.stringify(change(manifest))));
}
