import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { RunFolder } from './runFolder.ts';
import { RunRegistry, type RunRegistryOptions } from './runRegistry.ts';

const BUNDLE = { bytes: 5, stream: () => Readable.from(['tar..']) };
const folderOf = (path: string): RunFolder => ({
  path,
  inputs: path,
  output: path,
  work: path,
  remove: async () => undefined,
});

function book(options: Partial<RunRegistryOptions> = {}) {
  const dropped: string[] = [];
  return { dropped, runs: new RunRegistry({ drop: ({ path }) => dropped.push(path), ...options }) };
}

function listen(runs: RunRegistry, buildId: string) {
  const events: string[] = [];
  const stop = runs.listen(buildId, {
    line: ({ text }) => events.push(text),
    over: () => events.push('<over>'),
  });
  return { events, stop };
}

const line = (text: string) => ({ stream: 'stdout', text }) as const;

describe('[BU-11] listeners of a run', () => {
  it('get the console if they listen before, during or after the run, until they stop', () => {
    const { runs } = book();
    const [early, stopped] = [listen(runs, 'b'), listen(runs, 'b')];
    stopped.stop();
    const run = runs.begin('b', folderOf('f'), true);
    run.onConsole(line('one'));
    const during = listen(runs, 'b');
    run.onConsole(line('two'));
    during.stop();
    run.onConsole(line('three'));
    run.close();
    const late = listen(runs, 'b');
    expect([early.events, during.events, late.events, stopped.events]).toEqual([
      ['one', 'two', 'three', '<over>'],
      ['one', 'two'],
      ['one', 'two', 'three', '<over>'],
      [],
    ]);
  });

  it('get the last 64 Ki characters if they listen late', () => {
    const { runs } = book();
    const run = runs.begin('b', folderOf('f'), false);
    for (let i = 0; i < 100; i += 1) run.onConsole(line(String(i).padStart(1_000, '.')));
    expect(listen(runs, 'b').events.map(Number.parseFloat)).toHaveLength(65);
  });

  it('of a run that never starts end when the worker stops', () => {
    const { runs } = book();
    const { events } = listen(runs, 'b');
    runs.close();
    expect(events).toEqual(['<over>']);
  });
});

describe('[BU-12] stored bundles', () => {
  it('stores a bundle that could not be delivered', async () => {
    const { runs, dropped } = book();
    const folder = folderOf('undelivered');
    const run = runs.begin('b', folder, true);
    run.bundled(BUNDLE);
    run.failed(new Error('nobody is at that address'));
    run.close();
    expect([runs.keeps(folder), dropped]).toEqual([true, []]);
    expect(await runs.find('b')?.ended).toEqual({ kind: 'bundle', bundle: BUNDLE });
  });

  it('stores a requested bundle until it is forgotten, and no other', async () => {
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
    ['too many', { maxBundles: 2 }, ['f0']],
    ['too many bytes', { maxBundleBytes: 9 }, ['f0', 'f1']],
  ])('removes the oldest bundles if there are %s', (_name, limits, expected) => {
    const { runs, dropped } = book(limits);
    for (const i of [0, 1, 2]) {
      const run = runs.begin(`b${i}`, folderOf(`f${i}`), true);
      run.bundled(BUNDLE);
      run.close();
    }
    expect(dropped).toEqual(expected);
  });
});
