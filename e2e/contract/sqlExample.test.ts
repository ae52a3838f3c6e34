/**
 * Tests the example `sql-to-python` with `svc run`: the second run is all hits, and a changed value runs its readers.
 */

import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { IS_LONG } from '../support/longRun.ts';
import { PROJECT_ROOT } from '../support/serverProcess.ts';

const run = promisify(execFile);

let dir = '';
beforeAll(async () => {
  const root = await mkdtemp(join(tmpdir(), 'cellar-sql-example-'));
  dir = join(root, 'sql-to-python');
  await cp(join(PROJECT_ROOT, 'examples/sql-to-python'), dir, {
    recursive: true,
    filter: (path) => !/[/\\](\.svc|\.venv|notes\.db.*)$/.test(path),
  });
});
afterAll(() => rm(join(dir, '..'), { recursive: true, force: true }));

interface Report {
  readonly cells: readonly {
    id: string;
    status: string;
    cache_hit?: boolean;
    stdout?: string;
    error?: string;
  }[];
}

async function headless(): Promise<Report> {
  const program = join(PROJECT_ROOT, 'dist/svc.mjs');
  const { stdout } = await run(process.execPath, [program, 'run', dir, '--format', 'json'], {
    cwd: tmpdir(),
  });
  const report = JSON.parse(stdout) as Report;
  expect(report.cells.map(({ id, error }) => [id, error])).toEqual(
    report.cells.map(({ id }) => [id, undefined]),
  );
  return report;
}

function hits({ cells }: Report): Readonly<Record<string, boolean>> {
  return Object.fromEntries(cells.map(({ id, cache_hit }) => [id, cache_hit === true]));
}

it('[SQ-30] duckdb and sqlite to Python, headless: the second run is all hits, and a changed bound value runs its readers', async () => {
  const first = await headless();
  expect(hits(first)).toMatchObject({
    limits: false,
    heavy: false,
    fieldnotes: false,
    visits: false,
    together: false,
  });
  const printed = first.cells.find(({ id }) => id === 'together')?.stdout;
  expect(printed).toMatch(
    /^\d+ Adelie of [\d.]+ g on Biscoe\n\d+ Gentoo of [\d.]+ g on Biscoe\n2 visits by 7 people\n$/,
  );
  const all = { limits: true, heavy: true, fieldnotes: true, visits: true, together: true };
  // everyLanguage.test.ts has this, and the cells that a change leaves alone are hits below.
  if (IS_LONG) expect(hits(await headless())).toMatchObject(all);
  const limits = join(dir, 'cells/limits.py');
  await writeFile(limits, (await readFile(limits, 'utf8')).replace('4000', '5000'));
  expect(hits(await headless())).toMatchObject({
    limits: false,
    heavy: false,
    fieldnotes: true,
    visits: true,
  });
});
