import { describe, expect, it } from 'vitest';
import { type CellId, cellId } from '../../../src-shared/notebook/ids.ts';
import { createWorld, type World } from '../testing/testWorld.ts';

const id = cellId;
const RUN_ALL = { type: 'run_all', mode: 'normal', continueOnError: true } as const;

/** The cells that run ahead of each cell during the run. */
function followed(world: World): readonly string[] {
  const steps: string[] = [];
  while (world.pending[0] !== undefined) {
    steps.push([world.pending[0].request.cellId, ...world.ahead].join(' '));
    world.step();
  }
  return [...steps, `end ${world.ahead.join(' ')}`.trim()];
}

describe('[EX-14] cells that may run before their turn', () => {
  it.each<readonly [string, number, Record<string, string>, readonly string[]]>([
    ['none, with the setting off', 1, { a: 'x = 1', b: 'y = 1' }, ['a', 'b', 'end']],
    [
      'cells that read no pending result',
      2,
      { a: 'x = 1', b: 'y = 1', c: 'z = 1' },
      ['a b', 'b c', 'c', 'end'],
    ],
    ['as many as are allowed', 3, { a: 'x = 1', b: 'y = 1', c: 'z = 1' }, ['a b c', 'b c', 'c', 'end']],
    [
      'not cells that read the current one',
      3,
      { a: 'x = 1', b: 'y = x', c: 'z = 1' },
      ['a c', 'b c', 'c', 'end'],
    ],
    [
      'not cells that wait for it with @after',
      3,
      { a: '# @name a\nx = 1', b: '# @after a\ny = 1' },
      ['a', 'b', 'end'],
    ],
    [
      'not cells that read one that runs ahead',
      3,
      { a: 'x = 1', b: 'y = 1', c: 'y' },
      ['a b', 'b', 'c', 'end'],
    ],
    [
      'not cells below a failure',
      3,
      { a: 'boom', b: 'x = boom', c: 'y = x', d: 'z = 1' },
      ['a b d', 'b d', 'd', 'end'],
    ],
    [
      'not a loop',
      3,
      { s: 'x = 0', a: 'y = 1', l: '# @loop max_iter=3 carry=x\nx = x', r: 'x' },
      ['s a', 'a', 'l', 'r', 'end'],
    ],
  ])('%s', (_name, parallelCells, sources, expected) => {
    const world = createWorld(sources, { parallelCells });
    world.send(RUN_ALL);
    expect(followed(world)).toEqual(expected);
  });

  it('not cells that have a stored result', () => {
    const world = createWorld({ a: 'x = 1', b: 'y = 1', c: 'x = y' }, { parallelCells: 3 });
    world.send(RUN_ALL);
    world.settle();
    world.send({ type: 'edit_source', cellId: id('a'), source: 'x = 5', force: false });
    world.send(RUN_ALL);
    expect(followed(world)[0]).toBe('a');
  });

  it('a cancelled run has none', () => {
    const world = createWorld({ a: 'x = 1', b: 'y = 1' }, { parallelCells: 2 });
    world.send(RUN_ALL);
    expect(world.ahead).toEqual(['b']);
    world.send({ type: 'cancel_cell', cellId: id('a') });
    expect(world.cancelled.length).toBe(1);
    world.step({ kind: 'cancelled', stdout: '', stderr: '', durationMs: 1 });
    expect(world.ahead).toEqual([]);
  });

  it('a cell edited before its turn runs its new text', () => {
    const world = createWorld({ a: 'x = 1', b: 'y = 1', c: 'z = 1' }, { parallelCells: 2 });
    const targets: CellId[] = [];
    world.send(RUN_ALL);
    world.send({ type: 'edit_source', cellId: id('b'), source: 'y = 2', force: true });
    world.step();
    targets.push(...world.pending.map(({ request }) => request.cellId));
    expect([targets, world.pending[0]?.request.source]).toEqual([
      ['b'],
      world.state().cells.get(id('b'))?.source,
    ]);
  });
});
