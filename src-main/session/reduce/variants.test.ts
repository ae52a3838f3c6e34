import { describe, expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import type { Origin } from '../state/requests.ts';
import { createWorld, lines, type World } from '../testing/testWorld.ts';
import { pendingPython } from '../testing/toySteps.ts';
import { explainCell } from '../view/explainCell.ts';
import { viewCells, viewDag, viewVariantGroups } from '../view/view.ts';

const id = cellId;
const run = (cell: string, mode: 'normal' | 'rerun' | 'force' = 'normal') =>
  ({ type: 'run_cell', cellId: id(cell), mode, upstream: 'go' }) as const;
const edit = (cell: string, source: string) =>
  ({ type: 'edit_source', cellId: id(cell), source, force: false }) as const;
const choose = (active: string | null, mode: 'switch' | 'sweep' | null = null) =>
  ({ type: 'choose_variant', group: 'm', active, mode }) as const;
const RUN_ALL = { type: 'run_all', mode: 'normal', continueOnError: true } as const;
const CALLER: Origin = { kind: 'caller', identity: 'local' };
const SWEEP = [{ group: 'm', active: '', mode: 'sweep' }] as const;

/** docs/spec/examples.md, 7. */
const WORKED = {
  s0: 'base = 10',
  va: '# @variant m lo\nscore = lower(base)',
  vb: '# @variant m hi\nscore = higher(base)\nextra = 1',
  f1: '# @per_variant\nsq = twice(score)',
  c1: 'score',
  c2: 'sq',
  c3: 'extra',
};

function statuses(world: World): Record<string, string> {
  return Object.fromEntries(
    [...world.state().cells].map(([key, cell]) => [key, [cell.status, ...cell.reasons].join('/')]),
  );
}

/** The key inputs of a run of the cell, without hashes. */
function inputs(world: World, cell: string): readonly string[] {
  const keys = world.state().expected.get(id(cell))?.inputs ?? [];
  return keys.map((key) => key.replaceAll(/[0-9a-f]{64}/g, '…')).sort();
}

function stored(world: World, cell: string): readonly string[] {
  return Object.keys(world.state().cells.get(id(cell))?.artifacts ?? {}).sort();
}

const READY = { s0: 'ready', va: 'ready', vb: 'ready', f1: 'ready', c1: 'ready', c2: 'ready', c3: 'ready' };

describe('a swept group (analysis-and-graph 3.3, 3.4, examples 7)', () => {
  it('[VR-5] [VR-10] [VR-11] run-all runs every member and keeps the fan-out once per variant', () => {
    const world = createWorld(WORKED, { variantGroups: SWEEP });
    world.send(RUN_ALL, CALLER);
    expect(world.settle()).toEqual(['s0', 'va', 'vb', 'f1', 'c1', 'c2', 'c3']);
    expect(statuses(world)).toEqual(READY);
    expect(inputs(world, 'c1')).toEqual(['sweep:score:hi=…;lo=…']);
    expect(inputs(world, 'c2')).toEqual(['fanout:sq:hi=…;lo=…']);
    expect(inputs(world, 'c3')).toEqual(['sweep:extra:hi=…']);
    expect(stored(world, 'f1')).toEqual(['sq@variant=hi', 'sq@variant=lo']);
    const [f1] = viewCells(world.state()).filter((cell) => cell.id === 'f1');
    expect(f1).toMatchObject({
      execution_method: 'fanout',
      fan_out: { group: 'm', variants: ['hi', 'lo'] },
      artifact_uris: {
        'sq@variant=hi': 'svc://artifact/nb_n1_cell_f1_var_sq@variant=hi@v=1',
        'sq@variant=lo': 'svc://artifact/nb_n1_cell_f1_var_sq@variant=lo@v=1',
      },
    });
    world.send(RUN_ALL, CALLER);
    expect(world.settle()).toEqual([]);
    expect(world.state().cells.get(id('f1'))?.method).toBe('fanout');
  });

  it('[VR-11] a fan-out gets one value per run, another reader gets the dict', () => {
    const world = createWorld(WORKED, { variantGroups: SWEEP });
    world.send(RUN_ALL, CALLER);
    const inputsOf: Record<string, readonly string[]> = {};
    for (let next = world.pending[0]; next !== undefined; next = world.pending[0]) {
      const { cellId: cell, inputs: given } = pendingPython(world);
      inputsOf[cell] = given.map(
        ({ variable, variant, perRun }) => `${variable}/${variant}${perRun ? '!' : ''}`,
      );
      world.step();
    }
    expect(inputsOf).toMatchObject({
      va: ['base/null'],
      f1: ['score/hi!', 'score/lo!'],
      c1: ['score/hi', 'score/lo'],
      c2: ['sq/hi', 'sq/lo'],
      c3: ['extra/hi'],
    });
  });

  it('[VR-12] an edited member only makes its own value stale; of the fan-out only that run must be repeated', () => {
    const world = createWorld(WORKED, { variantGroups: SWEEP });
    world.send(RUN_ALL, CALLER);
    world.settle();
    world.send(edit('va', '# @variant m lo\nscore = lowest(base)'));
    expect(statuses(world)).toMatchObject({ va: 'idle', vb: 'ready', f1: 'stale/upstream', c3: 'ready' });
    world.send(run('va'), CALLER);
    world.settle();
    world.send(run('f1'), CALLER);
    const before = world.state().cells.get(id('f1'))?.artifacts;
    world.settle();
    const after = world.state().cells.get(id('f1'))?.artifacts;
    const bytes = (artifacts: typeof after, label: string) => artifacts?.[label]?.[0]?.contentSha256;
    expect(bytes(after, 'sq@variant=hi')).toBe(bytes(before, 'sq@variant=hi'));
    expect(bytes(after, 'sq@variant=lo')).not.toBe(bytes(before, 'sq@variant=lo'));
    expect(statuses(world)).toMatchObject({ f1: 'ready' });
  });

  it('[VR-6] a failing member fails its readers, and only a force run uses the existing values', () => {
    const world = createWorld({ ...WORKED, va: '# @variant m lo\nscore = boom' }, { variantGroups: SWEEP });
    world.send(run('c1'), CALLER);
    world.settle();
    expect(statuses(world)).toMatchObject({ va: 'error', vb: 'ready', c1: 'error' });
    world.send(run('c1', 'force'), CALLER);
    expect(pendingPython(world).inputs.map(({ variant, row }) => [variant, row !== null])).toEqual([
      ['hi', true],
      ['lo', false],
    ]);
  });

  it('[VR-7] a failing run fails the fan-out, and finished runs are reused the next time', () => {
    const world = createWorld(WORKED, { variantGroups: SWEEP });
    world.send(run('va'), CALLER);
    world.settle();
    world.send(run('f1'), CALLER);
    while (world.pending[0]?.request.cellId !== 'f1') world.step();
    const request = pendingPython(world);
    expect(request).toMatchObject({ shape: 'fan_out', runs: [{ variant: 'hi' }, { variant: 'lo' }] });
    world.step({
      kind: 'failed',
      error: '[variant=lo] ValueError: no',
      traceback: null,
      suggestInstall: null,
      stdout: '',
      stderr: '',
      method: 'error',
      durationMs: 1,
      published: [],
    });
    expect(statuses(world)).toMatchObject({ f1: 'error', c2: 'idle' });
  });

  it('[VR-3] over one switched group the fan-out is an ordinary cell', () => {
    const world = createWorld(WORKED, { variantGroups: SWEEP });
    world.send(RUN_ALL, CALLER);
    world.settle();
    world.send(choose('hi', 'switch'), CALLER);
    expect(viewCells(world.state()).find((cell) => cell.id === 'f1')?.fan_out).toBeUndefined();
    expect(statuses(world)).toMatchObject({
      va: 'idle',
      vb: 'ready',
      f1: 'stale/upstream',
      c3: 'stale/upstream',
    });
    world.send(run('c2'), CALLER);
    expect(world.settle()).toEqual(['f1', 'c2']);
    world.send(choose(null, 'sweep'), CALLER);
    // f1 shows its last run, which was for no variant; c2 shows a result over its plain value.
    expect(statuses(world)).toEqual({ ...READY, f1: 'stale/upstream', c2: 'stale/upstream' });
  });
});

describe('a switched group (analysis-and-graph 3.2)', () => {
  it('[VR-8] the inactive member is idle, never runs and is refused with a message', () => {
    const world = createWorld(WORKED);
    world.send(RUN_ALL, CALLER);
    world.settle();
    expect(statuses(world)).toMatchObject({ va: 'ready', vb: 'idle', c1: 'ready' });
    expect(world.send(run('vb'), CALLER)).toMatchObject({
      kind: 'refused',
      error: { code: 'conflict', message: expect.stringContaining('`hi` of `m` is not active') },
    });
    expect(explainCell(world.state(), id('vb'))?.headline).toBe(
      'This variant is not active, so it does not run. The active variant of `m` is `lo`.',
    );
    const view = viewCells(world.state());
    expect(view.map((cell) => `${cell.id} ${cell.variant_active} ${cell.is_leaf}`)).toEqual([
      's0 true false',
      'va true false',
      'vb false false',
      'f1 true false',
      'c1 true true',
      'c2 true true',
      'c3 true true',
    ]);
    expect(viewDag(world.state()).topological_order).not.toContain('vb');
  });

  it('[VR-13] choosing sends the graph and the statuses; switching back, everything is ready without a run', () => {
    const world = createWorld(WORKED);
    world.send(RUN_ALL, CALLER);
    world.settle();
    world.frames.length = 0;
    world.send(choose('hi'));
    expect(lines(world.frames)).toEqual([
      'dag_update',
      'status va idle',
      expect.stringMatching(/^status f1 stale upstream/),
      expect.stringMatching(/^status c1 /),
      expect.stringMatching(/^status c2 /),
      expect.stringMatching(/^status c3 /),
    ]);
    expect(viewVariantGroups(world.state())).toEqual([
      {
        group: 'm',
        active_name: 'hi',
        active_cell_id: 'vb',
        mode: 'switch',
        members: [
          { cell_id: 'va', name: 'lo', is_active: false },
          { cell_id: 'vb', name: 'hi', is_active: true },
        ],
      },
    ]);
    world.send(RUN_ALL, CALLER);
    expect(world.settle()).toContain('vb');
    world.send(choose('lo'));
    world.send(RUN_ALL, CALLER);
    expect(world.settle().filter((cell) => cell !== 'c3')).toEqual([]);
  });

  it('[VR-14] over the live protocol, choosing in a swept group does nothing', () => {
    const world = createWorld(WORKED, { variantGroups: SWEEP });
    world.frames.length = 0;
    expect(world.send(choose('hi'))).toEqual({ kind: 'done' });
    expect(world.frames).toEqual([]);
    expect(
      world.send({ type: 'choose_variant', group: 'none', active: 'x', mode: null }, CALLER),
    ).toMatchObject({
      kind: 'refused',
      error: { code: 'not_found' },
    });
  });

  it('[VR-9] a member that is switched away before its turn does not run', () => {
    const world = createWorld(WORKED);
    world.send(RUN_ALL, CALLER);
    world.send(choose('hi'));
    const ran = world.settle();
    expect(ran).not.toContain('va');
    expect(statuses(world)).toMatchObject({ va: 'idle' });
  });

  it('[VR-4] two members with one name: everything is idle until one is renamed', () => {
    const world = createWorld({ ...WORKED, vb: '# @variant m lo\nscore = 2' });
    expect(Object.values(statuses(world)).every((status) => status === 'idle')).toBe(true);
    expect(world.send(run('s0'), CALLER)).toMatchObject({ kind: 'refused' });
    expect(viewDag(world.state()).error).toContain('"lo" of "m"');
    world.send(edit('vb', '# @variant m hi\nscore = 2'));
    world.send(run('c1'), CALLER);
    expect(world.settle()).toEqual(['s0', 'va', 'c1']);
  });
});
