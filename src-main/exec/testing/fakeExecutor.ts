/** An executor for tests: it interprets a few Python statements, starts no process and writes no file. */

import type { HarnessOutput, HarnessResult } from '../../../src-shared/wire/harness.ts';
import type { ConsoleText, ExecOutcome, ExecRequest, Executor, RunOptions } from '../executor.ts';
import type { Inspection, InspectRequest } from '../inspection.ts';
import { FakeInspection } from './fakeInspection.ts';

interface FakeExecutor extends Executor {
  /** Every request run so far, in order. */
  readonly requests: readonly ExecRequest[];
  /** Every console opened so far, in order. */
  readonly inspected: readonly InspectRequest[];
  /** The prepared interpreters that have not been retired, by identity, with their imports. */
  readonly prepared: ReadonlyMap<string, readonly string[]>;
}

/**
 * It understands, line by line:
 * `print('text')`, `print('text', file=sys.stderr)`, `time.sleep(seconds)` (ends early on cancellation or
 * timeout), `raise Name('text')`, `os._exit(code)`, `name = <JSON>`, and a last line that is one of those
 * names. It skips `import` lines. Anything else fails the cell, as an error of the test.
 */
export function createFakeExecutor(): FakeExecutor {
  const requests: ExecRequest[] = [];
  const prepared = new Map<string, readonly string[]>();
  const closing = new AbortController();
  const running = new Set<Promise<ExecOutcome>>();
  const inspected: InspectRequest[] = [];
  const consoles = new Set<Inspection>();

  return {
    requests,
    inspected,
    inspect(request) {
      inspected.push(request);
      const console = new FakeInspection(request);
      consoles.add(console);
      if (closing.signal.aborted) void console.close();
      return console;
    },
    prepared,
    run(request, options) {
      requests.push(request);
      const signal = AbortSignal.any([options.signal, closing.signal]);
      const outcome = interpret(request, { ...options, signal });
      running.add(outcome);
      void outcome.then(() => running.delete(outcome));
      return outcome;
    },
    async prepare(interpreter, imports) {
      if (!closing.signal.aborted) prepared.set(interpreter.identity, imports);
    },
    async retire(interpreter) {
      prepared.delete(interpreter.identity);
    },
    async memory() {
      return [...prepared.keys()].map((identity, index) => ({
        pid: index + 1,
        identity,
        role: 'template',
        residentBytes: null,
      }));
    },
    async close() {
      closing.abort();
      prepared.clear();
      await Promise.all([...running, ...Array.from(consoles, (console) => console.close())]);
    },
  };
}

type Step =
  | { readonly kind: 'next' | 'stopped' }
  | { readonly kind: 'failed'; readonly error: string }
  | { readonly kind: 'exited'; readonly code: number };

async function interpret(request: ExecRequest, options: RunOptions): Promise<ExecOutcome> {
  const startedAt = performance.now();
  const text = { stdout: '', stderr: '' };
  const variables: Record<string, HarnessOutput> = {};
  const print = (stream: ConsoleText['stream'], line: string) => {
    text[stream] += line;
    options.onConsole({ stream, text: line });
  };
  const timeout = request.timeoutSeconds > 0 ? AbortSignal.timeout(request.timeoutSeconds * 1000) : null;
  const signal = timeout === null ? options.signal : AbortSignal.any([options.signal, timeout]);
  const timing = () => ({
    method: 'cold' as const,
    durationMs: performance.now() - startedAt,
    stdout: text.stdout,
    stderr: text.stderr,
  });
  const finished = (part: { success: true } | { success: false; error: string; traceback: string }) => {
    const result: HarnessResult = {
      ...part,
      variables: part.success ? variables : {},
      displays: part.success && variables['_'] !== undefined ? [variables['_']] : [],
      mutation_warnings: [],
      build_env: 'fake',
    };
    return { kind: 'finished' as const, result, ...timing() };
  };
  for (const line of request.source.split('\n')) {
    const step = signal.aborted
      ? { kind: 'stopped' as const }
      : await runLine(line, { signal, print, variables });
    if (step.kind === 'stopped' || signal.aborted) {
      const kind = options.signal.aborted ? 'cancelled' : 'timeout';
      return { kind, message: `The run ended: ${kind}.`, ...timing() };
    }
    if (step.kind === 'failed') return finished({ success: false, error: step.error, traceback: step.error });
    if (step.kind === 'exited') return { kind: 'crashed', message: `exit code ${step.code}`, ...timing() };
  }
  return finished({ success: true });
}

async function runLine(
  line: string,
  world: {
    readonly signal: AbortSignal;
    readonly print: (stream: ConsoleText['stream'], line: string) => void;
    readonly variables: Record<string, HarnessOutput>;
  },
): Promise<Step> {
  const { signal, print, variables } = world;
  if (/^\s*(import .*|#.*)?$/.test(line)) return { kind: 'next' };
  const printMatch = /^print\('([^']*)'(, file=sys\.stderr)?\)$/.exec(line);
  if (printMatch !== null) {
    print(printMatch[2] === undefined ? 'stdout' : 'stderr', `${printMatch[1]}\n`);
    return { kind: 'next' };
  }
  const sleepMatch = /^time\.sleep\(([\d.]+)\)$/.exec(line);
  if (sleepMatch !== null) {
    await sleep(Number(sleepMatch[1]) * 1000, signal);
    return { kind: signal.aborted ? 'stopped' : 'next' };
  }
  const raiseMatch = /^raise (\w+)\('([^']*)'\)$/.exec(line);
  if (raiseMatch !== null) return { kind: 'failed', error: `${raiseMatch[1]}: ${raiseMatch[2]}` };
  const exitMatch = /^os\._exit\((\d+)\)$/.exec(line);
  if (exitMatch !== null) return { kind: 'exited', code: Number(exitMatch[1]) };
  const assignment = /^(\w+) = (.+)$/.exec(line);
  if (assignment !== null) {
    const [, name = '', json = ''] = assignment;
    variables[name] = { content_type: 'json/object', bytes: json.length, preview: JSON.parse(json) };
    return { kind: 'next' };
  }
  const value = variables[line];
  if (value === undefined) return { kind: 'failed', error: `FakeExecutor: does not understand ${line}` };
  variables['_'] = value;
  return { kind: 'next' };
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal.addEventListener('abort', finish, { once: true });
  });
}
