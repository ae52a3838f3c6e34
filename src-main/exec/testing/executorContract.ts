/**
 * The tests that every executor must pass, including the fake one, and `runCell`, with which the tests of
 * executors run a cell.
 */

import { describe, expect, test } from 'vitest';
import type { StopSignal } from '../../lib/processGroup.ts';
import { createStop, type StopManner } from '../../lib/stop.ts';
import type { ConsoleText, ExecOutcome, ExecRequest, Executor } from '../executor.ts';

/** One executor under test and a function that makes requests for it. */
export interface ExecutorBench {
  readonly executor: Executor;
  request(source: string, overrides?: Partial<ExecRequest>): ExecRequest;
}

interface CellRun {
  readonly outcome: ExecOutcome;
  /** The texts that `onConsole` received; consecutive ones of one stream are joined. */
  readonly console: readonly ConsoleText[];
  /** The signals sent to stop it. */
  readonly signals: readonly StopSignal[];
}

/**
 * Runs a cell. `cancelAt` aborts it as soon as its live stdout contains the text (an empty text:
 * immediately). `asks` stops it as each entry says, in order, as soon as the entry's key appears.
 */
export async function runCell(
  { executor, request }: { readonly executor: Pick<Executor, 'run'> } & Pick<ExecutorBench, 'request'>,
  source: string,
  options: {
    readonly cancelAt?: string;
    readonly asks?: Readonly<Record<string, StopManner>>;
    readonly onText?: (live: string) => void;
    readonly overrides?: Partial<ExecRequest>;
  } = {},
): Promise<CellRun> {
  const stop = createStop();
  const stopRequests = Object.entries(options.asks ?? {});
  const signals: StopSignal[] = [];
  const console: { stream: ConsoleText['stream']; text: string }[] = [];
  if (options.cancelAt === '') stop.ask('soon');
  const outcome = await executor.run(request(source, options.overrides), {
    signal: stop.signal,
    patience: stop.patience,
    onStopSignal: (signal) => signals.push(signal),
    onConsole({ stream, text }) {
      const last = console.at(-1);
      if (last?.stream === stream) last.text += text;
      else console.push({ stream, text });
      const live = console.map((part) => part.text).join('');
      if (options.cancelAt && live.includes(options.cancelAt)) stop.ask('soon');
      for (let next = stopRequests[0]; next !== undefined && live.includes(next[0]); next = stopRequests[0]) {
        stop.ask(next[1]);
        stopRequests.shift();
      }
      options.onText?.(live);
    },
  });
  return { outcome, console, signals };
}

/** The part of an outcome that must be the same for every kind of process. */
export function comparableOutcome(outcome: ExecOutcome): Record<string, unknown> {
  const { kind, stdout, stderr } = outcome;
  if (outcome.kind !== 'finished') return { kind, stdout, stderr };
  const { result } = outcome;
  const previews = Object.fromEntries(
    Object.entries(result.variables).map(([name, value]) => [name, 'error' in value ? value : value.preview]),
  );
  return { kind, stdout, stderr, error: result.success ? null : result.error, values: previews };
}

interface Row {
  readonly name: string;
  readonly source: string;
  readonly cancelAt?: string;
  readonly timeoutSeconds?: number;
  readonly gives: Record<string, unknown>;
}

const quiet = { stdout: '', stderr: '' };

const rows: readonly Row[] = [
  {
    name: 'results and prints',
    source: "print('one')\nx = {\"a\": [1, 2]}\nprint('two')\nx",
    gives: {
      kind: 'finished',
      stdout: 'one\ntwo\n',
      stderr: '',
      error: null,
      values: { x: { a: [1, 2] }, _: { a: [1, 2] } },
    },
  },
  {
    name: 'both streams',
    source: "import sys\nprint('out')\nprint('err', file=sys.stderr)\ny = 1",
    gives: { kind: 'finished', stdout: 'out\n', stderr: 'err\n', error: null },
  },
  {
    name: 'a failing cell is finished',
    source: "print('before')\nraise ValueError('no')",
    gives: { kind: 'finished', stdout: 'before\n', stderr: '', error: 'ValueError: no', values: {} },
  },
  { name: 'nothing to do', source: '', gives: { kind: 'finished', ...quiet, error: null, values: {} } },
  {
    name: 'cancelled before it starts',
    source: "print('never')",
    cancelAt: '',
    gives: { kind: 'cancelled', ...quiet },
  },
  {
    name: '[EX-12] cancelled while it runs',
    source: "import time\nprint('go')\ntime.sleep(60)\nprint('never')",
    cancelAt: 'go',
    gives: { kind: 'cancelled', stdout: 'go\n' },
  },
  {
    name: '[EX-12] out of time',
    source: "import time\nprint('go')\ntime.sleep(60)",
    timeoutSeconds: 0.2,
    gives: { kind: 'timeout' },
  },
  {
    name: 'ends its own process',
    source: "import os\nprint('last words')\nos._exit(3)",
    gives: { kind: 'crashed', stdout: 'last words\n' },
  },
];

/** The tests that every executor must pass (executor.ts). `makeBench` is called once. */
export function executorContract(name: string, makeBench: () => Promise<ExecutorBench>): void {
  describe(`${name} keeps the executor contract`, () => {
    let pending: Promise<ExecutorBench> | null = null;
    const bench = () => {
      pending ??= makeBench();
      return pending;
    };

    for (const row of rows) {
      test(row.name, async () => {
        const { outcome, console } = await runCell(await bench(), row.source, {
          ...(row.cancelAt === undefined ? {} : { cancelAt: row.cancelAt }),
          ...(row.timeoutSeconds === undefined ? {} : { overrides: { timeoutSeconds: row.timeoutSeconds } }),
        });
        expect(comparableOutcome(outcome)).toMatchObject(row.gives);
        const live = (stream: ConsoleText['stream']) =>
          console
            .filter((part) => part.stream === stream)
            .map((part) => part.text)
            .join('');
        expect({ stdout: live('stdout'), stderr: live('stderr') }).toEqual({
          stdout: outcome.stdout,
          stderr: outcome.stderr,
        });
        if (outcome.kind !== 'finished') expect(outcome.message).not.toBe('');
      });
    }

    test('runs overlap', async () => {
      const subject = await bench();
      const sources = ['a', 'b', 'c', 'd'].map((letter) => `print('${letter}')\nx = "${letter}"`);
      const runs = await Promise.all(sources.map((source) => runCell(subject, source)));
      expect(runs.map(({ outcome }) => outcome.stdout)).toEqual(['a\n', 'b\n', 'c\n', 'd\n']);
    });

    test('prepare may be repeated, runs still work after retire', async () => {
      const subject = await bench();
      const { interpreter } = subject.request('');
      await Promise.all([
        subject.executor.prepare(interpreter, ['json']),
        subject.executor.prepare(interpreter, ['json']),
      ]);
      const warm = await subject.executor.memory();
      expect(warm.every((process) => process.identity === interpreter.identity)).toBe(true);
      await subject.executor.retire(interpreter);
      expect((await runCell(subject, 'x = 1')).outcome.kind).toBe('finished');
    });

    test('[IN-2] a console evaluates in order, independently of other consoles, until it is closed', async () => {
      const subject = await bench();
      const { interpreter, cwd } = subject.request('');
      const open = () =>
        subject.executor.inspect({ interpreter, cwd, cellId: 'c', notebookId: 'n', inputs: {}, env: {} });
      const [one, other] = [open(), open()];
      expect(await one.started).toEqual({ kind: 'ready', unread: {} });
      const answers = ['1', "print('a')", 'unknown_name', '2'].map((expr) => one.evaluate(expr));
      expect((await Promise.all(answers)).map((answer) => [answer.kind, answer.stdout])).toEqual([
        ['value', ''],
        ['value', 'a\n'],
        ['failed', ''],
        ['value', ''],
      ]);
      const crash = one.evaluate('os._exit(3)');
      await one.close();
      expect((await crash).kind === 'ended' || (await crash).kind === 'failed').toBe(true);
      expect((await one.evaluate('1')).kind).toBe('ended');
      expect(await other.evaluate('3')).toMatchObject({ kind: 'value', result: '3', type: 'int' });
      await other.close();
      expect(await other.ended).not.toBe('');
    });

    test('closing cancels active runs and later ones', async () => {
      const subject = await bench();
      const running = runCell(subject, 'import time\ntime.sleep(60)');
      const { interpreter, cwd } = subject.request('');
      const console = subject.executor.inspect({
        interpreter,
        cwd,
        cellId: 'c',
        notebookId: 'n',
        inputs: {},
        env: {},
      });
      await subject.executor.close();
      expect((await console.evaluate('1')).kind).toBe('ended');
      expect((await running).outcome.kind).toBe('cancelled');
      expect((await runCell(subject, 'x = 1')).outcome.kind).toBe('cancelled');
    });
  });
}
