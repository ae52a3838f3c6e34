import { expect, test } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import type { Origin } from '../state/requests.ts';
import { createWorld, type World } from '../testing/testWorld.ts';
import { codeChangesOf, MAX_CODE_CHARACTERS } from './codeChanges.ts';

const CALLER: Origin = { kind: 'caller', identity: 'local' };
const edit = (cell: string, source: string) => (world: World) =>
  void world.send({ type: 'edit_source', cellId: cellId(cell), source, force: false }, CALLER);
const run = (cell: string) => (world: World) => {
  world.send({ type: 'run_cell', cellId: cellId(cell), mode: 'normal', upstream: 'go' }, CALLER);
  world.settle();
};

/** `a` defines x, `b` reads it and defines y, `c` reads that; all have run. */
const CHAIN = { a: 'x = 1', b: 'y = x', c: 'z = y' };
const LONG = `x = ${'1'.repeat(MAX_CODE_CHARACTERS)}`;

const CASES: readonly {
  readonly what: string;
  readonly steps: readonly ((world: World) => void)[];
  readonly of?: string;
  readonly told: readonly string[];
}[] = [
  { what: 'nothing changed', steps: [], told: [] },
  { what: 'its own', steps: [edit('c', 'z = y + y')], told: ['c: z = y'] },
  { what: 'a comment is not a change', steps: [edit('c', '# why\nz = y')], told: [] },
  { what: 'of the cell it reads', steps: [edit('b', 'y = x + x')], told: ['b: y = x'] },
  { what: 'of a cell further up', steps: [edit('a', 'x = 2')], told: ['a: x = 1'] },
  {
    what: 'of a cell that ran again since',
    steps: [edit('a', 'x = 2'), run('a'), edit('c', 'z = y + 1')],
    told: ['c: z = y', 'a: x = 1'],
  },
  { what: 'of a cell that ran again, further up', steps: [edit('a', 'x = 2'), run('b')], told: ['a: x = 1'] },
  { what: 'changed and changed back', steps: [edit('b', 'y = x + x'), edit('b', 'y = x')], told: [] },
  { what: 'each cell once', steps: [edit('a', 'x = 2'), edit('b', 'y = x + x')], told: ['b: y = x'] },
  { what: 'never run', steps: [edit('d', 'w = 2')], of: 'd', told: [] },
  { what: 'too long to be read', steps: [edit('a', LONG)], told: [] },
];

test.each(CASES)('[PV-22] the code that changed since the last run: $what', ({ steps, of = 'c', told }) => {
  const world = createWorld({ ...CHAIN, d: 'w = 1' });
  run('c')(world);
  for (const step of steps) step(world);
  const cell = world.state().cells.get(cellId(of));
  if (cell === undefined) throw new Error(`no cell ${of}`);
  expect(codeChangesOf(world.state(), cell).map(({ cell_id, before }) => `${cell_id}: ${before}`)).toEqual(
    told,
  );
});
