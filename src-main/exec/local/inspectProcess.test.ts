import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { InspectAnswer, Inspection } from '../inspection.ts';
import { closeBenches, type LocalBench, openLocalBench } from './testing/testBench.ts';

const benches: LocalBench[] = [];
afterAll(() => closeBenches(benches));

async function open(inputs: Readonly<Record<string, unknown>> = {}): Promise<[Inspection, LocalBench]> {
  const bench = await openLocalBench({ poolSize: 0 }, null);
  benches.push(bench);
  const files = join(bench.dir, 'values');
  mkdirSync(files);
  const specs = Object.entries(inputs).map(([name, value]) => {
    const file = join(files, `${name}.json`);
    if (value !== undefined) writeFileSync(file, JSON.stringify(value));
    return [name, { content_type: 'json/object', file }] as const;
  });
  const { interpreter, cwd } = bench.request('');
  const request = { interpreter, cwd, cellId: 'c1', notebookId: 'n1', env: { ASKED: 'yes' } };
  return [bench.executor.inspect({ ...request, inputs: Object.fromEntries(specs) }), bench];
}

/** Resolves once the evaluated code has written the file. */
function began({ dir }: LocalBench): Promise<void> {
  return vi.waitFor(() => expect(existsSync(join(dir, 'began'))).toBe(true), {
    timeout: 45_000,
    interval: 10,
  });
}

/** The part of an answer that the specification defines. */
function gist(answer: InspectAnswer): readonly unknown[] {
  const { kind, stdout } = answer;
  if (answer.kind === 'value') return [kind, answer.result, answer.type, stdout];
  return [kind, answer.error.trimEnd().split('\n').at(-1), stdout];
}

const rows: readonly [string, string, readonly unknown[]][] = [
  ['an expression', '1 + 1', ['value', '2', 'int', '']],
  ['a value of the cell', 'x["a"]', ['value', '[1, 2]', 'list', '']],
  ['an expression that prints', "print('out')", ['value', 'None', 'NoneType', 'out\n']],
  ['a statement', 'y = 2', ['value', null, 'str', '']],
  ['a statement that prints', 'for i in range(2): print(i)', ['value', null, 'str', '0\n1\n']],
  ['a variable of an earlier statement', 'y + 1', ['value', '3', 'int', '']],
  ['the previous value', '_', ['value', '3', 'int', '']],
  [
    'what a child process prints',
    'import os; _ = os.system("echo child")',
    ['value', null, 'str', 'child\n'],
  ],
  ['the environment of the cell', "os.environ['ASKED']", ['value', "'yes'", 'str', '']],
  ['a failure', '1 / 0', ['failed', 'ZeroDivisionError: division by zero', '']],
  ['invalid Python', 'def', ['failed', 'SyntaxError: invalid syntax', '']],
  ['nothing', '', ['value', null, 'str', '']],
  ['sys.exit leaves the console open', 'import sys; sys.exit(3)', ['failed', 'SystemExit: 3', '']],
  ['input is refused', 'input()', ['failed', expect.stringMatching(/cannot ask for input/), '']],
  ['a fork ends after its evaluation', 'z = os.fork()', ['value', null, 'str', '']],
  ['the standard streams are closed', 'os.close(1); os.close(2)', ['value', null, 'str', '']],
  ['an undefined name', 'nobody', ['failed', "NameError: name 'nobody' is not defined", '']],
];

test('[IN-2] eval, else exec, in one process that keeps its variables', async () => {
  const [console] = await open({ x: { a: [1, 2] } });
  for (const [, expr, gives] of rows) {
    expect([expr, gist(await console.evaluate(expr))]).toEqual([expr, gives]);
  }
});

test('[IN-3] a value is shown in up to 4,000 characters, a frame as 20 rows of 15 columns with its preview', async () => {
  const [console] = await open();
  const long = await console.evaluate("'x' * 10_000");
  expect(long).toMatchObject({ kind: 'value', result: expect.stringMatching(/^'x{3998}…$/) });
  await console.evaluate('import pandas as pd; df = pd.DataFrame({f"c{i}": range(100) for i in range(30)})');
  const frame = await console.evaluate('df');
  if (frame.kind !== 'value' || frame.result === null) throw new Error('no value');
  const lines = frame.result.split('\n');
  // Header, 20 rows and a row of dots; index, 14 columns and a column of dots.
  expect([lines.length, lines[0]?.trim().split(/\s+/).length]).toEqual([22, 15]);
  expect(frame.displays).toMatchObject([{ content_type: 'arrow/ipc', rows: 100, preview: { length: 20 } }]);
});

test('[IN-3] figures and rich objects are returned with their bytes', async () => {
  const [console] = await open();
  const figure = await console.evaluate('import matplotlib.pyplot as plt; plt.plot([1, 2])');
  expect(figure.displays).toMatchObject([
    { content_type: 'image/png', data: expect.stringMatching(/^iVBOR/) },
  ]);
  const richObjects = await console.evaluate('display(Markdown("# T")); display(1)');
  expect(richObjects.displays).toMatchObject([
    { content_type: 'text/markdown', preview: '# T' },
    { content_type: 'text/plain', preview: '1' },
  ]);
  const many = await console.evaluate('for i in range(100): display(i)');
  expect(many.displays.length).toBe(20);
});

test('[IN-5] a value that cannot be read is reported with the reason, and the others are available', async () => {
  const [console] = await open({ x: 1, lost: undefined });
  expect(await console.started).toEqual({
    kind: 'ready',
    unread: { lost: expect.stringMatching(/^FileNotFoundError/) },
  });
  expect(gist(await console.evaluate('x'))).toEqual(['value', '1', 'int', '']);
});

test('[IN-4] only the end of 10 MB of output is kept', async () => {
  const [console] = await open();
  const { stdout } = await console.evaluate("print('y' * 10_000_000); print('end')");
  expect(stdout.length).toBeLessThan(66_000);
  expect(stdout).toMatch(/^\[… [\d,]+ bytes of earlier output left out …\]\ny+\nend\n$/);
});

describe('[IN-6] stopping', () => {
  test('an endless loop is stopped on request, and the values stay', async () => {
    const [console, bench] = await open({ x: 1 });
    const endless = console.evaluate('open("began", "w").close()\nwhile True: pass');
    await began(bench);
    console.interrupt();
    expect(await endless).toMatchObject({ kind: 'failed', stopped: 'asked' });
    expect(gist(await console.evaluate('x'))).toEqual(['value', '1', 'int', '']);
  });

  test.each([0, 1, 5, 20])(
    'a stop %i ms after the evaluation was sent takes effect, and no value is lost',
    async (ms) => {
      const [console] = await open({ x: 1 });
      await console.started;
      const endless = console.evaluate('while True: pass');
      // The delay is what this test varies: before the expression has arrived, and while it arrives.
      if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
      console.interrupt();
      expect(await endless).toMatchObject({ kind: 'failed', stopped: 'asked' });
      expect(gist(await console.evaluate('x'))).toEqual(['value', '1', 'int', '']);
    },
  );

  test('code that ignores signals is ended with its console, with a message', async () => {
    const [console, bench] = await open();
    const answer = console.evaluate(
      'import signal\nfor s in (2, 15): signal.signal(s, signal.SIG_IGN)\nprint("deaf")\nopen("began", "w").close()\nwhile True: pass',
    );
    await began(bench);
    console.interrupt();
    expect(await answer).toMatchObject({ kind: 'ended', stdout: 'deaf\n', error: /did not stop/ });
    expect(await console.ended).toMatch(/did not stop/);
  });

  test('an endless evaluation is stopped after 10 s', async () => {
    const [console] = await open();
    const answer = await console.evaluate('import time; time.sleep(60)');
    expect(answer).toMatchObject({ kind: 'failed', stopped: 'timeout' });
    expect(answer.durationMs).toBeGreaterThan(9_900);
    expect((await console.evaluate('1')).kind).toBe('value');
  });
});

describe('[IN-7] the end', () => {
  test.each([
    ['os._exit(3)', /ended itself \(exit code 3\)/],
    ['os.kill(os.getpid(), 9)', /ended by SIGKILL/],
    ['os.close(3)', /ended itself/],
    ['os.write(3, b"no json\\n")', /The console was closed because it sent an invalid answer\./],
    ['os.write(3, b"x" * (17 << 20))', /The console was closed because it sent an invalid answer\./],
  ])('%s ends the console with a message, also for later evaluations', async (expr, message) => {
    const [console] = await open();
    await console.evaluate('import os');
    const answers = await Promise.all([console.evaluate(expr), console.evaluate('1')]);
    // A closed socket is only noticed at the next read, so the first answer may be lost with it.
    expect(answers.at(-1)).toMatchObject({ kind: 'ended', error: expect.stringMatching(message) });
    expect(await console.ended).toMatch(message);
  });

  test('closing ends all started processes, also those outside the group', async () => {
    const [console, bench] = await open();
    await console.evaluate(
      'import subprocess; a = subprocess.Popen(["sleep", "600"], start_new_session=True)\nb = subprocess.Popen(["sleep", "601"])',
    );
    expect(bench.processes().filter((line) => line.includes('sleep')).length).toBe(2);
    await console.close();
    expect(bench.processes()).toEqual([]);
  });

  test('a missing interpreter is reported with a message', async () => {
    const [, bench] = await open();
    const request = { cwd: bench.dir, cellId: 'c', notebookId: 'n', inputs: {}, env: {} };
    const failing = bench.executor.inspect({
      ...request,
      interpreter: { path: '/no/python', identity: 'x' },
    });
    expect(await failing.started).toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(/could not be started/),
    });
    expect((await failing.evaluate('1')).kind).toBe('ended');
  });
});
