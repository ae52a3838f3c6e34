/**
 * Tests R cells beside Python cells on the built server: the graph, edits, values, reopening, and error messages. Uses
 * Debian's R, which `npm test` installs.
 */

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cell } from '../../src-shared/wire/cell.ts';
import { longTest } from '../support/longRun.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { plainServer } from '../support/plainServer.ts';
import { PROJECT_ROOT, type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { svc } from '../support/svcCommand.ts';

const NO_R = 'this machine has no Rscript (Debian: apt-get install r-base-core)';
const hasR = (() => {
  try {
    execFileSync('Rscript', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  ({ root, server } = await plainServer('cellar-r-'));
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

const CELLS = [
  { id: 'numbers', source: 'numbers = [1.0, 2.0, 3.0, None]' },
  {
    id: 'means',
    language: 'r',
    source: 'mean_value <- mean(numbers, na.rm = TRUE)\ntwice <- mean_value * 2',
  },
  { id: 'told', source: 'print(mean_value)' },
] as const;

const edgesOf = async (open: OpenNotebook) => {
  const { body } = await open.get<{ cells: Cell[] }>('/cells');
  return Object.fromEntries(body.cells.map(({ id, upstream_ids }) => [id, upstream_ids]));
};

describe('a notebook of Python and R', () => {
  it('[RC-13] has one graph, which an edit of an R cell updates before the next run', async ({ skip }) => {
    if (!hasR) return skip(NO_R);
    const open = await openNotebook(server, join(root, 'mixed'), CELLS);
    expect(await edgesOf(open)).toEqual({ numbers: [], means: ['numbers'], told: ['means'] });
    expect(await open.execute('told')).toMatchObject({ status: 'ready', stdout: '2.0\n' });
    expect((await open.cell('means')).status).toBe('ready');
    await open.edit('means', 'other <- numbers[1]\nmean_value <- 40 + 2');
    expect(await open.execute('told')).toMatchObject({ stdout: '42.0\n', cache_hit: false });
    await open.edit('means', 'mean_value <- 7');
    expect(await edgesOf(open)).toMatchObject({ means: [], told: ['means'] });
    await open.edit('means', CELLS[1].source);
    expect(await open.execute('told')).toMatchObject({ stdout: '2.0\n', cache_hit: true });
    expect(open.opened.r_environment).toMatchObject({ packages_status: 'absent' });
    expect(open.opened.r_environment.system_r_version).toMatch(/^\d+\.\d+/);
    await open.close();
  });

  it('[EX-48] does not store unread values with an environment, whose size is unknown', async ({ skip }) => {
    if (!hasR) return skip(NO_R);
    const source = [
      'room <- new.env()',
      'counter <- local({ n <- 0; function() n })',
      'inner <- structure(list(a = list(room)), class = "Thing")',
      'lists <- list(counter)',
      'deep <- Reduce(function(below, i) list(below), 1:20000, 1)',
      'formula <- dist ~ speed',
      'fit <- lm(formula, cars)',
      'days <- as.POSIXlt("2026-01-01", tz = "UTC")',
      'many <- as.list(1:110000)',
      'nothing <- list(NULL, a = NULL)',
      'holes <- alist(x = , y = 2)',
    ].join('\n');
    const cells = [{ id: 'rooms', language: 'r', source }] as const;
    const open = await openNotebook(server, join(root, 'rooms'), cells);
    expect(await open.execute('rooms')).toMatchObject({ status: 'ready' });
    const unread = Object.keys((await open.cell('rooms')).unread_uris ?? {});
    expect(unread.sort()).toEqual(['days', 'fit', 'formula', 'holes', 'many', 'nothing']);
    await open.close();
  });

  it('[RC-13] is ready after reopening, and an R file that another program changed is parsed again', async ({
    skip,
  }) => {
    if (!hasR) return skip(NO_R);
    const dir = join(root, 'again');
    const first = await openNotebook(server, dir, CELLS);
    await first.execute('told');
    await first.close();
    const open = await openNotebook(server, dir);
    expect(open.opened.cells.map(({ status }) => status)).toEqual(['ready', 'ready', 'ready']);
    await writeFile(join(dir, 'cells/means.r'), 'mean_value <- 5');
    await expect.poll(() => edgesOf(open)).toMatchObject({ means: [] });
    expect(await open.execute('told')).toMatchObject({ stdout: '5.0\n' });
    await open.close();
  });

  it('[RC-3] suggests a missing package as an R package', async ({ skip }) => {
    if (!hasR) return skip(NO_R);
    const cells = [{ id: 'load', language: 'r', source: 'library(notthere)' }] as const;
    const open = await openNotebook(server, join(root, 'package'), cells);
    expect(await open.execute('load')).toMatchObject({
      status: 'error',
      suggest_install: 'notthere',
      suggest_install_language: 'r',
    });
    await open.close();
  });

  it('[RC-2] reports that a function of an R cell cannot be read by a later cell', async ({ skip }) => {
    if (!hasR) return skip(NO_R);
    const cells = [
      { id: 'makes', language: 'r', source: 'add <- function(a) a + 1' },
      { id: 'reads', language: 'r', source: 'sapply(1:2, add)' },
    ] as const;
    const open = await openNotebook(server, join(root, 'function'), cells);
    const { error } = await open.execute('makes');
    expect(error).toContain('a function of an R cell stays in its cell');
    await open.close();
  });

  it('[RC-7] R-only values pass from R to R, and fail a Python cell with an error code', async ({ skip }) => {
    if (!hasR) return skip(NO_R);
    const cells = [
      { id: 'fits', language: 'r', source: 'fit <- lm(dist ~ speed, cars)' },
      { id: 'uses', language: 'r', source: 'slope <- round(coef(fit)[["speed"]], 2)\nslope' },
      { id: 'fails', source: 'fit' },
    ] as const;
    const open = await openNotebook(server, join(root, 'only'), cells);
    expect(await open.execute('uses')).toMatchObject({ stdout: '[1] 3.93\n' });
    const failed = await open.execute('fails');
    expect(failed).toMatchObject({ status: 'error' });
    expect(failed.error).toMatch(/only R/i);
    await open.close();
  });

  longTest('e2e/contract/everyLanguage.test.ts')(
    '[RC-13] the example runs headless, and the second run is all hits',
    async ({ skip }) => {
      if (!hasR) return skip(NO_R);
      const dir = join(root, 'example');
      await cp(join(PROJECT_ROOT, 'examples/r-and-python'), dir, {
        recursive: true,
        filter: (path) => !/[/\\](\.svc|\.venv|uv\.lock)$/.test(path),
      });
      const run = async () => {
        const { code, stdout, stderr } = await svc(['run', dir, '--format', 'json']);
        expect([code, stderr]).toMatchObject([0, expect.any(String)]);
        const { cells } = JSON.parse(stdout) as {
          cells: { id: string; cache_hit?: boolean; stdout?: string }[];
        };
        return cells.filter(({ id }) => id !== 'intro');
      };
      const first = await run();
      expect(first.map(({ cache_hit }) => cache_hit)).toEqual([false, false, false, false]);
      expect(first.at(-1)?.stdout).toMatch(/^A centimetre more of girth makes 35 cm of height/);
      expect((await run()).map(({ cache_hit }) => cache_hit)).toEqual([true, true, true, true]);
    },
  );

  it('[RC-10] svc validate includes the names that R cells define', async ({ skip }) => {
    if (!hasR) return skip(NO_R);
    const { code, stdout } = await svc([
      'validate',
      join(PROJECT_ROOT, 'examples/r-and-python'),
      '--format',
      'json',
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain('"fitted"');
  });
});

describe('without R', () => {
  it('[RC-12] an R cell fails with instructions, and the notebook reports it', async () => {
    const none = await startServerProcess({
      grants: [root],
      env: { SVC_RSCRIPT: join(root, 'nowhere/Rscript') },
    });
    try {
      const open = await openNotebook(none, join(root, 'without'), CELLS);
      expect(open.opened.r_environment).toMatchObject({
        packages_status: 'rscript_missing',
        system_r_version: null,
      });
      const { status, error } = await open.execute('means');
      expect(status).toBe('error');
      expect(error).toMatch(
        /SVC_RSCRIPT is set to .*nowhere.*, which is not a program\. Install R .* then run the cell again\.$/,
      );
      expect(await open.execute('numbers')).toMatchObject({ status: 'ready' });
      await open.close();
    } finally {
      await none.dispose();
    }
  });

  it.skipIf(process.platform === 'win32')('[RC-11] a notebook without R cells never starts R', async () => {
    const seen = join(root, 'started');
    const spy = join(root, 'Rscript');
    await writeFile(spy, `#!/bin/sh\ntouch '${seen}'\nexit 1\n`, { mode: 0o755 });
    const spied = await startServerProcess({ grants: [root], env: { SVC_RSCRIPT: spy } });
    try {
      const open = await openNotebook(spied, join(root, 'python'), [{ id: 'a', source: 'print(1)' }]);
      await open.execute('a');
      await open.edit('a', 'print(2)');
      await open.execute('a');
      await open.close();
      expect(existsSync(seen)).toBe(false);
      const other = await openNotebook(spied, join(root, 'r'), [
        { id: 'a', language: 'r', source: 'x <- 1' },
      ]);
      expect(existsSync(seen)).toBe(true);
      const { error } = await other.execute('a');
      expect(error).toContain('exit code 1');
      await other.close();
    } finally {
      await spied.dispose();
    }
  });
});
