import { afterAll, expect, test, vi } from 'vitest';
import type { WidgetMessage } from '../../../src-shared/wire/widgetMessages.ts';
import type { KeptProcess } from '../keptProcess.ts';
import type { LocalExecutorOptions } from './localExecutor.ts';
import { OutputUntilMark } from './outputUntilMark.ts';
import { closeBenches, type LocalBench, noProcessLeft, openLocalBench } from './testing/testBench.ts';

/** How the process of a cell is started; each may be kept. */
const WAYS: readonly [string, Partial<LocalExecutorOptions>][] = [
  ...(process.platform === 'linux' ? [['forked', { useTemplate: true }] as const] : []),
  ['spare', { useTemplate: false, poolSize: 1 }],
  ['cold', { poolSize: 0 }],
].map(([way, options]) => [way, options] as [string, Partial<LocalExecutorOptions>]);

const benches: LocalBench[] = [];
afterAll(() => closeBenches(benches));

const SLIDER = `import ipywidgets as w
print('before')
@w.interact(x=(0, 10))
def square(x=4):
    print(x * x)`;

async function runKept(bench: LocalBench, source: string) {
  let keptProcess: KeptProcess | null = null;
  let printed = '';
  const outcome = await bench.executor.run(bench.request(source), {
    signal: new AbortController().signal,
    onConsole: ({ text }) => {
      printed += text;
    },
    onKept: (process) => {
      keptProcess = process;
    },
  });
  return { outcome, printed, kept: keptProcess as KeptProcess | null };
}

interface Model {
  readonly model_name: string;
  readonly state: Readonly<Record<string, unknown>>;
}
const modelsOf = async (kept: KeptProcess): Promise<Readonly<Record<string, Model>>> =>
  ((await kept.state()) as { state: Record<string, Model> }).state;

test.each(WAYS)('[WG-36] a %s process stays for its widgets and answers them', async (_way, options) => {
  // A template and a spare have imported the library before they know of the run.
  const imports = options.poolSize === 0 ? null : ['ipywidgets'];
  const bench = await openLocalBench(options, imports);
  benches.push(bench);
  const { outcome, printed, kept } = await runKept(bench, SLIDER);
  expect(outcome).toMatchObject({ kind: 'finished', result: { success: true }, stdout: 'before\n' });
  expect(printed).toBe('before\n');
  if (kept === null) throw new Error('the process was not kept');
  const messages: WidgetMessage[] = [];
  kept.listen((message) => messages.push(message));
  const models = await modelsOf(kept);
  const slider = Object.keys(models).find((id) => models[id]?.model_name === 'IntSliderModel') ?? '';
  const data = { method: 'update', state: { value: 7 }, buffer_paths: [] };
  kept.send({ type: 'comm_msg', comm_id: slider, msg_id: 'm1', data, buffers: [] });
  await vi.waitFor(() => expect(messages.at(-1)).toEqual({ type: 'done', msg_id: 'm1' }), {
    timeout: 60_000,
    interval: 10,
  });
  // Messages sent meanwhile contain the id of the message that they answer.
  expect(new Set(messages.map(({ msg_id }) => msg_id))).toEqual(new Set(['m1']));
  const after = Object.values(await modelsOf(kept));
  expect(after.find(({ model_name }) => model_name === 'OutputModel')?.state['outputs']).toEqual([
    { output_type: 'stream', name: 'stdout', text: '49\n' },
  ]);
  await kept.close();
  expect(await kept.ended).toBe('It was ended.');
  await bench.executor.close();
  await noProcessLeft(bench);
});

test('[WG-36] a process without widgets ends with its run, and a closed executor ends those that stay', async () => {
  const bench = await openLocalBench({ poolSize: 0 }, null);
  benches.push(bench);
  const rows: readonly [string, string, boolean][] = [
    ['no widgets', 'x = 1', false],
    ['a widget that is not shown', 'import ipywidgets as w\ns = w.IntSlider()', false],
    ['a failure', 'import ipywidgets as w\ndisplay(w.IntSlider())\n1 / 0', false],
    ['a widget', 'import ipywidgets as w\ndisplay(w.IntSlider())', true],
  ];
  for (const [name, source, isKept] of rows) {
    const { kept } = await runKept(bench, source);
    expect(kept !== null, name).toBe(isKept);
  }
  await bench.executor.close();
  await noProcessLeft(bench);
});

/** Pieces of a stream, and the output before the mark `<mark>`. */
const PIECES: readonly [string, readonly string[], string][] = [
  ['no mark', ['ab', 'cd'], 'abcd'],
  ['in one piece', ['ab<mark>cd', 'ef'], 'ab'],
  ['across pieces', ['ab<ma', 'rk>cd'], 'ab'],
  ['byte by byte', [...'ab<mark>cd'], 'ab'],
  ['the beginning of a mark, and another', ['ab<m', 'a<ma', 'rk>'], 'ab<ma'],
  ['at the start', ['<mark>ab'], ''],
  ['only its beginning', ['ab<mar'], 'ab<mar'],
];

test.each(PIECES)('[WG-36] the output of the run ends at the mark: %s', (_name, pieces, before) => {
  let passed = '';
  const split = new OutputUntilMark('<mark>', (bytes) => {
    passed += bytes.toString('latin1');
  });
  for (const piece of pieces) split.push(Buffer.from(piece, 'latin1'));
  split.flush();
  expect(passed).toBe(before);
});
