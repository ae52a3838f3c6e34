import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { RunBook, type RunBookOptions } from './runBook.ts';
import type { RunFolder } from './runFolder.ts';

const BUNDLE = { bytes: 5, stream: () => Readable.from(['tar..']) };
const folderOf = (path: string): RunFolder => ({
  ...{ path, inputs: path, output: path, work: path },
  remove: async () => undefined,
});

function book(options: Partial<RunBookOptions> = {}) {
  const dropped: string[] = [];
  return { dropped, runs: new RunBook({ drop: ({ path }) => dropped.push(path), ...options }) };
}

function listening(runs: RunBook, buildId: string) {
  const heard: string[] = [];
  const stop = runs.listen(buildId, {
    line: ({ text }) => heard.push(text),
    over: () => heard.push('<over>'),
  });
  return { heard, stop };
}

const line = (text: string) => ({ stream: 'stdout', text }) as const;

describe('[BU-11] who listens to a run', () => {
  it('early, amid it, late, and no more', () => {
    const { runs } = book();
    const [early, gone] = [listening(runs, 'b'), listening(runs, 'b')];
    gone.stop();
    const run = runs.begin('b', folderOf('f'), true);
    run.onConsole(line('one'));
    const amid = listening(runs, 'b');
    run.onConsole(line('two'));
    amid.stop();
    run.onConsole(line('three'));
    run.close();
    const late = listening(runs, 'b');
    expect([early.heard, amid.heard, late.heard, gone.heard]).toEqual([
      ['one', 'two', 'three', '<over>'],
      ['one', 'two'],
      ['one', 'two', 'three', '<over>'],
      [],
    ]);
  });

  it('late hears the last 64 Ki characters', () => {
    const { runs } = book();
    const run = runs.begin('b', folderOf('f'), false);
    for (let i = 0; i < 100; i += 1) run.onConsole(line(String(i).padStart(1_000, '.')));
    expect(listening(runs, 'b').heard.map(Number.parseFloat)).toHaveLength(65);
  });

  it('for a run that never comes is told when the worker ends', () => {
    const { runs } = book();
    const { heard } = listening(runs, 'b');
    runs.close();
    expect(heard).toEqual(['<over>']);
  });
});

describe('[BU-12] what is kept', () => {
  it('a bundle that could not be delivered stays for who comes back for it', async () => {
    const { runs, dropped } = book();
    const folder = folderOf('undelivered');
    const run = runs.begin('b', folder, true);
    run.bundled(BUNDLE);
    run.failed(new Error('nobody is at that address'));
    run.close();
    expect([runs.keeps(folder), dropped]).toEqual([true, []]);
    expect(await runs.find('b')?.ended).toEqual({ kind: 'bundle', bundle: BUNDLE });
  });

  it('a bundle that was asked for, until it is forgotten; any other goes with its answer', async () => {
    const { runs, dropped } = book();
    const [kept, plain, failed] = [folderOf('kept'), folderOf('plain'), folderOf('failed')];
    const one = runs.begin('kept', kept, true);
    const other = runs.begin('plain', plain, false);
    const bad = runs.begin('failed', failed, true);
    expect(runs.forget('kept')).toBe(false);
    one.bundled(BUNDLE);
    other.bundled(BUNDLE);
    bad.failed(new Error('no'));
    for (const run of [one, other, bad]) run.close();
    expect([kept, plain, failed].map((folder) => runs.keeps(folder))).toEqual([true, false, false]);
    expect(await runs.find('kept')?.ended).toEqual({ kind: 'bundle', bundle: BUNDLE });
    expect(await runs.find('failed')?.ended).toMatchObject({ kind: 'failed' });
    expect(runs.find('plain')).toBeNull();
    expect([runs.forget('kept'), runs.forget('kept'), dropped]).toEqual([true, false, ['kept']]);
  });

  it.each([
    ['more than the number', { mostKept: 2 }, ['f0']],
    ['more than the bytes', { mostKeptBytes: 9 }, ['f0', 'f1']],
  ])('%s: the oldest go', (_name, limits, gone) => {
    const { runs, dropped } = book(limits);
    for (const i of [0, 1, 2]) {
      const run = runs.begin(`b${i}`, folderOf(`f${i}`), true);
      run.bundled(BUNDLE);
      run.close();
    }
    expect(dropped).toEqual(gone);
  });
});
