import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import { createWorld, type World } from '../testing/testWorld.ts';

/**
 * Random notebooks of up to thirty cells, compared with a simple implementation of the rules: which cells
 * read which, what runs for which target in which order, and whether two states of a notebook give a cell the
 * same key. The reference only knows texts.
 */

const NAMES = ['x', 'y', 'z', 'u', 'v', 'w'];
const RUNS = process.env['LONG'] === '1' ? 2_000 : 60;

interface Line {
  readonly name: string;
  readonly reads: readonly string[];
  readonly value: number;
  /** Whether it starts with a comment, which has no effect. */
  readonly comment: string;
}

const line: fc.Arbitrary<Line> = fc.record({
  name: fc.constantFrom(...NAMES),
  reads: fc.subarray(NAMES, { maxLength: 2 }),
  value: fc.nat(2),
  comment: fc.constantFrom('', '', '# said\n', '# said twice\n'),
});
const cell = fc.array(line, { minLength: 1, maxLength: 2 });
type Cell = readonly Line[];

function textOf(lines: Cell): string {
  return lines
    .map(({ name, reads, value, comment }) => `${comment}${name} = ${[...reads, value].join(' + ')}`)
    .join('\n');
}

/** The names a cell reads from others: those it has not defined itself before. */
function readsOf(lines: Cell): readonly string[] {
  const defined = new Set<string>();
  const reads = new Set<string>();
  for (const { name, reads: read } of lines) {
    for (const one of read) if (!defined.has(one)) reads.add(one);
    defined.add(name);
  }
  return [...reads].sort();
}

/** docs/spec/analysis-and-graph.md, 1, 2: the nearest cell above that defines the name. */
function producersOf(cells: readonly Cell[], at: number): readonly (readonly [string, number])[] {
  return readsOf(cells[at] ?? []).flatMap((name) => {
    for (let above = at - 1; above >= 0; above -= 1) {
      if ((cells[above] ?? []).some((one) => one.name === name)) return [[name, above] as const];
    }
    return [];
  });
}

/** Everything a result is made from: its text without comments, and recursively that of its inputs. */
function madeOf(cells: readonly Cell[], at: number): string {
  const code = (cells[at] ?? []).map(({ name, reads, value }) => `${name}=${[...reads, value].join('+')}`);
  const inputs = producersOf(cells, at).map(([name, above]) => `${name}<-${madeOf(cells, above)}`);
  return `(${code.join(';')}|${inputs.join(',')})`;
}

function above(cells: readonly Cell[], at: number): ReadonlySet<number> {
  const producers = new Set<number>();
  for (const [, producer] of producersOf(cells, at)) {
    producers.add(producer);
    for (const further of above(cells, producer)) producers.add(further);
  }
  return producers;
}

const idOf = (at: number) => cellId(`c${at}`);

function worldOf(cells: readonly Cell[]): World {
  return createWorld(Object.fromEntries(cells.map((lines, at) => [`c${at}`, textOf(lines)])));
}

function keysOf(world: World, count: number): readonly (string | undefined)[] {
  const { expected } = world.state();
  return Array.from({ length: count }, (_, at) => expected.get(idOf(at))?.provenanceHash);
}

const zero = (name: string): Line => ({ name, reads: [], value: 0, comment: '' });

const notebook = fc.array(cell, { minLength: 2, maxLength: 30 });

it('[PV-15] keys differ exactly if something that determines the result differs', () => {
  fc.assert(
    fc.property(notebook, cell, fc.nat(), (cells, edited, n) => {
      const at = n % cells.length;
      const after = cells.with(at, edited);
      const world = worldOf(cells);
      const keys = keysOf(world, cells.length);
      world.send({ type: 'edit_source', cellId: idOf(at), source: textOf(edited), force: true });
      const now = keysOf(world, cells.length);
      const same = cells.map((_, i) => madeOf(cells, i) === madeOf(after, i));
      expect(cells.map((_, i) => keys[i] === now[i])).toEqual(same);
    }),
    {
      numRuns: RUNS,
      // Read from another cell that makes the same from the same: no key contains a cell id
      // (docs/spec/provenance-and-cache.md, 1).
      examples: [[[[zero('x')], [zero('x')], [zero('w')], [{ ...zero('x'), reads: ['x'] }]], [zero('y')], 1]],
    },
  );
});

it('[PV-15] a run executes the stale upstreams of its cell, in order, and nothing else; a second run executes nothing', () => {
  fc.assert(
    fc.property(notebook, fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), (cells, targets) => {
      const world = worldOf(cells);
      const ready = new Set<number>();
      for (const n of targets) {
        const at = n % cells.length;
        const expected = [...above(cells, at), at].filter((one) => !ready.has(one)).sort((a, b) => a - b);
        world.send({ type: 'run_cell', cellId: idOf(at), mode: 'normal', upstream: 'go' });
        const ran = world.settle();
        expect([...ran].sort()).toEqual(expected.map(idOf).sort());
        // Each after everything it reads; otherwise any order is valid.
        const isLate = (id: string) =>
          producersOf(cells, Number(id.slice(1))).some(
            ([, producer]) => ran.indexOf(idOf(producer)) > ran.indexOf(cellId(id)),
          );
        expect(ran.filter(isLate)).toEqual([]);
        for (const one of expected) ready.add(one);
        world.send({ type: 'run_cell', cellId: idOf(at), mode: 'normal', upstream: 'go' });
        expect(world.settle()).toEqual([]);
      }
    }),
    { numRuns: RUNS },
  );
});
