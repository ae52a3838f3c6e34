import { afterAll, describe, expect, test } from 'vitest';
import { comparableOutcome, executorContract, runCell } from '../testing/executorContract.ts';
import type { LocalExecutorOptions } from './localExecutor.ts';
import { closeBenches, type LocalBench, openLocalBench } from './testing/testBench.ts';

/** The three ways to start a cell's process. */
type Way = 'forked' | 'spare' | 'cold';
const optionsOf: Readonly<Record<Way, Partial<LocalExecutorOptions>>> = {
  forked: { useTemplate: true },
  spare: { useTemplate: false, poolSize: 1 },
  cold: { poolSize: 0 },
};
const ways: readonly Way[] = process.platform === 'linux' ? ['forked', 'spare', 'cold'] : ['spare', 'cold'];

const benches: LocalBench[] = [];

async function openBench(way: Way, imports: readonly string[] = []): Promise<LocalBench> {
  const bench = await openLocalBench(optionsOf[way], way === 'cold' ? null : imports);
  benches.push(bench);
  return bench;
}

afterAll(() => closeBenches(benches));

for (const way of ways) executorContract(`a local executor (${way})`, () => openBench(way));

/** Sources whose outcome must be the same for every way to start the process. Without `gives`: only compared. */
const alike: Readonly<Record<string, { readonly source: string; readonly gives?: Record<string, unknown> }>> =
  {
    'the process looks like a plain interpreter': {
      source: [
        'import os, sys, signal, threading',
        '_facts = [sys.stdin.read(), sys.flags.isolated, sys.flags.utf8_mode, sys.stdout.encoding, os.cpu_count() > 0]',
        'facts = [sys.path[0] == os.getcwd(), __name__, sys.argv, threading.active_count()] + _facts',
        'handlers = [str(signal.getsignal(s)) for s in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD, signal.SIGPIPE)][1:]',
        'leads_group = os.getpid() == os.getpgid(0) and os.getpid() == os.getsid(0)',
        "threads = [os.environ.get(n) for n in ('OMP_NUM_THREADS', 'PYTHONDONTWRITEBYTECODE', 'PYTHONPATH')]",
        'fds = sorted(int(n) for n in os.listdir("/proc/self/fd"))[:3] if os.path.exists("/proc") else [0, 1, 2]',
      ].join('\n'),
      gives: {
        error: null,
        values: {
          facts: [true, '__main__', [''], 1, '', 1, 1, 'utf-8', true],
          leads_group: true,
          fds: [0, 1, 2],
        },
      },
    },
    'seeded random numbers': {
      source: 'import random\nrandom.seed(7)\nx = [random.randrange(1000) for _ in range(5)]',
      gives: { error: null },
    },
    'a process pool': {
      source: [
        'import multiprocessing, warnings',
        'def square(n): return n * n',
        "pool = multiprocessing.get_context('fork').Pool(2)",
        'with pool: squares = pool.map(square, range(5))',
        'del pool',
      ].join('\n'),
      gives: { error: null, values: { squares: [0, 1, 4, 9, 16] }, stderr: '' },
    },
    'threads, also those that still run at the end': {
      source: [
        'import threading, time',
        // Stored where it does not count as a value of the cell.
        'threading.early = threading.Event()',
        'def late():',
        '    threading.early.wait()',
        '    time.sleep(0.05)',
        "    print('late')",
        'thread = threading.Thread(target=late)',
        'thread.start()',
        'del thread',
        "print('early')",
        'threading.early.set()',
      ].join('\n'),
      gives: { error: null, stdout: 'early\nlate\n' },
    },
    'what a child process prints': {
      source:
        "import subprocess\nprint('a')\nsubprocess.run(['echo', 'b'], check=True).returncode\nprint('c')",
      gives: { error: null, stdout: 'a\nb\nc\n' },
    },
    'exit handlers and temporary folders': {
      source:
        "import atexit, tempfile\natexit.register(print, 'bye')\nfolder = tempfile.TemporaryDirectory()\ndel folder",
      gives: { error: null, stdout: 'bye\n' },
    },
    'a fork that returns to the end of the cell': {
      source:
        "import os\npid = os.fork()\nif pid == 0: print('child')\nelse: os.waitpid(pid, 0)\nx = 5\ndel pid",
      gives: { error: null, stdout: 'child\n', values: { x: 5 } },
    },
    'os.wait sees only its own children': {
      source:
        'import os\nif os.fork() == 0: os._exit(4)\nstatus = os.waitstatus_to_exitcode(os.wait()[1])\ntry: os.wait()\nexcept ChildProcessError: none = True',
      gives: { error: null, values: { status: 4, none: true } },
    },
    'a closed standard output': {
      source: "import sys\nprint('x')\nsys.stdout.close()\ny = 2",
      gives: { error: null, values: { y: 2 } },
    },
    'closed descriptors': {
      source: 'import os\nos.close(1)\nos.close(2)\ny = 2',
      gives: { error: null, values: { y: 2 } },
    },
    'bytes that are not text': {
      source: "import os\nos.write(1, 'é'.encode()[:1])\nos.write(1, 'é'.encode()[1:] + b'\\xff!\\n')\ny = 1",
      gives: { stdout: 'é\ufffd!\n' },
    },
    'a memory limit': {
      source: 'import resource\nresource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))\nx = bytearray(2**31)',
      gives: { error: 'MemoryError' },
    },
    'input()': { source: "name = input('who?')", gives: { kind: 'finished', stdout: '' } },
    'a warning': { source: "import warnings\nwarnings.warn('careful')\nz = 1", gives: { error: null } },
    'an exit code': { source: 'import sys\nsys.exit(3)', gives: { kind: 'finished' } },
  };

describe('equal results forked, spare and cold', () => {
  const benchesByWay = new Map<Way, Promise<LocalBench>>();
  const benchOf = (way: Way) => {
    const bench =
      benchesByWay.get(way) ?? openBench(way, ['random', 'multiprocessing', 'subprocess', 'json']);
    benchesByWay.set(way, bench);
    return bench;
  };

  for (const [name, { source, gives }] of Object.entries(alike)) {
    test(name, async () => {
      const gists = await Promise.all(
        ways.map(async (way) => comparableOutcome((await runCell(await benchOf(way), source)).outcome)),
      );
      const [first] = gists;
      for (const other of gists) expect(other).toEqual(first);
      expect(first).toMatchObject(gives ?? {});
    });
  }

  test('random numbers without a seed differ from run to run', async () => {
    const bench = await benchOf(ways[0] ?? 'cold');
    const source = 'import random\nx = random.getrandbits(53)';
    const runs = await Promise.all([1, 2, 3].map(() => runCell(bench, source)));
    expect(
      new Set(runs.map(({ outcome }) => JSON.stringify(comparableOutcome(outcome)['values']))).size,
    ).toBe(3);
  });
});
