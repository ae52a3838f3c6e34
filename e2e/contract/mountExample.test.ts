/** Tests the example of mounts, with `svc run` and on a real server: hits, writers, and a changed file. */

import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cell } from '../../src-shared/wire/cell.ts';
import { longTest } from '../support/longRun.ts';
import { openNotebook } from '../support/openNotebook.ts';
import { rest } from '../support/rest.ts';
import { PROJECT_ROOT, type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

const run = promisify(execFile);

let root = '';
let dir = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-example-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function copyOf(name: string): Promise<string> {
  const to = join(root, name);
  await cp(join(PROJECT_ROOT, 'examples/kept-in-step'), to, {
    recursive: true,
    filter: (path) => !/[/\\](\.svc|\.venv|made)$/.test(path),
  });
  return to;
}

/** Runs all cells with `svc run`; returns for each cell whether it was a cache hit. */
async function headless(): Promise<Readonly<Record<string, boolean>>> {
  const program = join(PROJECT_ROOT, 'dist/svc.mjs');
  const { stdout } = await run(process.execPath, [program, 'run', dir, '--format', 'json'], { cwd: root });
  const report = JSON.parse(stdout) as { cells: { id: string; status: string; cache_hit?: boolean }[] };
  expect(report.cells.map(({ status }) => status)).not.toContain('error');
  return Object.fromEntries(report.cells.map(({ id, cache_hit }) => [id, cache_hit === true]));
}

describe('the example of mounts', () => {
  it('[MT-18] with `svc run`: in the second run all cells but writers are hits, and a changed file runs its readers', async () => {
    dir = await copyOf('headless');
    const first = await headless();
    expect(first).toMatchObject({ read: false, months: false, most: false, report: false });
    expect(await readFile(join(dir, 'made/months.csv'), 'utf8')).toMatch(/^month,visitors\n2026-01,\d+\n/);
    expect(await headless()).toMatchObject({ read: true, months: true, most: true, report: false });
    const csv = join(dir, 'data/visits.csv');
    const text = await readFile(csv, 'utf8');
    await writeFile(csv, `${text}2026-07-01,9000\n`);
    expect(await headless()).toMatchObject({ read: false, months: false, most: false, report: false });
    expect(await readFile(join(dir, 'made/months.csv'), 'utf8')).toContain('2026-07,9000\n');
  });

  longTest('e2e/contract/mounts.test.ts')(
    '[MT-18] on a server: the same, and statuses reflect the changed file before anything runs',
    async () => {
      const path = await copyOf('served');
      const server: ServerProcess = await startServerProcess({ grants: [root] });
      try {
        const open = await openNotebook(server, path);
        const statuses = async () => {
          const { body } = await rest<{ cells: Cell[] }>(
            server.url,
            'GET',
            `/v1/notebooks/${open.sid}/cells`,
          );
          return Object.fromEntries(body.cells.map(({ id, status }) => [id, status]));
        };
        for (const id of ['most', 'report']) await open.execute(id);
        expect(await statuses()).toMatchObject({
          read: 'ready',
          months: 'ready',
          most: 'ready',
          report: 'ready',
        });
        expect((await open.execute('most')).cache_hit).toBe(true);
        const csv = join(path, 'data/visits.csv');
        const text = await readFile(csv, 'utf8');
        await writeFile(csv, text.replace('2026-01-01,', '2026-01-01,9'));
        await expect.poll(statuses).toMatchObject({ read: 'idle', months: 'stale', most: 'stale' });
        expect((await open.execute('most')).stdout).toMatch(/^2026-01-01 with 9\d+ visitors\n$/);
        await open.close();
      } finally {
        await server.dispose();
      }
    },
  );
});
