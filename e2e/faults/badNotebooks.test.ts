/** Tests that a real server refuses broken, misplaced, huge or locked notebooks, or opens them with a message. */

import { mkdir, mkdtemp, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionStateBody } from '../../src-shared/wire/notebookState.ts';
import { writeNotebook } from '../support/notebookFolder.ts';
import { openNotebook } from '../support/openNotebook.ts';
import { openReady, rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-faults-'));
  server = await startServerProcess({ grants: [root] });
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

async function toml(name: string, text: string): Promise<string> {
  const dir = join(root, name);
  await mkdir(join(dir, 'cells'), { recursive: true });
  await writeFile(join(dir, 'notebook.toml'), text);
  await writeFile(join(dir, 'cells/a.py'), 'x = 1\n');
  return dir;
}

const REFUSED: readonly {
  readonly name: string;
  readonly make: () => Promise<string>;
  readonly status: number;
  readonly says: RegExp;
}[] = [
  { name: 'a missing folder', make: async () => join(root, 'nowhere'), status: 404, says: /no folder/ },
  {
    name: 'a folder that is no notebook',
    make: async () => {
      await mkdir(join(root, 'plain'), { recursive: true });
      return join(root, 'plain');
    },
    status: 400,
    says: /not a notebook.*notebook\.toml/,
  },
  { name: 'a path outside the roots', make: async () => '/etc', status: 400, says: /\S/ },
  { name: 'a path with `..`', make: async () => `${root}/../..`, status: 400, says: /\S/ },
  {
    name: 'broken TOML',
    make: () => toml('broken', 'notebook_id = "n"\nname = \n'),
    status: 400,
    says: /notebook\.toml:2: not valid TOML/,
  },
  {
    name: 'a notebook without notebook_id',
    make: () => toml('noid', 'name = "n"\n'),
    status: 400,
    says: /notebook_id/,
  },
  {
    name: 'two cells with one id',
    make: () =>
      toml(
        'twice',
        'notebook_id = "n"\n[[cells]]\nid = "a"\nfile = "cells/a.py"\n[[cells]]\nid = "a"\nfile = "cells/b.py"\n',
      ),
    status: 400,
    says: /a/,
  },
  {
    name: 'a cell id with `..`',
    make: () => toml('climb', 'notebook_id = "n"\n[[cells]]\nid = "../x"\nfile = "cells/../x.py"\n'),
    status: 400,
    says: /\.\.\/x/,
  },
  {
    name: 'an unknown language',
    make: () =>
      toml('cobol', 'notebook_id = "n"\n[[cells]]\nid = "a"\nfile = "cells/a.py"\nlanguage = "cobol"\n'),
    status: 400,
    says: /language must be one of/,
  },
];

const GOOD = 'notebook_id = "n"\n[[cells]]\nid = "a"\nfile = "cells/a.py"\n';

/** A folder in place of a file, and a file in place of a folder. */
const MISPLACED: readonly (readonly [path: string, kind: 'folder' | 'file'])[] = [
  ['notebook.toml', 'folder'],
  ['pyproject.toml', 'folder'],
  ['uv.lock', 'folder'],
  ['renv.lock', 'folder'],
  ['.svc', 'file'],
];

describe('notebooks that cannot be opened', () => {
  it.each(MISPLACED)(
    '[RE-20] a notebook whose %s is a %s is refused with a message and without an internal error',
    async (path, kind) => {
      const dir = await toml(`misplaced-${path}`, GOOD);
      await rm(join(dir, path), { recursive: true, force: true });
      if (kind === 'folder') await mkdir(join(dir, path));
      else await writeFile(join(dir, path), 'mine');
      const answer = await rest<{ detail: string }>(server.url, 'POST', '/v1/notebooks/open', { path: dir });
      expect(answer.status, JSON.stringify(answer.body)).toBe(path === 'notebook.toml' ? 400 : 409);
      expect(answer.body.detail).toContain(path);
      expect(answer.body.detail).toMatch(
        kind === 'folder'
          ? /not a plain file|has no notebook\.toml/
          : /a file where a folder belongs.*Move it away/,
      );
      expect(server.stderr()).not.toMatch(/"level":"(error|fatal)"/);
    },
  );

  for (const { name, make, status, says } of REFUSED) {
    it(`[RE-20] ${name}: ${status} with a message`, async () => {
      const path = await make();
      const answer = await rest<{ detail: string }>(server.url, 'POST', '/v1/notebooks/open', { path });
      expect(answer.status, JSON.stringify(answer.body)).toBe(status);
      expect(answer.body.detail).toMatch(says);
    });
  }
});

describe('notebooks that open although something is wrong', () => {
  it('[NF-20] with a file in place of the cells folder, each cell reports it', async () => {
    const dir = await toml('file-of-cells', GOOD);
    await rm(join(dir, 'cells'), { recursive: true, force: true });
    await writeFile(join(dir, 'cells'), 'mine');
    const state = await openReady(server.url, dir);
    expect(state.cells.map(({ file_problem }) => file_problem)).toEqual([
      'cells/a.py cannot be read: cells is a file, but must be a folder. Move the file away',
    ]);
  });

  it('[NF-20] with a missing cell file, that cell reports it and the others run', async () => {
    const dir = await writeNotebook(join(root, 'missing'), {
      cells: [
        { id: 'gone0001', source: 'x = 1' },
        { id: 'here0001', source: '1 + 1' },
      ],
    });
    await unlink(join(dir, 'cells/gone0001.py'));
    const notebook = await openNotebook(server, dir);
    expect((await notebook.cell('gone0001')).file_problem).toMatch(/missing/);
    expect((await notebook.execute('here0001')).display?.preview).toBe(2);
  });

  it('[NF-21] with a binary cell file, that cell reports it and the bytes are unchanged', async () => {
    const dir = await writeNotebook(join(root, 'binary'), { cells: [{ id: 'bin00001', source: '' }] });
    const bytes = Buffer.from([0, 255, 254, 7, 0]);
    await writeFile(join(dir, 'cells/bin00001.py'), bytes);
    const notebook = await openNotebook(server, dir);
    expect((await notebook.cell('bin00001')).file_problem).toBeTruthy();
    await notebook.close();
    expect(await readFile(join(dir, 'cells/bin00001.py'))).toEqual(bytes);
  });

  it('[GR-20] with a cycle of cells, the graph reports it and runs are refused', async () => {
    const notebook = await openNotebook(server, join(root, 'cycle'), [
      { id: 'one00001', source: '# @after two00001\nx = 1' },
      { id: 'two00001', source: 'y = x' },
    ]);
    expect(notebook.opened.dag.error).toMatch(/one00001|two00001/);
    const answer = await rest<{ detail: string }>(
      server.url,
      'POST',
      `/v1/notebooks/${notebook.sid}/cells/one00001/execute`,
    );
    expect(answer.status).toBe(409);
    expect(answer.body.detail).toMatch(/one00001|two00001/);
  });

  it('[RE-21] ten megabytes of source are refused, and the old source is unchanged', async () => {
    const notebook = await openNotebook(server, join(root, 'huge'), [{ id: 'huge0001', source: 'x = 1\n' }]);
    const answer = await rest(server.url, 'PUT', `/v1/notebooks/${notebook.sid}/cells/huge0001`, {
      source: 'x'.repeat(10_000_000),
    });
    expect([413, 422]).toContain(answer.status);
    expect((await notebook.cell('huge0001')).source.trim()).toBe('x = 1');
  });

  it('[NF-22] a second writer of one notebook is refused, and the holder is named', async () => {
    const notebook = await openNotebook(server, join(root, 'shared'), [{ id: 'a0000001', source: '1' }]);
    const other = await startServerProcess({ grants: [root] });
    const answer = await rest<{ detail: { code: string; message: string } }>(
      other.url,
      'POST',
      '/v1/notebooks/open',
      {
        path: notebook.path,
      },
    );
    expect(answer.status).toBe(409);
    expect(answer.body.detail.code).toBe('NOTEBOOK_IN_USE');
    expect(answer.body.detail.message).toContain(String(server.pid));
    await notebook.close();
    const again = await rest<SessionStateBody>(other.url, 'POST', '/v1/notebooks/open', {
      path: notebook.path,
    });
    expect(again.status).toBe(200);
    await other.dispose();
  });
});
