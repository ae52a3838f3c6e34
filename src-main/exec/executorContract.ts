import { describe, expect, test } from 'vitest';
import type { StopSignal } from '../lib/processGroup.ts';
import { createStop, type StopManner } from '../lib/stop.ts';
import type { ConsoleText, ExecOutcome, ExecRequest, Executor } from './executor.ts';

/** One executor under test and how to ask it. */
export interface ExecutorBench {
  readonly executor: Executor;
  request(source: string, overrides?: Partial<ExecRequest>): ExecRequest;
}

export interface Ran {
  readonly outcome: ExecOutcome;
  /** What onConsole was told, neighbours of one stream joined. */
  readonly console: readonly ConsoleText[];
  /** What it was sent to stop it. */
  readonly signals: readonly StopSignal[];
}

/**
 * Runs a cell; `cancelAt` aborts as soon as the live stdout holds the text (at once: an empty text), `asks` stop it in
 * their manners, each as soon as the text before it is there.
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
): Promise<Ran> {
  const stop = createStop();
  const asks = Object.entries(options.asks ?? {});
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
      for (let next = asks[0]; next !== undefined && live.includes(next[0]); next = asks[0]) {
        stop.ask(next[1]);
        asks.shift();
      }
      options.onText?.(live);
    },
  });
  return { outcome, console, signals };
}

/** The part of an outcome that must not depend on how the process came to be. */
export function gist(outcome: ExecOutcome): Record<string, unknown> {
  const { kind, stdout, stderr } = outcome;
  if (outcome.kind !== 'finished') return { kind, stdout, stderr };
  const { result } = outcome;
  const values = Object.fromEntries(
    Object.entries(result.variables).map(([name, value]) => [name, 'error' in value ? value : value.preview]),
  );
  return { kind, stdout, stderr, error: result.success ? null : result.error, values };
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

/** What every executor promises (executor.ts). `makeBench` is asked once; the suite closes what it gave. */
export function executorContract(name: string, makeBench: () => Promise<ExecutorBench>): void {
  describe(`${name} keeps the executor contract`, () => {
    let opened: Promise<ExecutorBench> | null = null;
    const bench = () => {
      opened ??= makeBench();
      return opened;
    };

    for (const row of rows) {
      test(row.name, async () => {
        const { outcome, console } = await runCell(await bench(), row.source, {
          ...(row.cancelAt === undefined ? {} : { cancelAt: row.cancelAt }),
          ...(row.timeoutSeconds === undefined ? {} : { overrides: { timeoutSeconds: row.timeoutSeconds } }),
        });
        expect(gist(outcome)).toMatchObject(row.gives);
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
      const opened = await bench();
      const sources = ['a', 'b', 'c', 'd'].map((letter) => `print('${letter}')\nx = "${letter}"`);
      const ran = await Promise.all(sources.map((source) => runCell(opened, source)));
      expect(ran.map(({ outcome }) => outcome.stdout)).toEqual(['a\n', 'b\n', 'c\n', 'd\n']);
    });

    test('prepare may be repeated, retire leaves runs possible', async () => {
      const opened = await bench();
      const { interpreter } = opened.request('');
      await Promise.all([
        opened.executor.prepare(interpreter, ['json']),
        opened.executor.prepare(interpreter, ['json']),
      ]);
      const warm = await opened.executor.memory();
      expect(warm.every((process) => process.identity === interpreter.identity)).toBe(true);
      await opened.executor.retire(interpreter);
      expect((await runCell(opened, 'x = 1')).outcome.kind).toBe('finished');
    });

    test('[IN-2] a console evaluates in order, among others, until it is closed', async () => {
      const opened = await bench();
      const { interpreter, cwd } = opened.request('');
      const open = () =>
        opened.executor.inspect({ interpreter, cwd, cellId: 'c', notebookId: 'n', inputs: {}, env: {} });
      const [one, other] = [open(), open()];
      expect(await one.started).toEqual({ kind: 'ready', unread: {} });
      const asked = ['1', "print('a')", 'nobody', '2'].map((expr) => one.evaluate(expr));
      expect((await Promise.all(asked)).map((answer) => [answer.kind, answer.stdout])).toEqual([
        ['value', ''],
        ['value', 'a\n'],
        ['failed', ''],
        ['value', ''],
      ]);
      const gone = one.evaluate('os._exit(3)');
      await one.close();
      expect((await gone).kind === 'ended' || (await gone).kind === 'failed').toBe(true);
      expect((await one.evaluate('1')).kind).toBe('ended');
      expect(await other.evaluate('3')).toMatchObject({ kind: 'value', result: '3', type: 'int' });
      await other.close();
      expect(await other.ended).not.toBe('');
    });

    test('closing cancels what runs, and later runs', async () => {
      const opened = await bench();
      const running = runCell(opened, 'import time\ntime.sleep(60)');
      const { interpreter, cwd } = opened.request('');
      const console = opened.executor.inspect({
        ...{ interpreter, cwd, cellId: 'c', notebookId: 'n', inputs: {}, env: {} },
      });
      await opened.executor.close();
      expect((await console.evaluate('1')).kind).toBe('ended');
      expect((await running).outcome.kind).toBe('cancelled');
      expect((await runCell(opened, 'x = 1')).outcome.kind).toBe('cancelled');
    });
  });
}
