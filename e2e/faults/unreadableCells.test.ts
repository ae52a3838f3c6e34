/**
 * Tests cells whose file is missing, binary, a folder or unreadable, on a real server and in `svc run`: the cell and
 * its readers fail, and the others run.
 */

import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectLive } from '../support/liveClient.ts';
import { longTest } from '../support/longRun.ts';
import { writeNotebook } from '../support/notebookFolder.ts';
import { openNotebook } from '../support/openNotebook.ts';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { type RunReport, svc } from '../support/svcCommand.ts';

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-unreadable-'));
  // World-writable, because the server runs as an ordinary user.
  await chmod(root, 0o777);
  server = await startServerProcess({ grants: [root] });
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

const CELLS = [
  { id: 'broken', source: 'x = 1\nprint("made x")' },
  { id: 'reader', source: 'print("x is", x)' },
  { id: 'other', source: 'print("on its own")' },
];

const replacePath = async (path: string, make: (path: string) => Promise<unknown>): Promise<void> => {
  await rm(path);
  await make(path);
};

/** What happens to the file of `broken`, and the message of the run. */
const KINDS: readonly {
  readonly name: string;
  readonly spoil: (path: string) => Promise<unknown>;
  readonly says: RegExp;
}[] = [
  {
    name: 'bytes that are not UTF-8',
    spoil: (path) => writeFile(path, Buffer.from("x = 'é'", 'latin1')),
    says: /broken\.py is not UTF-8 text/,
  },
  {
    name: 'UTF-16',
    spoil: (path) => writeFile(path, Buffer.from('\ufeffx = 1\n', 'utf16le')),
    says: /broken\.py is a binary file/,
  },
  {
    name: 'a NUL byte',
    spoil: (path) => writeFile(path, 'x = 1\0\n'),
    says: /broken\.py is a binary file/,
  },
  {
    name: 'a folder',
    spoil: (path) => replacePath(path, mkdir),
    says: /broken\.py is not a regular file/,
  },
  {
    name: 'a dangling link',
    spoil: (path) => replacePath(path, (at) => symlink('nowhere.py', at)),
    says: /broken\.py cannot be read|broken\.py is missing/,
  },
  { name: 'a missing file', spoil: (path) => rm(path), says: /broken\.py is missing/ },
];

describe('a cell whose file cannot be read', () => {
  for (const [index, { name, spoil, says }] of KINDS.entries()) {
    // UTF-16 has NUL bytes.
    const ofEachKind = name === 'UTF-16' ? longTest('e2e/faults/unreadableCells.test.ts') : it;
    ofEachKind(`[SO-211] [SO-212] while the notebook is open: ${name}`, async () => {
      const dir = join(root, `open${index}`);
      const path = join(dir, 'cells/broken.py');
      const notebook = await openNotebook(server, dir, CELLS);
      expect((await notebook.execute('reader')).stdout).toBe('x is 1\n');
      await spoil(path);
      const own = await notebook.execute('broken');
      expect([own.status, own.error, own.cache_hit]).toEqual(['error', expect.stringMatching(says), false]);
      const below = await notebook.execute('reader');
      expect([below.status, below.error]).toEqual(['error', expect.stringContaining('above it failed')]);
      expect((await notebook.execute('other')).stdout).toBe('on its own\n');
      expect((await notebook.cell('broken')).status).toBe('error');
      expect((await notebook.cell('reader')).status).not.toBe('ready');
      const live = await connectLive(server.url, notebook.sid);
      live.send('cell_execute', { cell_id: 'broken' });
      const failed = await live.next('cell_error', { where: ({ cell_id }) => cell_id === 'broken' });
      expect(failed.payload.error).toMatch(says);
      await live.close();

      await rm(path, { recursive: true, force: true });
      await writeFile(path, 'x = 7');
      expect((await notebook.execute('reader')).stdout).toBe('x is 7\n');
      const fixed = await notebook.cell('broken');
      expect([fixed.status, fixed.error ?? null, fixed.file_problem ?? null]).toEqual(['ready', null, null]);
      await notebook.close();
    });

    // `svc run` reads the folder like a server, which the test above has with every kind.
    const ofOneKind = index === 0 ? it : longTest('e2e/faults/unreadableCells.test.ts');
    ofOneKind(`[SO-211] before svc run, with results of an earlier run: ${name}`, async () => {
      const dir = await writeReadyNotebook(join(root, `run${index}`), { cells: CELLS });
      const first = await svc(['run', dir, '--format', 'json']);
      expect(first.code, first.stderr).toBe(0);
      await spoil(join(dir, 'cells/broken.py'));
      const result = await svc(['run', dir, '--format', 'json']);
      expect(result.code, result.stderr).toBe(1);
      const report: RunReport = JSON.parse(result.stdout);
      expect(report.success).toBe(false);
      const cells = Object.fromEntries(report.cells.map((cell) => [cell.id, cell]));
      expect(cells['broken']).toMatchObject({ status: 'error', error: expect.stringMatching(says) });
      expect(cells['reader']).toMatchObject({ status: 'skipped' });
      expect(cells['other']).toMatchObject({ status: 'ok' });
    });
  }

  it('[SO-211] a file that the server has no permission to read', async () => {
    const own = await startServerProcess({ grants: [root], ordinaryUser: true });
    try {
      const dir = await writeNotebook(join(root, 'forbidden'), { cells: CELLS });
      await chmod(dir, 0o777);
      const path = join(dir, 'cells/broken.py');
      const notebook = await openNotebook(own, dir);
      expect((await notebook.execute('reader')).stdout).toBe('x is 1\n');
      await chmod(path, 0);
      const failed = await notebook.execute('broken');
      expect([failed.status, failed.error]).toEqual([
        'error',
        expect.stringMatching(/broken\.py cannot be read \(EACCES\)/),
      ]);
      await chmod(path, 0o644);
      expect((await notebook.execute('reader')).stdout).toBe('x is 1\n');
      await notebook.close();
    } finally {
      await own.dispose();
    }
  });
});
