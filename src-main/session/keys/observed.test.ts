import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import { NOTHING_SEEN, type Observation } from '../../run/observed/observation.ts';
import type { PathState } from '../../run/observed/pathState.ts';
import { observedParams } from '../../run/observed/recorded.ts';
import type { StepOutcome } from '../../run/step.ts';
import type { CellState } from '../state/state.ts';
import { createWorld, type World } from '../testing/testWorld.ts';
import { pendingPython, wellBehaved } from '../testing/toySteps.ts';
import { explainCell } from '../view/explainCell.ts';
import { observingCells } from './observed.ts';

type Mode = 'normal' | 'rerun' | 'force';
const run = (world: World, cell: string, mode: Mode = 'normal') =>
  world.send({ type: 'run_cell', cellId: cellId(cell), mode, upstream: 'go' });
const statuses = (world: World) =>
  Object.fromEntries(
    Array.from(world.state().cells, ([id, { status, reasons }]) => [id, [status, ...reasons].join('/')]),
  );

/** Ends the oldest pending step with rows of these bytes, of a run with these observations. */
function ranTo(
  world: World,
  made: { readonly bytes?: string; readonly observed?: Partial<Observation> },
): StepOutcome {
  const request = pendingPython(world);
  const versions = new Map<string, number>();
  const stored = Object.values(world.state().cells.get(request.cellId)?.artifacts ?? {}).flat();
  const outcome = wellBehaved({ ...request, useCache: false }, (id) => {
    const last =
      versions.get(id) ?? Math.max(0, ...stored.filter((row) => row.id === id).map((row) => row.version));
    versions.set(id, last + 1);
    return last + 1;
  });
  if (outcome.kind !== 'ran') throw new Error(outcome.kind);
  const observation = { ...NOTHING_SEEN, ...made.observed };
  const runId = `run-${world.state().running?.runId ?? ''}-${request.cellId}`;
  return {
    ...outcome,
    observation,
    published: outcome.published.map((row) => ({
      ...row,
      ...(made.bytes === undefined ? {} : { contentSha256: made.bytes }),
      params: { ...row.params, run: runId, ...observedParams(request, { runId, observation }) },
    })),
  };
}

describe('[SO-7] a value that changed when run again', () => {
  const CHAIN = { a: 'x = 1', b: 'y = x', c: 'y' };

  it('makes its readers stale when its cell is rerun explicitly', () => {
    const world = createWorld(CHAIN);
    run(world, 'c');
    world.settle();
    run(world, 'a', 'rerun');
    world.step(ranTo(world, { bytes: 'other' }));
    expect(statuses(world)).toEqual({ a: 'ready', b: 'stale/upstream', c: 'stale/upstream' });
    expect(world.state().cells.get(cellId('b'))?.causality?.reason).toBe('upstream');
    run(world, 'b');
    expect(world.settle()).toEqual(['b']);
    expect(statuses(world)['b']).toBe('ready');
  });

  it('leaves them fresh if the bytes are the same', () => {
    const world = createWorld(CHAIN);
    run(world, 'c');
    world.settle();
    run(world, 'a', 'rerun');
    world.step();
    expect(statuses(world)).toEqual({ a: 'ready', b: 'ready', c: 'ready' });
  });

  it('is the result for every reader of a @nocache cell', () => {
    const world = createWorld({ a: '# @nocache\nx = 1', b: 'y = x', c: 'y' });
    run(world, 'b');
    while (world.pending.length > 0) world.step(ranTo(world, {}));
    run(world, 'a');
    world.step(ranTo(world, {}));
    expect(statuses(world)['b']).toBe('stale/upstream');
  });
});

describe('[SO-6] a file that a run was seen to use', () => {
  const fact = { path: 'd.csv', size: 1, mtimeNs: '1', sha256: 'one' };
  const look = (world: World, files: Readonly<Record<string, PathState>>) =>
    world.report({ type: 'observed_files_checked', files: new Map(Object.entries(files)) });

  it('makes the cell stale when it changes, by name, and ready when it is restored', () => {
    const world = createWorld({ a: 'x = 1', b: 'y = x' });
    run(world, 'b');
    world.step(ranTo(world, { observed: { reads: [fact] } }));
    world.step();
    expect(statuses(world)).toEqual({ a: 'ready', b: 'ready' });
    look(world, { 'd.csv': { kind: 'file', size: 2, mtimeNs: '2', sha256: null } });
    expect(statuses(world)).toEqual({ a: 'stale/self', b: 'stale/upstream' });
    expect(world.state().cells.get(cellId('a'))?.causality).toEqual({
      reason: 'self',
      details: [{ type: 'source_changed', file: 'd.csv' }],
    });
    expect(explainCell(world.state(), cellId('a'))?.headline).toContain('The file d.csv changed');
    look(world, { 'd.csv': { kind: 'file', size: 1, mtimeNs: '3', sha256: 'one' } });
    expect(statuses(world)).toEqual({ a: 'ready', b: 'ready' });
  });

  it('written by a cell below makes the cell that read it before stale', () => {
    const world = createWorld({ a: 'x = 1', w: 'z = 2' });
    run(world, 'a');
    world.step(ranTo(world, { observed: { reads: [fact] } }));
    run(world, 'w');
    world.step(ranTo(world, { observed: { wrote: [{ ...fact, size: 9, mtimeNs: '2', sha256: 'two' }] } }));
    expect(statuses(world)).toEqual({ a: 'stale/self', w: 'ready' });
  });

  it('written by a cell above that must rerun leaves its reader stale, by name', () => {
    const world = createWorld({ w: 'z = 2', r: 'x = 1' });
    run(world, 'w');
    world.step(ranTo(world, { observed: { wrote: [fact] } }));
    run(world, 'r');
    world.step(ranTo(world, { observed: { reads: [fact] } }));
    expect(statuses(world)).toEqual({ w: 'ready', r: 'ready' });
    world.send({ type: 'edit_source', cellId: cellId('w'), source: 'z = 3', force: false });
    expect(statuses(world)).toEqual({ w: 'idle', r: 'stale/upstream' });
    expect(explainCell(world.state(), cellId('r'))?.headline).toContain('written by z, which is out of date');
  });

  it('deleted after a cell wrote it makes that cell run again', () => {
    const world = createWorld({ w: 'z = 2' });
    run(world, 'w');
    world.step(ranTo(world, { observed: { wrote: [fact] } }));
    expect(statuses(world)).toEqual({ w: 'ready' });
    look(world, { 'd.csv': { kind: 'absent' } });
    expect(statuses(world)).toEqual({ w: 'stale/self' });
  });
});

describe('[SO-6] the cells whose runs did more than compute', () => {
  const CELLS = createWorld({ a: 'x = 1', b: 'y = 2', c: 'z = 3', d: 'w = 4' }).state().cells;
  const READ: Observation = {
    ...NOTHING_SEEN,
    reads: [{ path: 'd.csv', size: 1, mtimeNs: '1', sha256: null }],
  };
  /** A cell whose record has this observation of its run. */
  const did = (cell: CellState, observed: Observation): CellState => {
    const facts = { observed } as unknown as NonNullable<NonNullable<CellState['record']>['facts']>;
    const record: NonNullable<CellState['record']> = {
      provenanceHash: '',
      sourceHash: '',
      envHash: '',
      inputs: [],
      facts,
      reopenIdentity: null,
    };
    return { ...cell, record };
  };
  const idsOf = (cells: ReadonlyMap<CellState['id'], CellState>) => observingCells(cells).map(([id]) => id);
  const slowly = (cells: ReadonlyMap<CellState['id'], CellState>) =>
    Array.from(cells.values()).flatMap(({ id, record }) =>
      record?.facts?.observed === undefined || record.facts.observed === NOTHING_SEEN ? [] : [id],
    );

  it('are the same step by step and all together, for any changes', () => {
    const step = fc.record({
      at: fc.nat({ max: 3 }),
      what: fc.constantFrom('nothing', 'read', 'text', 'delete', 'first'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        let cells = new Map(CELLS);
        for (const { at, what } of steps) {
          const cell = [...cells.values()][at];
          if (cell === undefined) continue;
          const next = new Map(cells);
          if (what === 'delete') next.delete(cell.id);
          else if (what === 'text') next.set(cell.id, { ...cell, source: `${cell.source} ` });
          else if (what === 'nothing') next.set(cell.id, did(cell, NOTHING_SEEN));
          else if (what === 'read') next.set(cell.id, did(cell, { ...READ }));
          cells = what === 'first' ? new Map([[cell.id, cell], ...cells]) : next;
          expect(idsOf(cells)).toEqual(slowly(cells));
        }
      }),
    );
  });

  it('are the same array while their actions do not change', () => {
    const [a, b] = [...CELLS.values()];
    if (a === undefined || b === undefined) throw new Error('no cells');
    const cells = new Map(CELLS).set(a.id, did(a, READ));
    const before = observingCells(cells);
    expect(observingCells(new Map(cells).set(b.id, did(b, NOTHING_SEEN)))).toBe(before);
    expect(observingCells(new Map(cells).set(a.id, did(a, { ...READ })))).not.toBe(before);
  });
});
