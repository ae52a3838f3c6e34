import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { rowsOfRun } from '../../../../e2e/support/longRun.ts';
import type { HarnessInput } from '../../../../src-shared/wire/harness.ts';
import { comparableOutcome, runCell } from '../../testing/executorContract.ts';
import { HARNESS_DIR } from '../testing/testBench.ts';
import { NO_R, openRBench, type RBench, RSCRIPT } from './testing/rBench.ts';

/** R cells in a warm and in a cold R: printing, errors, stopping, plots, and inputs that R cannot read. */

let warm: RBench;
let cold: RBench;
beforeAll(async () => {
  warm = await openRBench(1);
  cold = await openRBench(0);
});
afterAll(async () => {
  await warm.close();
  await cold.close();
  await vi.waitFor(() => expect([...warm.processes(), ...cold.processes()]).toEqual([]), { timeout: 45_000 });
});

interface Row {
  readonly name: string;
  readonly source: string;
  readonly gives: Record<string, unknown>;
}
const success = { kind: 'finished', stdout: '', stderr: '', error: null };
const failure = (error: string) => ({ ...success, error, values: {} });

const rows: readonly Row[] = [
  {
    name: '[RC-1] visible values are printed, invisible ones are not, as at the prompt',
    source: 'x <- 1\nx\ninvisible(2)\n(y <- "b")\nprint("c")',
    gives: { ...success, stdout: '[1] 1\n[1] "b"\n[1] "c"\n', values: { x: 1, y: 'b' } },
  },
  {
    name: '[RC-1] text outside ASCII is printed unchanged',
    source: 'x <- "h\u00f6her \u2192 \u{1f600}"\nx',
    gives: {
      ...success,
      stdout: '[1] "h\u00f6her \u2192 \u{1f600}"\n',
      values: { x: 'h\u00f6her \u2192 \u{1f600}' },
    },
  },
  {
    name: '[RC-2] functions and names that begin with a dot stay in the cell',
    source: 'f <- function(x) x\n.hidden <- 1\nshown <- f(2)',
    gives: { ...success, values: { shown: 2 } },
  },
  {
    name: '[RC-3] an error has its call and line, and earlier output stays',
    source: 'print("before")\n\nlog("a")',
    gives: {
      ...failure('Error in log("a"): non-numeric argument to mathematical function'),
      stdout: '[1] "before"\n',
    },
  },
  {
    name: '[RC-3] an error without a call',
    source: 'stop("no")',
    gives: failure('Error: no'),
  },
  {
    name: '[RC-3] a syntax error has its position',
    source: 'x <- 1\ny <- (',
    gives: failure('Syntax error: <cell tested>:3:0: unexpected end of input\n1: x <- 1\n2: y <- (\n  ^'),
  },
  {
    name: '[RC-3] a missing package has the message of R',
    source: 'library(notthere)',
    gives: failure('Error in library(notthere): there is no package called \u2018notthere\u2019'),
  },
  {
    name: '[RC-3] warnings go to stderr immediately, and the cell continues',
    source: 'f <- function() warning("careful")\nf()\nx <- 1',
    gives: { ...success, stderr: 'Warning in f() : careful\n', values: { x: 1 } },
  },
  {
    name: '[RC-3] quit() ends a cell successfully',
    source: 'x <- 1\nquit()\nx <- 2',
    gives: { ...success, values: { x: 1 } },
  },
  {
    name: '[RC-3] quit() with another status fails it',
    source: 'q(status = 3)',
    gives: failure('The cell ended with quit(status = 3).'),
  },
  { name: '[RC-1] an empty cell', source: '', gives: { ...success, values: {} } },
  {
    name: '[RC-1] functions and loops of a cell are compiled as in any R',
    source: 'level <- compiler::enableJIT(-1)',
    gives: { ...success, values: { level: 3 } },
  },
  {
    name: '[RC-5] standard input is empty',
    source: 'x <- length(readLines(file("stdin")))',
    gives: { ...success, values: { x: 0 } },
  },
];

/** Rows that a normal run also runs in a cold R: results, output, messages and ends of each kind. */
const ALSO_COLD = ['visible values', 'an error has its call', 'a syntax error', 'warnings go', 'quit() ends'];

describe('the same cell in a warm and in a cold R', () => {
  const pairs = rows.flatMap((row) => [
    { ...row, bench: () => warm, isCold: false },
    { ...row, bench: () => cold, isCold: true },
  ]);
  const isPlayed = ({ name, isCold }: (typeof pairs)[number]): boolean =>
    !isCold || ALSO_COLD.some((words) => name.includes(words));
  for (const { name, source, gives, bench, isCold } of rowsOfRun(pairs, isPlayed)) {
    test(`${name}: ${isCold ? 'cold' : 'warm'}`, async ({ skip }) => {
      if (RSCRIPT === null) return skip(NO_R);
      expect(comparableOutcome((await bench().run(source)).outcome)).toEqual(gives);
    });
  }
});

describe('a run', () => {
  test('[RC-5] is warm when a spare is ready, and each spare serves once', async ({ skip }) => {
    if (RSCRIPT === null) return skip(NO_R);
    await warm.executor.prepare(RSCRIPT);
    const [before] = warm.executor.pids();
    const { outcome } = await warm.run('x <- Sys.getpid()');
    expect(outcome.method).toBe('warm');
    expect(comparableOutcome(outcome)['values']).toEqual({ x: before });
    expect(warm.executor.pids()).not.toContain(before);
  });

  test('[RC-5] streams its output, and is cancelled immediately', async ({ skip }) => {
    if (RSCRIPT === null) return skip(NO_R);
    for (const bench of [warm, cold]) {
      const { outcome, console } = await runCell(bench, 'cat("going\\n")\nSys.sleep(600)', {
        cancelAt: 'going',
      });
      expect(outcome).toMatchObject({ kind: 'cancelled', stdout: 'going\n' });
      expect(console).toEqual([{ stream: 'stdout', text: 'going\n' }]);
    }
  });

  test('[RC-5] that catches the interrupt is still ended', async ({ skip }) => {
    if (RSCRIPT === null) return skip(NO_R);
    const source = 'repeat tryCatch({cat("going\\n"); Sys.sleep(600)}, interrupt = function(e) NULL)';
    const { outcome } = await runCell(cold, source, { cancelAt: 'going' });
    expect(outcome.kind).toBe('cancelled');
  });

  test('[RC-5] ends at its time limit, with a message', async ({ skip }) => {
    if (RSCRIPT === null) return skip(NO_R);
    const { outcome } = await cold.run('Sys.sleep(600)', { timeoutSeconds: 1 });
    expect(outcome).toMatchObject({
      kind: 'timeout',
      message: 'The cell ran longer than its limit of 1 s and was stopped.',
    });
  });

  test('[RC-5] that is killed from outside fails with a message, and its child processes end', async ({
    skip,
  }) => {
    if (RSCRIPT === null) return skip(NO_R);
    const source = 'system("sleep 600", wait = FALSE)\ntools::pskill(Sys.getpid(), 9)';
    const { outcome } = await cold.run(source);
    expect(outcome.kind).toBe('crashed');
    if (outcome.kind === 'crashed')
      expect(outcome.message).toContain("The cell's process was ended by SIGKILL.");
    if (process.platform === 'linux')
      await vi.waitFor(() => expect(cold.processes()).toEqual([]), { timeout: 45_000 });
  });

  test.skipIf(process.platform === 'win32')(
    '[RC-5] ends when its server is killed, and so do the spares',
    async ({ skip }) => {
      if (RSCRIPT === null) return skip(NO_R);
      for (const pool of ['0', '1']) {
        const { outputDir } = cold.request('');
        const source = 'system("sleep 600", wait = FALSE)\ncat("going\\n")\nSys.sleep(600)';
        const server = spawn(
          process.execPath,
          [
            join(import.meta.dirname, '../testing/killableRRun.ts'),
            source,
            outputDir,
            RSCRIPT,
            HARNESS_DIR,
            pool,
          ],
          { stdio: ['ignore', 'pipe', 'inherit'] },
        );
        await new Promise<void>((resolve, reject) => {
          server.stdout.once('data', () => resolve());
          server.once('exit', () => reject(new Error('the server ended before its cell began')));
        });
        server.kill('SIGKILL');
        await vi.waitFor(() => expect(cold.processes()).toEqual([]), { timeout: 45_000 });
      }
    },
  );

  test('[RC-5] leaves no temporary files of R', async ({ skip }) => {
    if (RSCRIPT === null) return skip(NO_R);
    const { outcome } = await cold.run('place <- dirname(tempdir())');
    const { place } = comparableOutcome(outcome)['values'] as { place: string };
    expect(place.startsWith(join(tmpdir(), 'cellar-r-'))).toBe(true);
    expect(readdirSync(tmpdir())).not.toContain(place.slice(tmpdir().length + 1));
  });

  test('[RC-6] has its variables, mounts and folder; names that it sets itself win', async ({ skip }) => {
    if (RSCRIPT === null) return skip(NO_R);
    writeFileSync(join(cold.dir, 'in.txt'), 'from the folder');
    const { outcome } = await cold.run(
      'a <- Sys.getenv("CELLAR_R_TEST")\nb <- readLines(file.path(data, "in.txt"), warn = FALSE)\nd <- file.exists("in.txt")\ndata <- 5',
      {
        env: { CELLAR_R_TEST: 'set' },
        mounts: { data: { uri: 'file://./', mode: 'ro', local_path: cold.dir } },
      },
    );
    expect(comparableOutcome(outcome)['values']).toEqual({
      a: 'set',
      b: 'from the folder',
      d: true,
      data: 5,
    });
  });

  test('[RC-6] does not run an .Rprofile of the notebook', async ({ skip }) => {
    if (RSCRIPT === null) return skip(NO_R);
    writeFileSync(join(cold.dir, '.Rprofile'), 'cat("profile\\n")');
    expect(comparableOutcome((await cold.run('x <- 1')).outcome)).toEqual({ ...success, values: { x: 1 } });
  });
});

describe('plots', () => {
  const pages = [
    {
      name: 'a plot with additions is one page',
      source: 'plot(1:3)\nlines(3:1)\nlegend("top", "a")',
      count: 1,
    },
    { name: 'each plot is a page, in order', source: 'plot(1)\nhist(c(1, 2, 2))', count: 2 },
    {
      name: 'panels of one page are one page',
      source: 'par(mfrow = c(2, 1))\nplot(1)\nplot(2)\nplot(3)',
      count: 2,
    },
    { name: 'grid draws pages too', source: 'library(grid)\ngrid.newpage()\ngrid.rect()', count: 1 },
    {
      name: 'a device that the cell opens is not captured',
      source: 'png("own.png")\nplot(1)\ninvisible(dev.off())\nplot(2)',
      count: 1,
    },
    {
      name: 'after a device is closed, another opens',
      source: 'plot(1)\ninvisible(dev.off())\nplot(2)',
      count: 2,
    },
    { name: 'no drawing, no page', source: 'x <- 1', count: 0 },
  ];
  for (const { name, source, count } of pages) {
    test(`[RC-4] ${name}`, async ({ skip }) => {
      if (RSCRIPT === null) return skip(NO_R);
      const request = cold.request(source);
      const { outcome } = await runCell({ executor: cold.executor, request: () => request }, source);
      if (outcome.kind !== 'finished') throw new Error(JSON.stringify(outcome));
      expect(outcome.result).toMatchObject({ success: true });
      const images = outcome.result.displays.map((display) => {
        if (!('file' in display) || display.file === undefined) throw new Error('a display without a file');
        const bytes = readFileSync(join(request.outputDir, display.file));
        return [
          display.content_type,
          bytes.subarray(1, 4).toString(),
          bytes.readUInt32BE(16),
          bytes.readUInt32BE(20),
        ];
      });
      expect(images).toEqual(Array.from({ length: count }, () => ['image/png', 'PNG', 800, 600]));
    });
  }

  test.each([
    ['are SVG if that is set', 'options(cellar.plots = "svg")\nplot(1)\nhist(c(1, 2))', ['svg', 'svg'], ''],
    [
      'are each in the format that was set for it',
      'plot(1)\ninvisible(dev.off())\noptions(cellar.plots = "svg")\nplot(2)',
      ['png', 'svg'],
      '',
    ],
    [
      'are PNG for an unknown setting',
      'options(cellar.plots = "bmp")\nplot(1)',
      ['png'],
      'is "png" or "svg"',
    ],
  ])('[RC-4] plots %s', async (_name, source, kinds, stderr) => {
    if (RSCRIPT === null) return;
    const request = cold.request(source);
    const { outcome } = await runCell({ executor: cold.executor, request: () => request }, source);
    if (outcome.kind !== 'finished') throw new Error(JSON.stringify(outcome));
    expect(outcome.stderr).toContain(stderr);
    const images = outcome.result.displays.map((display) => {
      if (!('file' in display) || display.file === undefined) throw new Error('a display without a file');
      const head = readFileSync(join(request.outputDir, display.file)).subarray(0, 300).toString('latin1');
      return [display.content_type, /width="800(pt)?" height="600(pt)?"/.test(head), head.includes('PNG')];
    });
    const row = { svg: ['image/svg+xml', true, false], png: ['image/png', false, true] };
    expect(images).toEqual(kinds.map((kind) => row[kind as 'svg' | 'png']));
  });

  test('[RC-4] plots from before an error are shown', async ({ skip }) => {
    if (RSCRIPT === null) return skip(NO_R);
    const { outcome } = await cold.run('plot(1)\nstop("no")');
    expect(outcome).toMatchObject({
      kind: 'finished',
      result: { success: false, displays: [{ width: 800 }] },
    });
  });

  test('[RC-4] tables and text are in order between plots, where display() showed them', async ({ skip }) => {
    if (RSCRIPT === null) return skip(NO_R);
    const source =
      'plot(1)\ndisplay(data.frame(a = c(1L, NA), b = c("x", "y")))\nMarkdown("**so**")\nplot(2)';
    const { outcome } = await cold.run(source);
    if (outcome.kind !== 'finished') throw new Error(JSON.stringify(outcome));
    expect(outcome.result.displays).toMatchObject([
      { content_type: 'image/png' },
      {
        content_type: 'arrow/ipc',
        rows: 2,
        columns: ['a', 'b'],
        preview: [
          [1, 'x'],
          [null, 'y'],
        ],
      },
      { content_type: 'text/markdown', preview: '**so**' },
      { content_type: 'image/png' },
    ]);
  });
});

describe('inputs that R cannot read', () => {
  const unreadable: readonly (readonly [string, string, string, Record<string, unknown>])[] = [
    [
      'a pickle fails the cell before it runs',
      'pickle/object',
      'x',
      {
        success: false,
        error_code: 'PYTHON_ONLY_ARTIFACT',
        error:
          '`v` cannot be read in R: it is a Python object (pickle/object) that only Python can read. Hand R a table, numbers, text, or a list of those.',
      },
    ],
    [
      'shared code fails the cell too',
      'module/cell',
      '{}',
      { success: false, error_code: 'PYTHON_ONLY_ARTIFACT' },
    ],
    [
      'an integer that would be rounded',
      'json/object',
      '{"a": 9007199254740993}',
      {
        success: false,
        error_code: 'PRECISION_NARROWED',
        error: '`v` cannot be read in R: it holds a whole number beyond 2^53, which R numbers would round.',
      },
    ],
    ['broken JSON is left out', 'json/object', '[1, 2', { success: true }],
    ['text with a NUL is left out', 'json/object', '"a\\u0000b"', { success: true }],
    ['a broken Arrow file is left out', 'arrow/ipc', 'no arrow', { success: true }],
    ['a broken RDS file is left out', 'application/x-r-rds', 'no rds', { success: true }],
    ['an unknown kind is left out', 'image/png', 'x', { success: true }],
  ];
  const isFailure = (row: (typeof unreadable)[number]): boolean => row[3]['success'] === false;
  for (const [name, content_type, text, result] of unreadable.filter(isFailure)) {
    test(`[RC-9] ${name}`, async ({ skip }) => {
      if (RSCRIPT === null) return skip(NO_R);
      const file = join(cold.dir, 'bad-input');
      writeFileSync(file, text);
      const inputs: Record<string, HarnessInput> = { v: { content_type, file } };
      const { outcome } = await cold.run('seen <- exists("v")', { inputs });
      expect(outcome).toMatchObject({ kind: 'finished', result });
    });
  }

  /** One R reads them all: which of the names exist, and its messages. */
  let read: Promise<{ readonly values: Record<string, unknown>; readonly stderr: string }> | null = null;
  const leftOut = unreadable.filter((row) => !isFailure(row));
  const readAll = async () => {
    const inputs: Record<string, HarnessInput> = {};
    leftOut.forEach(([, content_type, text], index) => {
      const file = join(cold.dir, `bad-input-${index}`);
      writeFileSync(file, text);
      inputs[`v${index}`] = { content_type, file };
    });
    const source = leftOut.map((_row, index) => `seen${index} <- exists("v${index}")`).join('\n');
    const { outcome } = await cold.run(source, { inputs });
    expect(outcome).toMatchObject({ kind: 'finished', result: { success: true } });
    return {
      values: comparableOutcome(outcome)['values'] as Record<string, unknown>,
      stderr: outcome.stderr,
    };
  };
  leftOut.forEach(([name], index) => {
    test(`[RC-9] ${name}`, async ({ skip }) => {
      if (RSCRIPT === null) return skip(NO_R);
      read ??= readAll();
      const { values, stderr } = await read;
      expect(stderr).toMatch(new RegExp(`^\`v${index}\` could not be read: `, 'm'));
      expect(values[`seen${index}`]).toBe(false);
    });
  });
});
