/**
 * Tests cells with mounted files and folders on a real server: paths, changes, missing files, and where mounts are
 * declared.
 */

import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Explanation, ListedMount } from '../../src-shared/wire/routes/extensions.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { plainServer } from '../support/plainServer.ts';
import { rest } from '../support/rest.ts';
import type { ServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  ({ root, server } = await plainServer('cellar-mounts-'));
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

const READER =
  '# @mount raw file://./data/trips.csv\nrows = raw.read_text().split()\nprint(type(raw).__name__)\n';

async function notebookOf(name: string): Promise<OpenNotebook> {
  const dir = join(root, name);
  await mkdir(join(dir, 'data'), { recursive: true });
  await writeFile(join(dir, 'data/trips.csv'), 'a b c');
  return openNotebook(server, dir, [
    { id: 'reader01', source: READER },
    { id: 'count001', source: 'print(len(rows))' },
  ]);
}

/** Waits until the session reports this status of a cell; asks for the status alone, which runs nothing. */
async function statusBecomes(open: OpenNotebook, cell: string, status: string): Promise<void> {
  await expect.poll(async () => (await open.cell(cell)).status).toBe(status);
}

const nested = (levels: number): unknown => JSON.parse(`${'{"k":'.repeat(levels)}1${'}'.repeat(levels)}`);

describe('a mounted file of the notebook', () => {
  it('[MT-5] [MT-9] is a path in the cell; a change makes the cell idle, and its old bytes are a hit again', async () => {
    const open = await notebookOf('relative');
    expect((await open.execute('count001')).stdout).toBe('3\n');
    expect((await open.cell('reader01')).console_stdout).toMatch(/^(Posix|Windows)Path\n$/);
    expect((await open.execute('count001')).cache_hit).toBe(true);
    await open.close();
    const again = await openNotebook(server, open.path);
    expect(again.opened.cells.map(({ status }) => status)).toEqual(['ready', 'ready']);
    expect((await again.execute('reader01')).cache_hit).toBe(true);

    await appendFile(join(open.path, 'data/trips.csv'), ' d');
    await statusBecomes(again, 'reader01', 'idle');
    expect((await again.cell('count001')).status).toBe('stale');
    const { body: why } = await again.get<Explanation>('/x/cells/reader01/explain');
    expect(why.headline).toBe('The data behind raw has changed. The code of this cell is unchanged.');
    expect(why.inputs.find(({ kind }) => kind === 'mount')).toMatchObject({ name: 'raw', state: 'changed' });
    expect((await again.execute('count001')).stdout).toBe('4\n');
    await again.close();
  });

  it('[MT-5] a run notices a change that was not noticed before', async () => {
    const open = await notebookOf('unseen');
    await open.execute('count001');
    await appendFile(join(open.path, 'data/trips.csv'), ' d e');
    expect((await open.execute('reader01')).cache_hit).toBe(false);
    expect((await open.execute('count001')).stdout).toBe('5\n');
    await open.close();
  });

  it('[MT-6] fails with a message if it is missing, and runs once it exists', async () => {
    const open = await notebookOf('missing');
    await rm(join(open.path, 'data'), { recursive: true });
    const failed = await open.execute('reader01');
    const path = join(open.path, 'data/trips.csv');
    expect(failed).toMatchObject({
      status: 'error',
      error: `The mount \`raw\` cannot be used. There is no ${path}.`,
    });
    await mkdir(join(open.path, 'data'));
    await writeFile(path, 'x');
    expect((await open.execute('count001')).stdout).toBe('1\n');
    await open.close();
  });

  it('[MT-6] fails its cell if its kind is unsupported, and the notebook still opens', async () => {
    const open = await openNotebook(server, join(root, 'ftp'), [
      { id: 'far00001', source: '# @mount far ftp://host/x\nx = far' },
      { id: 'near0001', source: 'print(1)' },
    ]);
    expect((await open.execute('far00001')).error).toBe(
      'The mount `far` cannot be used. "ftp://host/x" cannot be mounted: use file, s3, gs or az instead of ftp',
    );
    expect((await open.execute('near0001')).stdout).toBe('1\n');
    await open.close();
  });

  it('[MT-4] [MT-7] a writable folder is created, written at every run, and read by the next cell', async () => {
    const open = await openNotebook(server, join(root, 'writing'), [
      {
        id: 'writer01',
        source:
          '# @mount out file://./made/here rw\nn = len(list(out.iterdir()))\n(out / f"{n}.txt").write_text(str(n))\n',
      },
      {
        id: 'list0001',
        source:
          '# @mount out file://./made/here\n# @after writer01\nprint(sorted(p.name for p in out.iterdir()))',
      },
    ]);
    await open.execute('writer01');
    expect(await open.execute('writer01')).toMatchObject({ status: 'ready', cache_hit: false });
    expect(await readFile(join(open.path, 'made/here/1.txt'), 'utf8')).toBe('1');
    expect((await open.execute('list0001')).stdout).toBe("['0.txt', '1.txt']\n");
    await open.close();
    const again = await openNotebook(server, open.path);
    expect((await again.cell('writer01')).status).toBe('idle');
    await again.close();
  });

  it('[MT-17] the notebook’s mounts are set as a list, stored in its file, and listed with their state', async () => {
    const dir = join(root, 'settings');
    await mkdir(dir, { recursive: true });
    await writeFile(join(dir, 'here.txt'), 'here');
    const open = await openNotebook(server, dir, [
      { id: 'plain001', source: 'print(where.read_text(), constructor.name)' },
      { id: 'other001', source: '# @mount gone file://./gone\nprint(1)' },
    ]);
    const base = `/v1/notebooks/${open.sid}`;
    const where = { name: 'where', uri: 'file://./here.txt', mode: 'ro', pin: null, credential: null };
    const lake = { name: 'lake', uri: 's3://b/p', mode: 'rw', pin: '7', credential: 'lab' };
    const mounts = [
      { ...where, options: {} },
      { ...lake, options: { anon: true, client_kwargs: { region: 'x' } } },
    ];
    const set = await rest<{ mounts: unknown; cells: unknown[] }>(server.url, 'PUT', `${base}/mounts`, {
      mounts,
    });
    expect([set.status, set.body.mounts, set.body.cells.length]).toEqual([200, mounts, 2]);
    const toml = await readFile(join(dir, 'notebook.toml'), 'utf8');
    expect(toml).toContain('[[mounts]]\nname = "where"\nuri = "file://./here.txt"\n');
    const refused: readonly (readonly [mount: object, status: number, says: RegExp])[] = [
      [
        { name: 'web', uri: 'http://x' },
        400,
        /"http:\/\/x" cannot be mounted: use file, s3, gs or az instead of http\./,
      ],
      [{ name: 'none', uri: 's3:///p' }, 400, /has no bucket\./],
      [{ name: '__proto__', uri: 'file://./here.txt' }, 422, /cannot be called __proto__/],
      [{ name: 'deep', uri: 'file://./x', options: nested(120) }, 400, /more than 100 levels deep/],
    ];
    for (const [mount, status, says] of refused) {
      const answer = await rest(server.url, 'PUT', `${base}/mounts`, { mounts: [mount] });
      expect([answer.status, JSON.stringify(answer.body).replaceAll('\\"', '"')]).toEqual([
        status,
        expect.stringMatching(says),
      ]);
    }
    expect(await readFile(join(dir, 'notebook.toml'), 'utf8')).toBe(toml);
    const mount = { ...where, name: 'constructor' };
    await rest(server.url, 'PUT', `${base}/mounts`, { mounts: [mounts[0], mount] });
    expect((await open.execute('plain001')).stdout).toBe('here here.txt\n');
    await rest(server.url, 'PUT', `${base}/mounts`, { mounts: [mounts[0]] });
    await expect
      .poll(async () => {
        const { body } = await open.get<{ mounts: ListedMount[] }>('/x/mounts');
        return body.mounts.map(({ name, scope, state, files, cell_ids }) => ({
          name,
          scope,
          state,
          files,
          cell_ids,
        }));
      })
      .toEqual([
        { name: 'where', scope: 'notebook', state: 'ok', files: 1, cell_ids: [] },
        { name: 'gone', scope: 'cell', state: 'missing', files: null, cell_ids: ['other001'] },
      ]);
    await rest(server.url, 'PUT', `${base}/mounts`, { mounts: [] });
    expect(await readFile(join(dir, 'notebook.toml'), 'utf8')).not.toContain('mounts');
    expect((await open.cell('plain001')).status).toBe('idle');
    await open.close();
  });

  it('[MT-10] the nearest declaration of a name wins, and the notebook’s applies to every cell', async () => {
    const dir = join(root, 'nearest');
    await mkdir(dir, { recursive: true });
    for (const name of ['far', 'near', 'own']) await writeFile(join(dir, `${name}.txt`), name);
    const open = await openNotebook(server, dir, [
      { id: 'plain001', source: 'print(where.read_text())' },
      { id: 'block001', source: 'print(where.read_text())  # block' },
      { id: 'annot001', source: '# @mount where file://./own.txt\nprint(where.read_text())' },
    ]);
    await open.close();
    const toml = await readFile(join(dir, 'notebook.toml'), 'utf8');
    const mount = (kind: string, uri: string) => `[[${kind}]]\nname = "where"\nuri = "${uri}"\n`;
    const [head, first, second, third] = toml.split(/(?=\[\[cells\]\])/);
    await writeFile(
      join(dir, 'notebook.toml'),
      [head, mount('mounts', 'far.txt'), first, second, mount('cells.mounts', 'near.txt'), third].join('\n'),
    );
    const again = await openNotebook(server, dir);
    const printed = [];
    for (const id of ['plain001', 'block001', 'annot001']) printed.push((await again.execute(id)).stdout);
    expect(printed).toEqual(['far\n', 'near\n', 'own\n']);
    await again.close();
  });
});
