/** Tests opening folders and files that the server's user has no permission to read or write, on a real server. */

import { chmod, chown, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeNotebook } from '../support/notebookFolder.ts';
import { rest } from '../support/rest.ts';
import { ordinaryUser, type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'cellar-permissions-')));
  await chmod(root, 0o755);
  server = await startServerProcess({ grants: [root], ordinaryUser: true });
});
afterAll(async () => {
  await server.dispose();
  for (const name of await readdir(root)) await chmod(join(root, name), 0o755);
  await rm(root, { recursive: true, force: true });
});

const MINE = /no permission to read it. Change its permissions/;

/** The path closed to the server's user with its mode, the path that is opened, and the message. */
const ROWS: readonly {
  readonly name: string;
  readonly closed: readonly [path: string, mode: number];
  readonly open: string;
  readonly status: number;
  readonly says: RegExp;
}[] = [
  { name: 'a folder without any permission', closed: ['.', 0o000], open: '.', status: 403, says: MINE },
  {
    name: 'a folder that can be listed but not entered',
    closed: ['.', 0o644],
    open: '.',
    status: 403,
    says: MINE,
  },
  {
    name: 'an unreadable notebook.toml',
    closed: ['notebook.toml', 0o000],
    open: '.',
    status: 403,
    says: /notebook\.toml cannot be opened: .*no permission/,
  },
  {
    name: 'a notebook below an inaccessible folder',
    closed: ['.', 0o000],
    open: 'deep/er',
    status: 403,
    says: MINE,
  },
  {
    name: 'a read-only folder, which opens read-only',
    closed: ['.', 0o555],
    open: '.',
    status: 200,
    says: /^The folder .*n4 is not writable, so this notebook is read-only.*copy the folder/,
  },
  {
    name: 'an unreadable cell, whose notebook opens',
    closed: ['cells/b.py', 0o000],
    open: '.',
    status: 200,
    says: /permission|read/,
  },
];

describe('folders of another user', () => {
  for (const [at, { name, closed, open, status, says }] of ROWS.entries()) {
    it(`[RE-22] ${name}: ${status} with a message`, async () => {
      const dir = await writeNotebook(join(root, `n${at}`), {
        cells: [
          { id: 'a', source: 'x = 1' },
          { id: 'b', source: 'y = 2' },
        ],
      });
      for (const path of ['.', 'cells', 'notebook.toml', 'pyproject.toml']) {
        if (ordinaryUser !== null) await chown(join(dir, path), ordinaryUser.uid, ordinaryUser.gid);
      }
      await chmod(join(dir, closed[0]), closed[1]);
      if (ordinaryUser !== null) await chown(join(dir, closed[0]), ordinaryUser.uid, ordinaryUser.gid);
      const path = join(dir, open);
      const answer = await rest<{
        detail?: string;
        folder_problem?: string;
        cells?: { id: string; file_problem?: string }[];
      }>(server.url, 'POST', '/v1/notebooks/open', { path });
      const { detail, folder_problem } = answer.body;
      const words =
        detail ?? folder_problem ?? answer.body.cells?.map((cell) => cell.file_problem).join() ?? '';
      expect([answer.status, words]).toEqual([status, expect.stringMatching(says)]);
    });
  }

  it('[RE-22] paths outside the roots get the same answer as missing ones', async () => {
    const answers = await Promise.all(
      ['/etc/ssl/private/secret', '/nowhere/secret'].map(async (path) => {
        const { status, body } = await rest<{ detail: string }>(server.url, 'POST', '/v1/notebooks/open', {
          path,
        });
        return [status, body.detail.replace(path, 'it')];
      }),
    );
    expect(answers).toEqual([
      [400, expect.stringContaining('it is outside the notebook folder')],
      [400, expect.stringContaining('it is outside the notebook folder')],
    ]);
  });
});
