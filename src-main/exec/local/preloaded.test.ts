/**
 * Preloaded modules of the local executor: a warm process whose packages read variables during import must
 * give the results of a fresh one. Runs real Python.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowsOfRun } from '../../../e2e/support/longRun.ts';
import type { ExecOutcome } from '../executor.ts';
import { comparableOutcome, runCell } from '../testing/executorContract.ts';
import type { LocalExecutorOptions } from './localExecutor.ts';
import { closeBenches, type LocalBench, openLocalBench, PYTHON } from './testing/testBench.ts';

const benches: LocalBench[] = [];

/** Packages in this test's environment, each of which reads variables during import. */
const PACKAGES: Readonly<Record<string, string>> = {
  backend: "import os\nchosen = os.environ.get('MPLBACKEND')",
  threads: "import os\ncount = os.environ.get('OMP_NUM_THREADS')\n",
  user: 'import backend\nchosen = backend.chosen',
  everything: "import os\nmine = sorted(name for name in os.environ if name.startswith('MY_'))",
  native:
    "import ctypes\nlimit = ctypes.CDLL(None).getenv\nlimit.restype = ctypes.c_char_p\nlimit = limit(b'MY_LIMIT')",
};

/** A cell that must have the same result and observed facts in a fresh process and in one with modules preloaded. */
interface Row {
  readonly imports: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly source: string;
  readonly gives: unknown;
  /** The variables that the result depends on; null: all. */
  readonly reads: readonly string[] | null;
}

const rows: Readonly<Record<string, Row>> = {
  'a variable of the cell': {
    imports: ['backend'],
    env: { MPLBACKEND: 'svg' },
    source: 'import backend\nseen = backend.chosen',
    gives: 'svg',
    reads: ['MPLBACKEND'],
  },
  'a variable of a package that another one imports': {
    imports: ['user'],
    env: { MPLBACKEND: 'pdf' },
    source: 'import user\nseen = user.chosen',
    gives: 'pdf',
    reads: ['MPLBACKEND'],
  },
  'a variable that the harness sets': {
    imports: ['backend'],
    env: {},
    source: 'import backend\nseen = backend.chosen',
    gives: 'Agg',
    reads: ['MPLBACKEND'],
  },
  'a number of threads': {
    imports: ['threads'],
    env: { OMP_NUM_THREADS: '3' },
    source: 'import threads\nseen = threads.count',
    gives: '3',
    reads: ['OMP_NUM_THREADS'],
  },
  'no number of threads': {
    imports: ['threads'],
    env: {},
    source: 'import threads\nseen = threads.count',
    gives: null,
    reads: ['OMP_NUM_THREADS'],
  },
  'all variables': {
    imports: ['everything'],
    env: { MY_A: '1', MY_B: '2' },
    source: 'import everything\nseen = everything.mine',
    gives: ['MY_A', 'MY_B'],
    reads: null,
  },
  'read by C code': {
    imports: ['native'],
    env: { MY_LIMIT: '7' },
    source: 'import native\nseen = native.limit.decode()',
    gives: '7',
    reads: [],
  },
  'a package the cell does not use': {
    imports: ['backend', 'everything', 'threads'],
    env: { MPLBACKEND: 'svg' },
    source: 'seen = 1',
    gives: 1,
    reads: [],
  },
  'set by the code itself': {
    imports: ['threads'],
    env: {},
    source: "import os\nos.environ['OMP_NUM_THREADS'] = '2'\nimport threads\nseen = threads.count",
    gives: '2',
    reads: [],
  },
};

const venv = mkdtempSync(join(tmpdir(), 'cellar-preloaded-'));
const interpreter = { path: installPackages(venv), identity: 'with the packages' };

/** Makes an environment with the packages; returns its Python. */
function installPackages(dir: string): string {
  execFileSync(PYTHON, ['-m', 'venv', '--without-pip', dir]);
  const python = join(dir, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  const script = "import sysconfig; print(sysconfig.get_path('purelib'))";
  const site = execFileSync(python, ['-c', script], { encoding: 'utf8' }).trim();
  for (const [name, text] of Object.entries(PACKAGES)) writeFileSync(join(site, `${name}.py`), text);
  return python;
}

afterAll(async () => {
  await closeBenches(benches);
  rmSync(venv, { recursive: true, force: true });
});

async function openBench(options: Partial<LocalExecutorOptions>): Promise<LocalBench> {
  const bench = await openLocalBench(options, null);
  benches.push(bench);
  return bench;
}

function factsOf(outcome: ExecOutcome): readonly string[] | null {
  if (outcome.kind !== 'finished' || !outcome.result.success)
    return expect.unreachable(JSON.stringify(outcome));
  const { observed } = outcome.result;
  return observed?.env_all === true ? null : (observed?.env ?? []);
}

const ways = process.platform === 'linux' ? ['forked', 'spare'] : ['spare'];

describe.each(ways)('preloaded modules (%s)', (way) => {
  let bench: LocalBench;
  beforeAll(async () => {
    bench = await openBench({ useTemplate: way === 'forked', poolSize: 1 });
  });

  // A spare imports modules as the template does: with templates, a normal run has some of the rows for it.
  const some = ['a variable of the cell', 'all variables', 'read by C code', 'set by the code itself'];
  const isPlayed = (name: string): boolean => way === ways[0] || some.includes(name);
  test.each(rowsOfRun(Object.entries(rows), ([name]) => isPlayed(name)))(
    '[EX-61] modules imported before a run behave as in a fresh process: %s',
    async (_name, row) => {
      const { imports, env, source, gives, reads } = row;
      const run = async (mode: 'auto' | 'cold') => {
        const { outcome } = await runCell(bench, source, { overrides: { env, interpreter, mode } });
        expect(comparableOutcome(outcome)).toMatchObject({ error: null, values: { seen: gives } });
        expect(factsOf(outcome)).toEqual(reads);
        return outcome.method;
      };
      await run('cold');
      // The warm process has imported them under other variables.
      await bench.executor.prepare(interpreter, imports, { OTHER: '1' });
      for (let i = 0; i < 2; i++) await run('auto');
      await bench.executor.prepare(interpreter, imports, env);
      const method = await run('auto');
      // A spare serves one run, so the next may not be ready.
      if (way === 'forked') expect(method).toBe(source.includes('os.environ[') ? 'cold' : 'warm');
    },
  );
});

test.runIf(process.platform === 'linux')(
  '[EX-62] few sets of variables have warm processes; the second run with a set starts its process',
  async () => {
    const bench = await openBench({ useTemplate: true });
    await bench.executor.prepare(interpreter, []);
    for (const value of ['1', '2', '3', '4', '5']) {
      const overrides = { env: { A: value }, interpreter };
      const before = (await bench.executor.memory()).length;
      expect((await runCell(bench, 'x = 1', { overrides })).outcome.method).toBe('cold');
      expect(await bench.executor.memory()).toHaveLength(before);
      await runCell(bench, 'x = 1', { overrides });
      expect(await bench.executor.memory()).toHaveLength(Math.min(3, before + 1));
      // It is starting already: this waits for it.
      await bench.executor.prepare(interpreter, [], { A: value });
      const warm = await runCell(bench, 'import os\nx = os.environ["A"]', { overrides });
      expect(warm.outcome.method).toBe('warm');
      expect(comparableOutcome(warm.outcome)).toMatchObject({ values: { x: value } });
    }
  },
);

test('[EX-61] with a file in its folder that a library reads during import, a run gets no warm process', async () => {
  const bench = await openBench({ poolSize: 1 });
  await bench.executor.prepare(interpreter, []);
  const run = async () => (await runCell(bench, 'x = 1', { overrides: { interpreter } })).outcome.method;
  expect(await run()).toBe('warm');
  writeFileSync(join(bench.dir, 'matplotlibrc'), 'lines.linewidth: 4\n');
  expect(await run()).toBe('cold');
});
