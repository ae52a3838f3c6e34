/**
 * Faults of cell processes (forked, spare and cold): crashes, hangs, stops and kills. No process outlives its run, and
 * the outcome says what happened.
 */

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { StopManner } from '../../lib/stop.ts';
import { writeManifest } from '../runFiles.ts';
import { comparableOutcome, runCell } from '../testing/executorContract.ts';
import type { LocalExecutorOptions } from './localExecutor.ts';
import { TemplateProcess } from './templateProcess.ts';
import {
  closeBenches,
  HARNESS_DIR,
  type LocalBench,
  noProcessLeft,
  openLocalBench,
  PYTHON,
} from './testing/testBench.ts';

type Way = 'forked' | 'spare' | 'cold';
const optionsOf: Readonly<Record<Way, Partial<LocalExecutorOptions>>> = {
  forked: { useTemplate: true },
  spare: { useTemplate: false, poolSize: 1 },
  cold: { poolSize: 0 },
};
const ways: readonly Way[] = ['forked', 'spare', 'cold'];

const benches: LocalBench[] = [];
afterAll(() => closeBenches(benches));

async function openBench(way: Way, options: Partial<LocalExecutorOptions> = {}): Promise<LocalBench> {
  const bench = await openLocalBench({ ...optionsOf[way], ...options }, way === 'cold' ? null : []);
  benches.push(bench);
  return bench;
}

/** A child process, one that leaves the process group, and one that leaves it by two forks. */
const leavesProcesses = [
  'import os, subprocess, time',
  "subprocess.Popen(['sleep', '60'])",
  "subprocess.Popen(['sleep', '61'], start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)",
  'if os.fork() == 0:',
  '    os.setsid()',
  '    if os.fork() == 0: time.sleep(62)',
  '    os._exit(0)',
  "print('left', flush=True)",
].join('\n');

/** Ways a run can end; after each of them every process that it started must be gone. */
const endings: Readonly<
  Record<string, { readonly tail: string; readonly cancelAt?: string; readonly kind: string }>
> = {
  succeeds: { tail: '', kind: 'finished' },
  fails: { tail: "raise ValueError('no')", kind: 'finished' },
  'calls os._exit': { tail: 'os._exit(3)', kind: 'crashed' },
  'is killed': { tail: 'os.kill(os.getpid(), 9)', kind: 'crashed' },
  'is cancelled': { tail: 'time.sleep(60)', cancelAt: 'left', kind: 'cancelled' },
};

describe.skipIf(process.platform !== 'linux')('no process outlives its run', () => {
  for (const way of ways) {
    test(`[EX-25] ${way}`, async () => {
      const bench = await openBench(way, way === 'spare' ? { poolSize: 1 } : {});
      const warm = (await bench.executor.memory()).length;
      for (const [name, { tail, cancelAt, kind }] of Object.entries(endings)) {
        const { outcome } = await runCell(bench, `${leavesProcesses}\n${tail}`, {
          ...(cancelAt === undefined ? {} : { cancelAt }),
        });
        expect({ name, kind: outcome.kind, stdout: outcome.stdout }).toEqual({
          name,
          kind,
          stdout: 'left\n',
        });
      }
      await bench.executor.retire(bench.request('').interpreter);
      await noProcessLeft(bench);
      expect(warm).toBe(way === 'cold' ? 0 : 1);
    });

    test(`${way}: when the server is killed`, async () => {
      const bench = await openBench(way);
      await bench.executor.close();
      await noProcessLeft(bench);
      const { outputDir } = bench.request('');
      const source = `${leavesProcesses}\ntime.sleep(60)`;
      const server = spawn(
        process.execPath,
        [join(import.meta.dirname, 'testing/killableRun.ts'), source, way, outputDir, PYTHON, HARNESS_DIR],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      await new Promise((resolve) => server.stdout.once('data', resolve));
      expect(bench.processes().length).toBeGreaterThan(3);
      server.kill('SIGKILL');
      await noProcessLeft(bench);
    });
  }
});

describe.skipIf(process.platform !== 'linux')('the template', () => {
  test('killed during a run: the run crashes with a message, the next one works', async () => {
    const bench = await openBench('forked');
    const [template] = await bench.executor.memory();
    const pid = template?.pid ?? 0;
    const source = `${leavesProcesses}\ntime.sleep(60)`;
    const running = bench.executor.run(bench.request(source), {
      signal: new AbortController().signal,
      onConsole: () => process.kill(pid, 'SIGKILL'),
    });
    const outcome = await running;
    expect(outcome).toMatchObject({ kind: 'crashed', method: 'warm', stdout: 'left\n' });
    expect(outcome.kind === 'finished' ? '' : outcome.message).toContain('SIGKILL');
    await noProcessLeft(bench);
    expect((await runCell(bench, 'x = 1')).outcome).toMatchObject({ kind: 'finished', method: 'cold' });
    await bench.executor.prepare(bench.request('').interpreter, []);
    expect((await runCell(bench, 'x = 1')).outcome).toMatchObject({ kind: 'finished', method: 'warm' });
  });

  test('that does not answer: the run uses a cold process', async () => {
    const bench = await openBench('forked');
    const [template] = await bench.executor.memory();
    process.kill(template?.pid ?? 0, 'SIGSTOP');
    expect((await runCell(bench, "print('here')\nx = 1")).outcome).toMatchObject({
      kind: 'finished',
      method: 'cold',
      stdout: 'here\n',
    });
  });

  test('[EX-46] whose messages stay unread on a busy machine: a started cell continues and is not run again', async () => {
    const bench = await openBench('forked');
    const ranFile = join(bench.dir, 'ran');
    const request = bench.request(`with open(${JSON.stringify(ranFile)}, "a") as f:\n    f.write("x")`);
    const template = new TemplateProcess({
      python: request.interpreter.path,
      harness: join(HARNESS_DIR, 'python/harness.py'),
      env: process.env as Record<string, string>,
      cwd: bench.dir,
      imports: [],
    });
    try {
      await template.ready;
      const cell = template.run(await writeManifest(request), () => undefined);
      // Blocks this process, as on a busy machine: its timers are due before it reads.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_300);
      expect(await cell.ended).toEqual({ kind: 'code', code: 0 });
      expect(readFileSync(ranFile, 'utf8')).toBe('x');
    } finally {
      template.kill();
      await template.gone;
    }
  });

  test('imports only what is installed, prints nothing, and reads local modules again for each run', async () => {
    const bench = await openBench('forked');
    writeFileSync(join(bench.dir, 'mine.py'), "print('loaded')\nvalue = 1\n");
    await bench.executor.prepare(bench.request('').interpreter, ['mine', 'no_such_module', 'this', 'json']);
    const source =
      "import mine, sys\nvalue = mine.value\nknown = ['this' in sys.modules, 'json' in sys.modules]";
    const first = comparableOutcome((await runCell(bench, source)).outcome);
    expect(first).toMatchObject({
      stdout: 'loaded\n',
      stderr: '',
      values: { value: 1, known: [true, true] },
    });
    writeFileSync(join(bench.dir, 'mine.py'), "print('again')\nvalue = 4321\n");
    expect(comparableOutcome((await runCell(bench, source)).outcome)).toMatchObject({
      stdout: 'again\n',
      values: { value: 4321 },
    });
  });

  test('a new list of imports is loaded in addition to the old one', async () => {
    const bench = await openBench('forked');
    const { interpreter } = bench.request('');
    const [before] = await bench.executor.memory();
    const preparing = bench.executor.prepare(interpreter, ['json']);
    expect((await runCell(bench, 'x = 1')).outcome).toMatchObject({ method: 'warm' });
    await preparing;
    const after = await bench.executor.memory();
    expect(after).toHaveLength(1);
    expect(after[0]?.pid).not.toBe(before?.pid);
  });

  /** The standby child: the only child while nothing runs. */
  const standbyOf = async (bench: LocalBench): Promise<number> => {
    const [template] = await bench.executor.memory();
    const listing = `/proc/${template?.pid}/task/${template?.pid}/children`;
    const children = await vi.waitFor(() => {
      const pids = readFileSync(listing, 'utf8').trim().split(' ').filter(Boolean);
      expect(pids).toHaveLength(1);
      return pids;
    }, 45_000);
    return Number(children[0]);
  };

  test('[EX-26] has a standby child, which runs one cell and is replaced by another', async () => {
    const bench = await openBench('forked');
    const source = "pid = __import__('os').getpid()";
    const pids: unknown[] = [];
    const standbyPids: number[] = [];
    for (let i = 0; i < 3; i += 1) {
      standbyPids.push(await standbyOf(bench));
      const { outcome } = await runCell(bench, source);
      pids.push(comparableOutcome(outcome)['values']);
    }
    expect(pids).toEqual(standbyPids.map((pid) => ({ pid })));
    expect(new Set(standbyPids).size).toBe(3);
  });

  test('[EX-26] whose standby child was killed: the run gets another process', async () => {
    const bench = await openBench('forked');
    for (let i = 0; i < 3; i += 1) {
      process.kill(await standbyOf(bench), 'SIGKILL');
      expect((await runCell(bench, "print('here')")).outcome).toMatchObject({
        kind: 'finished',
        stdout: 'here\n',
      });
    }
    expect((await runCell(bench, 'x = 1')).outcome).toMatchObject({ method: 'warm' });
  });

  test('[EX-26] simultaneous runs do not wait for a standby child', async () => {
    const bench = await openBench('forked');
    const runs = await Promise.all(
      ['one', 'two', 'three'].map((word) => runCell(bench, `import time\ntime.sleep(0.2)\nprint('${word}')`)),
    );
    expect(runs.map(({ outcome }) => [outcome.kind, outcome.stdout])).toEqual([
      ['finished', 'one\n'],
      ['finished', 'two\n'],
      ['finished', 'three\n'],
    ]);
  });

  test('of an environment that was rebuilt is replaced', async () => {
    const bench = await openBench('forked');
    const { interpreter } = bench.request('');
    await bench.executor.prepare({ ...interpreter, identity: 'rebuilt' }, []);
    expect((await bench.executor.memory()).map(({ identity }) => identity)).toEqual(['rebuilt']);
  });
});

describe('failures', () => {
  test('a missing interpreter', async () => {
    const bench = await openBench('cold');
    const { outcome } = await runCell(bench, 'x = 1', {
      overrides: { interpreter: { path: join(bench.dir, 'no-python'), identity: 'none' } },
    });
    expect(outcome).toMatchObject({
      kind: 'crashed',
      message: expect.stringContaining('no-python could not be started'),
    });
  });

  test('a result file from before the run is not used', async () => {
    const bench = await openBench('cold');
    const request = bench.request('import os\nos._exit(0)');
    writeFileSync(join(request.outputDir, 'harness-result.json'), '{"success": true}');
    const outcome = await bench.executor.run(request, {
      signal: new AbortController().signal,
      onConsole() {},
    });
    expect(outcome.kind).toBe('crashed');
  });

  test('a cell that catches the interrupt and succeeds counts as cancelled', async () => {
    const bench = await openBench(process.platform === 'linux' ? 'forked' : 'cold');
    const { outcome } = await runCell(
      bench,
      "import time\ntry:\n    print('go')\n    time.sleep(60)\nexcept KeyboardInterrupt:\n    print('tidy')\nx = 1",
      { cancelAt: 'go' },
    );
    expect(outcome).toMatchObject({ kind: 'cancelled', stdout: 'go\ntidy\n' });
  });

  // The cleanup of a stopped cell takes longer than half a second, as with checkpoints and transactions.
  const cleansUp = [
    'import time',
    'try:',
    "    print('go')",
    '    time.sleep(60)',
    'finally:',
    "    print('tidying')",
    '    time.sleep(1.5)',
    "    print('saved')",
  ].join('\n');
  const ignoresInterrupt = [
    'import signal, time',
    'signal.signal(signal.SIGINT, signal.SIG_IGN)',
    'heard = []',
    // Not printed in the handler: the signal may interrupt the first print.
    'signal.signal(signal.SIGTERM, lambda *_: heard.append(1))',
    "print('go')",
    'end = time.time() + 60',
    'while time.time() < end:',
    '    time.sleep(0.02)',
    "    if heard: print('heard', flush=True)",
    '    heard.clear()',
  ].join('\n');
  const stops: Readonly<
    Record<string, { source: string; asks: Record<string, StopManner>; sent: string[]; stdout: string }>
  > = {
    'requested gently waits for the cleanup of the cell': {
      source: cleansUp,
      asks: { go: 'gently' },
      sent: ['SIGINT'],
      stdout: 'go\ntidying\nsaved\n',
    },
    'requested again continues with SIGTERM immediately': {
      source: cleansUp,
      asks: { go: 'gently', tidying: 'harder' },
      sent: ['SIGINT', 'SIGTERM'],
      stdout: 'go\ntidying\n',
    },
    'becomes urgent when something waits for it, and continues immediately': {
      source: cleansUp,
      asks: { go: 'gently', tidying: 'soon' },
      sent: ['SIGINT', 'SIGTERM'],
      stdout: 'go\ntidying\n',
    },
    'that something waits for does not wait for the cleanup': {
      source: cleansUp,
      asks: { go: 'soon' },
      sent: ['SIGINT', 'SIGTERM'],
      stdout: 'go\ntidying\n',
    },
    'requested a third time kills the process': {
      source: ignoresInterrupt,
      asks: { go: 'gently', 'go\n': 'harder', heard: 'harder' },
      sent: ['SIGINT', 'SIGTERM', 'SIGKILL'],
      stdout: 'go\nheard\n',
    },
  };
  for (const [name, { source, asks: stopRequests, sent, stdout }] of Object.entries(stops)) {
    test(`[EX-27] a stop ${name}`, async () => {
      const bench = await openBench(process.platform === 'linux' ? 'forked' : 'cold');
      const { outcome, signals } = await runCell(bench, source, { asks: stopRequests });
      expect({ kind: outcome.kind, stdout: outcome.stdout, sent: signals }).toEqual({
        kind: 'cancelled',
        stdout,
        sent,
      });
    });
  }

  test('[EX-27] closing does not wait for a cell that is being stopped', async () => {
    const bench = await openBench(process.platform === 'linux' ? 'forked' : 'cold');
    const { outcome, signals } = await runCell(bench, cleansUp, {
      asks: { go: 'gently' },
      onText: (text) => {
        if (text.includes('tidying')) void bench.executor.close();
      },
    });
    expect({ stdout: outcome.stdout, sent: signals }).toEqual({
      stdout: 'go\ntidying\n',
      sent: ['SIGINT', 'SIGTERM'],
    });
  });

  test('a cell that ignores interrupts is killed', async () => {
    const bench = await openBench(process.platform === 'linux' ? 'forked' : 'cold');
    const { outcome } = await runCell(
      bench,
      "import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nprint('go')\nend = time.time() + 60\nwhile time.time() < end: time.sleep(1)",
      { cancelAt: 'go' },
    );
    expect(outcome.kind).toBe('cancelled');
  });

  test('output longer than the limit: the result has the tail, the log on disk has everything', async () => {
    const logDir = mkdtempSync(join(tmpdir(), 'cellar-log-'));
    const logged = await openBench(process.platform === 'linux' ? 'forked' : 'cold');
    const source =
      "import sys\nfor i in range(200): sys.stdout.write('y' * 99_999 + '\\n')\nprint('the end')";
    const log = join(logDir, 'cell.stdout.log');
    const consoleLog = { stdout: log, stderr: join(logDir, 'cell.stderr.log'), maxBytes: 1 << 30 };
    const outcome = await logged.executor.run(logged.request(source, { consoleLog }), {
      signal: new AbortController().signal,
      onConsole() {},
    });
    const [first, ...rest] = outcome.stdout.split('\n');
    expect(first).toMatch(/^\[… 18,9\d\d,\d\d\d bytes of earlier output left out …\]$/);
    expect(rest.at(-2)).toBe('the end');
    expect(Buffer.byteLength(rest.join('\n'))).toBe(1024 * 1024);
    expect(statSync(log).size).toBe(200 * 100_000 + 'the end\n'.length);
    expect(readFileSync(log, 'latin1').endsWith('y\nthe end\n')).toBe(true);
    rmSync(logDir, { recursive: true });
  });
});
