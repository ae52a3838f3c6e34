import type { HarnessOutput, HarnessResult } from '../../src-shared/wire/harness.ts';
import type { ConsoleText, ExecOutcome, ExecRequest, Executor, RunOptions } from './executor.ts';
import { FakeInspection } from './fakeInspection.ts';
import type { Inspection, InspectRequest } from './inspection.ts';

export interface FakeExecutor extends Executor {
  /** Every request run so far, in order. */
  readonly requests: readonly ExecRequest[];
  /** Every console asked for, in order. */
  readonly inspected: readonly InspectRequest[];
  /** Interpreters prepared and not retired since, by identity, with their imports. */
  readonly prepared: ReadonlyMap<string, readonly string[]>;
}

/**
 * An executor for tests of what is above it: no process, no file. It understands, line by line:
 * `print('text')`, `print('text', file=sys.stderr)`, `time.sleep(seconds)` (ends early when cancelled or out
 * of time), `raise Name('text')`, `os._exit(code)`, `name = <JSON>`, and a last line that is one of those
 * names. `import` lines are skipped. Anything else fails the cell, as a mistake of the test.
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
  const limit = request.timeoutSeconds > 0 ? AbortSignal.timeout(request.timeoutSeconds * 1000) : null;
  const signal = limit === null ? options.signal : AbortSignal.any([options.signal, limit]);
  const end = () => ({
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
    return { kind: 'finished' as const, result, ...end() };
  };
  for (const line of request.source.split('\n')) {
    const step = signal.aborted
      ? { kind: 'stopped' as const }
      : await runLine(line, { signal, print, variables });
    if (step.kind === 'stopped' || signal.aborted) {
      const kind = options.signal.aborted ? 'cancelled' : 'timeout';
      return { kind, message: `The run ended: ${kind}.`, ...end() };
    }
    if (step.kind === 'failed') return finished({ success: false, error: step.error, traceback: step.error });
    if (step.kind === 'exited') return { kind: 'crashed', message: `exit code ${step.code}`, ...end() };
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
  const printed = /^print\('([^']*)'(, file=sys\.stderr)?\)$/.exec(line);
  if (printed !== null) {
    print(printed[2] === undefined ? 'stdout' : 'stderr', `${printed[1]}\n`);
    return { kind: 'next' };
  }
  const slept = /^time\.sleep\(([\d.]+)\)$/.exec(line);
  if (slept !== null) {
    await sleep(Number(slept[1]) * 1000, signal);
    return { kind: signal.aborted ? 'stopped' : 'next' };
  }
  const raised = /^raise (\w+)\('([^']*)'\)$/.exec(line);
  if (raised !== null) return { kind: 'failed', error: `${raised[1]}: ${raised[2]}` };
  const exited = /^os\._exit\((\d+)\)$/.exec(line);
  if (exited !== null) return { kind: 'exited', code: Number(exited[1]) };
  const assigned = /^(\w+) = (.+)$/.exec(line);
  if (assigned !== null) {
    const [, name = '', json = ''] = assigned;
    variables[name] = { content_type: 'json/object', bytes: json.length, preview: JSON.parse(json) };
    return { kind: 'next' };
  }
  const shown = variables[line];
  if (shown === undefined) return { kind: 'failed', error: `FakeExecutor: does not understand ${line}` };
  variables['_'] = shown;
  return { kind: 'next' };
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}
