import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { StopManner } from '../../lib/stop.ts';
import { writeManifest } from '../bundle.ts';
import { gist, runCell } from '../executorContract.ts';
import type { LocalExecutorOptions } from './localExecutor.ts';
import { TemplateProcess } from './templateProcess.ts';
import {
  closeBenches,
  HARNESS_DIR,
  type LocalBench,
  noProcessLeft,
  openLocalBench,
  PYTHON,
} from './testBench.ts';

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

/** Starts a process that stays, one that also leaves the group, and one that leaves by two forks. */
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

/** However the run ends, nothing it started stays. */
const endings: Readonly<
  Record<string, { readonly tail: string; readonly cancelAt?: string; readonly kind: string }>
> = {
  'ends well': { tail: '', kind: 'finished' },
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
        [join(import.meta.dirname, 'testServer.ts'), source, way, outputDir, PYTHON, HARNESS_DIR],
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
  test('killed in the middle of a run: the run crashes in words, the next one runs', async () => {
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

  test('that does not answer: the run goes cold', async () => {
    const bench = await openBench('forked');
    const [template] = await bench.executor.memory();
    process.kill(template?.pid ?? 0, 'SIGSTOP');
    expect((await runCell(bench, "print('here')\nx = 1")).outcome).toMatchObject({
      kind: 'finished',
      method: 'cold',
      stdout: 'here\n',
    });
  });

  test('[EX-46] whose news lie unread on a busy machine: a cell that has begun goes on, and is not run again', async () => {
    const bench = await openBench('forked');
    const ran = join(bench.dir, 'ran');
    const request = bench.request(`with open(${JSON.stringify(ran)}, "a") as f:\n    f.write("x")`);
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
      // Nothing of this process runs meanwhile, as where it gets no turn: its timers are due before it reads.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_300);
      expect(await cell.ended).toEqual({ kind: 'code', code: 0 });
      expect(readFileSync(ran, 'utf8')).toBe('x');
    } finally {
      template.kill();
      await template.gone;
    }
  });

  test('imports only what is installed, quietly, and reads local modules anew', async () => {
    const bench = await openBench('forked');
    writeFileSync(join(bench.dir, 'mine.py'), "print('loaded')\nvalue = 1\n");
    await bench.executor.prepare(bench.request('').interpreter, ['mine', 'no_such_module', 'this', 'json']);
    const source =
      "import mine, sys\nvalue = mine.value\nknown = ['this' in sys.modules, 'json' in sys.modules]";
    const first = gist((await runCell(bench, source)).outcome);
    expect(first).toMatchObject({
      stdout: 'loaded\n',
      stderr: '',
      values: { value: 1, known: [true, true] },
    });
    writeFileSync(join(bench.dir, 'mine.py'), "print('again')\nvalue = 4321\n");
    expect(gist((await runCell(bench, source)).outcome)).toMatchObject({
      stdout: 'again\n',
      values: { value: 4321 },
    });
  });

  test('a new list of imports is loaded beside the old one', async () => {
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

  /** The child that stands by: the only one there is while nothing runs. */
  const standbyOf = async (bench: LocalBench): Promise<number> => {
    const [template] = await bench.executor.memory();
    const listing = `/proc/${template?.pid}/task/${template?.pid}/children`;
    const children = await vi.waitFor(() => {
      const found = readFileSync(listing, 'utf8').trim().split(' ').filter(Boolean);
      expect(found).toHaveLength(1);
      return found;
    });
    return Number(children[0]);
  };

  test('[EX-26] has a child standing by, which runs one cell and is followed by another', async () => {
    const bench = await openBench('forked');
    const source = "pid = __import__('os').getpid()";
    const pids: unknown[] = [];
    const stoodBy: number[] = [];
    for (let i = 0; i < 3; i += 1) {
      stoodBy.push(await standbyOf(bench));
      const { outcome } = await runCell(bench, source);
      pids.push(gist(outcome)['values']);
    }
    expect(pids).toEqual(stoodBy.map((pid) => ({ pid })));
    expect(new Set(stoodBy).size).toBe(3);
  });

  test('[EX-26] whose child standing by was killed: the run finds another process', async () => {
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

  test('[EX-26] two runs at once: the second does not wait for a child', async () => {
    const bench = await openBench('forked');
    const ran = await Promise.all(
      ['one', 'two', 'three'].map((word) => runCell(bench, `import time\ntime.sleep(0.2)\nprint('${word}')`)),
    );
    expect(ran.map(({ outcome }) => [outcome.kind, outcome.stdout])).toEqual([
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

describe('bad ends', () => {
  test('an interpreter that is not there', async () => {
    const bench = await openBench('cold');
    const { outcome } = await runCell(bench, 'x = 1', {
      overrides: { interpreter: { path: join(bench.dir, 'no-python'), identity: 'none' } },
    });
    expect(outcome).toMatchObject({
      kind: 'crashed',
      message: expect.stringContaining('no-python could not be started'),
    });
  });

  test('a result left by somebody else is not taken for the run', async () => {
    const bench = await openBench('cold');
    const request = bench.request('import os\nos._exit(0)');
    writeFileSync(join(request.outputDir, 'harness-result.json'), '{"success": true}');
    const outcome = await bench.executor.run(request, {
      signal: new AbortController().signal,
      onConsole() {},
    });
    expect(outcome.kind).toBe('crashed');
  });

  test('a cell that swallows the interrupt and ends well counts as cancelled', async () => {
    const bench = await openBench(process.platform === 'linux' ? 'forked' : 'cold');
    const { outcome } = await runCell(
      bench,
      "import time\ntry:\n    print('go')\n    time.sleep(60)\nexcept KeyboardInterrupt:\n    print('tidy')\nx = 1",
      { cancelAt: 'go' },
    );
    expect(outcome).toMatchObject({ kind: 'cancelled', stdout: 'go\ntidy\n' });
  });

  // What a stopped cell tidies up takes longer than half a second, as checkpoints and transactions do.
  const tidies = [
    'import time',
    'try:',
    "    print('go')",
    '    time.sleep(60)',
    'finally:',
    "    print('tidying')",
    '    time.sleep(1.5)',
    "    print('saved')",
  ].join('\n');
  const deaf = [
    'import signal, time',
    'signal.signal(signal.SIGINT, signal.SIG_IGN)',
    'heard = []',
    // Not printed where it is heard: the signal may come amid the first print.
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
    'asked gently waits for what the cell tidies up': {
      source: tidies,
      asks: { go: 'gently' },
      sent: ['SIGINT'],
      stdout: 'go\ntidying\nsaved\n',
    },
    'asked for again goes on at once': {
      source: tidies,
      asks: { go: 'gently', tidying: 'harder' },
      sent: ['SIGINT', 'SIGTERM'],
      stdout: 'go\ntidying\n',
    },
    'that something comes to wait for goes on at once': {
      source: tidies,
      asks: { go: 'gently', tidying: 'soon' },
      sent: ['SIGINT', 'SIGTERM'],
      stdout: 'go\ntidying\n',
    },
    'that something waits for is short': {
      source: tidies,
      asks: { go: 'soon' },
      sent: ['SIGINT', 'SIGTERM'],
      stdout: 'go\ntidying\n',
    },
    'asked for a third time kills': {
      source: deaf,
      asks: { go: 'gently', 'go\n': 'harder', heard: 'harder' },
      sent: ['SIGINT', 'SIGTERM', 'SIGKILL'],
      stdout: 'go\nheard\n',
    },
  };
  for (const [name, { source, asks, sent, stdout }] of Object.entries(stops)) {
    test(`[EX-27] a stop ${name}`, async () => {
      const bench = await openBench(process.platform === 'linux' ? 'forked' : 'cold');
      const { outcome, signals } = await runCell(bench, source, { asks });
      expect({ kind: outcome.kind, stdout: outcome.stdout, sent: signals }).toEqual({
        kind: 'cancelled',
        stdout,
        sent,
      });
    });
  }

  test('[EX-27] closing has no patience with a cell that is being stopped', async () => {
    const bench = await openBench(process.platform === 'linux' ? 'forked' : 'cold');
    const { outcome, signals } = await runCell(bench, tidies, {
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

  test('a cell that sleeps through interrupts is ended all the same', async () => {
    const bench = await openBench(process.platform === 'linux' ? 'forked' : 'cold');
    const { outcome } = await runCell(
      bench,
      "import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nprint('go')\nend = time.time() + 60\nwhile time.time() < end: time.sleep(1)",
      { cancelAt: 'go' },
    );
    expect(outcome.kind).toBe('cancelled');
  });

  test('much more printed than is kept: the tail stays, the whole is on disk', async () => {
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
