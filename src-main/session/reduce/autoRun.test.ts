import { describe, expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import { AUTO_RUN_OFF, type AutoRun } from '../../../src-shared/wire/autoRun.ts';
import { autoPlan } from '../keys/autoRun.ts';
import type { CellState, SessionState } from '../state/state.ts';
import { createWorld, lines, type World } from '../testing/testWorld.ts';
import { wellBehaved } from '../testing/toySteps.ts';

const id = cellId;
const CHAIN = { a: 'x = 1', b: 'y = x', c: 'z = y', d: 'w = 4', m: 'md: text' };
const LIVE: AutoRun = { ...AUTO_RUN_OFF, mode: 'live' };

const edit = (cell: string, source: string) =>
  ({ type: 'edit_source', cellId: id(cell), source, force: false }) as const;
const settled = (...cells: readonly string[]) => ({ type: 'edit_settled', cellIds: cells.map(id) }) as const;

/** A notebook in which everything ran. */
function ran(autoRun: AutoRun, sources: Readonly<Record<string, string>> = CHAIN): World {
  const world = createWorld(sources);
  world.send({ type: 'set_auto_run', autoRun });
  world.send({ type: 'run_all', mode: 'normal', continueOnError: true });
  world.settle();
  world.frames.length = 0;
  return world;
}

function reports(world: World): unknown[] {
  return world.frames.flatMap(({ frame }) => (frame.type === 'auto_run_report' ? [frame.payload] : []));
}

function statuses(world: World): string {
  return [...world.state().cells.values()].map((cell) => `${cell.id}:${cell.status}`).join(' ');
}

describe('[EX-93] a finished edit runs the cells it made stale if the notebook setting is on', () => {
  it.each<[AutoRun['mode'], readonly string[]]>([
    ['off', []],
    ['lazy', []],
    ['live', ['a', 'b', 'c']],
  ])('%s', (mode, expected) => {
    const world = ran({ ...AUTO_RUN_OFF, mode });
    world.send(edit('a', 'x = 7'));
    world.send(settled('a'));
    expect(world.settle()).toEqual(expected);
    expect(reports(world)).toEqual(mode === 'live' ? [{ queued: expected, skipped: [] }] : []);
  });

  it('after a run of a cell, only those below it', () => {
    const world = ran(LIVE);
    world.send(edit('b', 'y = x + 1'));
    world.send({ type: 'run_cell', cellId: id('b'), mode: 'normal', upstream: 'go' });
    world.settle();
    world.send(settled('b'));
    expect(world.settle()).toEqual(['c']);
  });

  it('while a requested run of the cell is on, those below it wait for its end', () => {
    const world = ran(LIVE);
    world.send(edit('a', 'x = 7'));
    world.send({ type: 'run_cell', cellId: id('a'), mode: 'normal', upstream: 'go' });
    world.send(settled('a'));
    expect(reports(world)).toEqual([{ queued: ['b', 'c'], skipped: [] }]);
    expect(world.settle()).toEqual(['a', 'b', 'c']);
  });

  it.each<[AutoRun['mode'], readonly string[]]>([
    ['off', []],
    ['lazy', []],
    ['live', ['a', 'b', 'c']],
  ])('[WI-404] after a cell file was written by another program: %s', (mode, expected) => {
    const world = ran({ ...AUTO_RUN_OFF, mode });
    const write = (source: string): void =>
      world.report({
        type: 'files_changed',
        followed: {
          file: world.state().file,
          changed: [{ id: id('a'), source, testSource: '', problem: null }],
          added: [],
          removed: [],
        },
      });
    write('x = 7');
    expect(world.settle()).toEqual(expected);
    expect(reports(world)).toEqual(mode === 'live' ? [{ queued: expected, skipped: [] }] : []);
    // The same text again changes nothing.
    write('x = 7');
    expect(world.settle()).toEqual([]);
  });

  it('nothing while the notebook may not run', () => {
    const world = createWorld(CHAIN, { trusted: false });
    world.send({ type: 'set_auto_run', autoRun: LIVE });
    world.frames.length = 0;
    world.send(settled('a'));
    expect(world.settle()).toEqual([]);
    expect(world.frames).toEqual([]);
  });

  it('a cell that is edited again before its turn waits for the end of that edit', () => {
    const world = ran(LIVE);
    world.send({ type: 'run_cell', cellId: id('d'), mode: 'rerun', upstream: 'go' });
    world.send(edit('a', 'x = 7'));
    world.send(settled('a'));
    world.send(edit('a', 'x = 7 +'));
    expect(world.settle()).toEqual(['d']);
    expect(lines(world.frames).filter((line) => line.startsWith('prompt'))).toEqual([]);
    world.send(edit('a', 'x = 8'));
    world.send(settled('a'));
    expect(world.settle()).toEqual(['a', 'b', 'c']);
  });

  it('a failure ends the automatic runs below it without a message', () => {
    const world = ran(LIVE);
    world.send(edit('a', 'x = boom'));
    world.send(settled('a'));
    world.settle();
    expect(statuses(world)).toBe('a:error b:stale c:stale d:ready m:ready');
    expect(world.state().queue).toEqual([]);
    const dropped = world.frames.flatMap(({ frame }) =>
      frame.type === 'run_queue' ? (frame.payload.dropped ?? []) : [],
    );
    expect(dropped).toEqual([]);
  });

  it("a user's request for a cell that is queued automatically replaces the automatic one", () => {
    const world = ran(LIVE);
    world.send({ type: 'run_cell', cellId: id('d'), mode: 'rerun', upstream: 'go' });
    world.send(edit('a', 'x = 7'));
    world.send(settled('a'));
    const plain = { continueOnError: true, ifStale: false, agreed: [], afterJob: null } as const;
    world.send({ type: 'add_to_queue', cellIds: [id('a')], mode: 'normal', ...plain });
    world.send({ type: 'set_auto_run', autoRun: AUTO_RUN_OFF });
    expect(world.settle()).toEqual(['d', 'a']);
  });
});

describe('[EX-94] a cell that is expensive, remote, a prompt or left out by the person is not run automatically', () => {
  const rows: readonly (readonly [
    name: string,
    change: Partial<CellState>,
    setting: Partial<AutoRun>,
    message: string | null,
  ])[] = [
    ['a quick one', { lastTookMs: 9_999 }, {}, null],
    ['one that never ran', { lastTookMs: null, samples: [] }, {}, null],
    [
      'a slow one',
      { lastTookMs: 14_200 },
      {},
      'Its last run took 14 s, and the limit for automatic runs is 10 s.',
    ],
    [
      'one that was slow in an earlier session, and came from the cache since',
      {
        lastTookMs: null,
        samples: [
          { duration_ms: 60_000, cache_hit: false },
          { duration_ms: 3, cache_hit: true },
        ],
      },
      {},
      'Its last run took 60 s, and the limit for automatic runs is 10 s.',
    ],
    [
      'one that was stopped after a while, in an earlier session',
      { lastTookMs: null, samples: [], stoppedMs: 30_000 },
      {},
      'Its last run took 30 s, and the limit for automatic runs is 10 s.',
    ],
    ['a slow one below the limit of the person', { lastTookMs: 14_200 }, { limit_seconds: 20 }, null],
    [
      'another limit',
      { lastTookMs: 2_500 },
      { limit_seconds: 0.5 },
      'Its last run took 2.5 s, and the limit for automatic runs is 0.5 s.',
    ],
    [
      'one that ran on a worker',
      { remote: { worker: 'gpu', transport: 'http', buildId: null, buildState: null, errorCode: null } },
      {},
      'It runs on the worker `gpu`.',
    ],
    ['a prompt', { language: 'prompt' }, {}, 'It asks a model, which may cost money.'],
    ['one the person left out', {}, { except: ['b'] }, 'Automatic runs are turned off for this cell.'],
  ];

  it.each(rows)('%s', (_name, change, setting, message) => {
    const world = ran({ ...LIVE, ...setting });
    world.send(edit('a', 'x = 7'));
    const state = withCell(world.state(), 'b', change);
    const { run, skipped } = autoPlan(state, [id('a')]);
    expect(run).toEqual(message === null ? ['a', 'b', 'c'] : ['a']);
    expect(skipped).toEqual(
      message === null
        ? []
        : [
            { cellId: 'b', message },
            { cellId: 'c', message: 'It needs `y`, which is not run automatically.' },
          ],
    );
  });

  it('a limit that is set while a cell waits counts', () => {
    const world = ran(LIVE);
    world.send({ type: 'run_cell', cellId: id('d'), mode: 'rerun', upstream: 'go' });
    world.send(edit('a', 'x = 7'));
    world.send(settled('a'));
    world.send({ type: 'set_auto_run', autoRun: { ...LIVE, except: ['b'] } });
    expect(world.settle()).toEqual(['d', 'a']);
  });

  it('a run that failed after a long time counts too', () => {
    const world = ran(LIVE);
    world.send(edit('a', 'x = boom'));
    world.send({ type: 'run_cell', cellId: id('a'), mode: 'normal', upstream: 'go' });
    const [step] = world.pending;
    if (step === undefined) throw new Error('nothing runs');
    const failed = wellBehaved(step.request, () => 1);
    world.step({ ...failed, durationMs: 25_000 });
    world.send(edit('a', 'x = 3'));
    world.send(settled('a'));
    expect(world.settle()).toEqual([]);
    expect(reports(world)).toMatchObject([{ queued: [], skipped: [{ cell_id: 'a' }, {}, {}] }]);
  });
});

function withCell(state: SessionState, cell: string, change: Partial<CellState>): SessionState {
  const before = state.cells.get(id(cell));
  if (before === undefined) throw new Error(`no cell ${cell}`);
  return { ...state, cells: new Map(state.cells).set(id(cell), { ...before, ...change }) };
}
