import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import { analyzeCell, createAnalyzer } from '../../language/analyzeCell.ts';
import type { SessionRequest } from '../state/requests.ts';
import { createWorld, lines, toyAnalysis, type World } from '../testing/testWorld.ts';

const analyzer = await createAnalyzer();
const analyze: typeof toyAnalysis = (language, source) =>
  language === 'widget' ? analyzeCell(analyzer, { language, source }) : toyAnalysis(language, source);

const id = cellId;
const LIVE = 'widget:# @live\nalpha = slider(0, 1, default=0.5)\nn = number(10)';
const RUN_ALL = { type: 'run_all', mode: 'normal', continueOnError: true } as const;
const set = (values: Record<string, unknown>, cell = 'w') =>
  ({ type: 'update_widget', cellId: id(cell), values }) as const;

function opened(sources: Record<string, string>, options: Parameters<typeof createWorld>[1] = {}): World {
  const world = createWorld(sources, { analyze, ...options });
  world.send(RUN_ALL);
  world.settle();
  world.frames.length = 0;
  return world;
}

function statuses(world: World): Record<string, string> {
  return Object.fromEntries(
    [...world.state().cells].map(([key, cell]) => [key, [cell.status, ...cell.reasons].join('/')]),
  );
}

/** Sets how long the last run of the cell took. */
function took(world: World, cell: string, ms: number): void {
  const state = world.state().cells.get(id(cell));
  if (state === undefined) throw new Error('no such cell');
  (state.samples as { duration_ms: number; cache_hit: boolean }[]).push({
    duration_ms: ms,
    cache_hit: false,
  });
}

const REFUSALS: readonly [string, Record<string, unknown>, string][] = [
  ['unknown names', { zz: 1 }, 'bad_request'],
  ['invalid values', { alpha: 'x', n: null }, 'bad_request'],
  ['a number that is not finite', { alpha: Number.NaN, n: Number.POSITIVE_INFINITY }, 'bad_request'],
  ['no value', {}, 'bad_request'],
];

describe('setting controls', () => {
  it.each(REFUSALS)('[WG-7] %s and nothing else: an error that changes nothing', (_what, values, code) => {
    const world = opened({ w: LIVE, b: 'y = alpha' });
    const reply = world.send(set(values));
    expect(reply).toMatchObject({ kind: 'refused', error: { code } });
    expect(world.pending).toEqual([]);
    expect(world.state().cells.get(id('w'))?.widgetValues).toEqual(new Map());
    expect(lines(world.frames)).toEqual([expect.stringMatching(/^refused only s1/)]);
  });

  it('[WG-7] valid values are accepted and clamped, the rest is dropped', () => {
    const world = opened({ w: LIVE, b: 'y = alpha' });
    world.send(set({ alpha: 7, n: '12', zz: 1 }));
    expect(world.state().cells.get(id('w'))?.widgetValues).toEqual(
      new Map<string, unknown>([
        ['alpha', 1],
        ['n', 12],
      ]),
    );
  });

  it('[WG-8] a cell of another language, and an unknown one, have no controls', () => {
    const world = opened({ w: LIVE, b: 'y = alpha' });
    expect(world.send(set({ alpha: 1 }, 'b'))).toMatchObject({
      kind: 'refused',
      error: { code: 'bad_request' },
    });
    expect(world.send(set({ alpha: 1 }, 'x'))).toMatchObject({
      kind: 'refused',
      error: { code: 'not_found' },
    });
  });

  it('[WG-8] nothing is stored while another run has the notebook', () => {
    const world = opened({ w: LIVE, b: 'y = alpha', c: 'k = 1' });
    world.send({ type: 'run_cell', cellId: id('c'), mode: 'rerun', upstream: 'go' });
    expect(world.send(set({ alpha: 1 }))).toMatchObject({
      kind: 'refused',
      error: { code: 'notebook_busy' },
    });
    expect(world.state().cells.get(id('w'))?.widgetValues).toEqual(new Map());
  });

  it('[WG-8] nothing in an untrusted folder runs, not even a widget', () => {
    const world = createWorld({ w: LIVE }, { analyze, trusted: false });
    expect(world.send(set({ alpha: 1 }))).toMatchObject({
      kind: 'refused',
      error: { code: 'NOTEBOOK_UNTRUSTED' },
    });
    expect(world.pending).toEqual([]);
  });

  it('[WG-9] without @live its readers become stale, and are ready again at the old value', () => {
    const world = opened({ w: LIVE.replace('# @live\n', ''), b: 'y = alpha', c: 'n' });
    world.send(set({ alpha: 0.25 }));
    expect(world.settle()).toEqual(['w']);
    expect(statuses(world)).toEqual({ w: 'ready', b: 'stale/upstream', c: 'ready' });
    world.send(set({ alpha: 0.5 }));
    expect(world.settle()).toEqual([]);
    expect(statuses(world)).toEqual({ w: 'ready', b: 'ready', c: 'ready' });
  });
});

describe('a live widget', () => {
  it('[WG-10] cells made stale by it run in order; readers of another control do not', () => {
    const world = opened({ w: LIVE, b: 'y = alpha', c: 'z = y', d: 'q = n', e: 'z' });
    world.send(set({ alpha: 0.25 }));
    expect(world.settle()).toEqual(['w', 'b', 'c', 'e']);
    expect(new Set(Object.values(statuses(world)))).toEqual(new Set(['ready']));
    const frames = lines(world.frames).map((line) => line.split(' ').slice(0, 3).join(' '));
    expect(frames).toEqual([
      'status w running',
      'output w',
      'status w ready',
      'status b stale',
      'status c stale',
      'status e stale',
      'status b running',
      'output b',
      'status b ready',
      'status c running',
      'output c',
      'status c ready',
      'status e running',
      'output e',
      'status e ready',
    ]);
  });

  it('[WG-10] runs do not use stored results: force mode', () => {
    const world = opened({ w: LIVE, b: 'y = alpha' });
    for (const alpha of [0.25, 0.5]) {
      world.send(set({ alpha }));
      world.settle();
    }
    world.send(set({ alpha: 0.25 }));
    expect(world.settle()).toEqual(['b']);
  });

  it('[WG-11] a cell that took over 30 s stays stale, and so do the cells downstream', () => {
    const world = opened({ w: LIVE, b: 'y = alpha', c: 'z = y', d: 'q = alpha' });
    took(world, 'b', 30_001);
    world.send(set({ alpha: 0.25 }));
    expect(world.settle()).toEqual(['w', 'd']);
    expect(statuses(world)).toEqual({ w: 'ready', b: 'stale/upstream', c: 'stale/upstream', d: 'ready' });
  });

  it('[WG-11] nothing runs downstream of a failed cell; the next value is tried nevertheless', () => {
    const world = opened({ w: LIVE, b: 'y = alpha', c: 'z = y' });
    world.send(set({ alpha: 0.25 }));
    world.step();
    world.step({
      kind: 'failed',
      error: 'boom',
      traceback: null,
      suggestInstall: null,
      stdout: '',
      stderr: '',
      method: 'error',
      durationMs: 1,
    });
    expect(world.pending).toEqual([]);
    expect(statuses(world)).toEqual({ w: 'ready', b: 'error', c: 'stale/upstream' });
    world.send(set({ n: 3 }));
    expect(world.settle()).toEqual([]);
    world.send(set({ alpha: 0.75 }));
    expect(world.settle()).toEqual(['w', 'b', 'c']);
    expect(statuses(world)).toEqual({ w: 'ready', b: 'ready', c: 'ready' });
  });

  it('[WG-12] values set during a run are combined: the run ends with the newest', () => {
    const world = opened({ w: LIVE, b: 'y = alpha', c: 'z = y' });
    world.send(set({ alpha: 0.1 }));
    world.step();
    for (const alpha of [0.2, 0.3, 0.4]) expect(world.send(set({ alpha }))).toEqual({ kind: 'done' });
    expect(world.cancelled).toEqual([]);
    expect(world.settle()).toEqual(['b', 'w', 'b', 'c']);
    expect(new Set(Object.values(statuses(world)))).toEqual(new Set(['ready']));
    expect(world.state().cells.get(id('w'))?.widgetValues.get('alpha')).toBe(0.4);
    expect(world.state().running).toBe(null);
  });

  it('[WG-12] a cell that takes more than a second is stopped for a newer value', () => {
    const world = opened({ w: LIVE, b: 'y = alpha', c: 'z = y' });
    took(world, 'b', 2_000);
    world.send(set({ alpha: 0.1 }));
    world.step();
    world.send(set({ alpha: 0.2 }));
    expect(world.cancelled).toHaveLength(1);
    world.step({ kind: 'cancelled', stdout: '', stderr: '', durationMs: 1 });
    expect(world.settle()).toEqual(['w', 'b', 'c']);
    expect(new Set(Object.values(statuses(world)))).toEqual(new Set(['ready']));
  });

  it('[WG-12] a cancel ends the run; the value stays', () => {
    const world = opened({ w: LIVE, b: 'y = alpha', c: 'z = y' });
    world.send(set({ alpha: 0.1 }));
    world.step();
    world.send({ type: 'cancel_cell', cellId: id('b') });
    world.step({ kind: 'cancelled', stdout: '', stderr: '', durationMs: 1 });
    expect(world.state().running).toBe(null);
    expect(statuses(world)).toMatchObject({ w: 'ready', b: 'stale/upstream', c: 'stale/upstream' });
  });

  it('[WG-13] an edited declaration keeps the values its controls still accept', () => {
    const world = opened({ w: LIVE, b: 'y = alpha' });
    world.send(set({ alpha: 0.75, n: 3 }));
    world.settle();
    const source = '# @live\nalpha = slider(0, 0.6)\nn = text("t")';
    world.send({ type: 'edit_source', cellId: id('w'), source, force: false });
    const frame = world.frames.findLast(({ frame: { type } }) => type === 'dag_update')?.frame;
    const entry =
      frame?.type === 'dag_update' ? frame.payload.cells.find((cell) => cell.id === 'w') : undefined;
    expect(entry?.widget).toMatchObject({
      values: { alpha: 0.6 },
      descriptors: [{ name: 'alpha' }, { default: 't' }],
    });
    expect(statuses(world)).toMatchObject({ w: 'idle', b: 'stale/upstream' });
  });
});

/** A window cannot edit a cell of the current run; other programs and saved files can. */
const BY_PROGRAM = { kind: 'caller', identity: 'editor' } as const;
const FROM_OTHER = { kind: 'socket', socketId: 's2', identity: 'local' } as const;
const edit = (source: string) =>
  ({ type: 'edit_source', cellId: id('w'), source: source.replace(/^widget:/, ''), force: false }) as const;

describe('declarations that change while a control moves', () => {
  /** The cell's action while `b` runs for a first value and a second one waits; what runs then; the statuses. */
  const ROWS: readonly (readonly [
    what: string,
    change: SessionRequest,
    ran: readonly string[],
    statuses: Record<string, string>,
  ])[] = [
    [
      'another label',
      edit(LIVE.replace('0.5)', '0.5, label="a")')),
      ['b', 'w', 'b', 'c'],
      { w: 'ready', b: 'ready', c: 'ready' },
    ],
    [
      'another range',
      edit(LIVE.replace('slider(0, 1', 'slider(0, 0.15')),
      ['b', 'w', 'b', 'c'],
      { w: 'ready', b: 'ready', c: 'ready' },
    ],
    ['renamed', edit(LIVE.replace('alpha', 'beta')), ['b'], { w: 'ready' }],
    ['removed', edit('# @live\nn = number(10)'), ['b'], { w: 'ready' }],
    [
      'retyped',
      edit('# @live\nalpha = text("t")\nn = number(10)'),
      ['b', 'w', 'b', 'c'],
      { w: 'ready', b: 'ready', c: 'ready' },
    ],
    ['no longer live', edit(LIVE.replace('# @live\n', '')), ['b', 'w'], { w: 'ready', b: 'stale/upstream' }],
    ['all removed', edit(''), ['b'], { w: 'ready' }],
  ];
  it.each(ROWS)('[WG-20] %s: the run ends, and nothing is left running', (_what, change, ran, expected) => {
    const world = opened({ w: LIVE, b: 'y = alpha', c: 'z = y' });
    world.send(set({ alpha: 0.1 }));
    world.step();
    world.send(set({ alpha: 0.2 }), FROM_OTHER);
    const reply = world.send(change, BY_PROGRAM);
    expect(reply?.kind).not.toBe('refused');
    expect(world.settle()).toEqual(ran);
    expect(world.state().running).toBeNull();
    expect(statuses(world)).toMatchObject(expected);
    // A window with another value gets the current one; a window with the same value gets nothing.
    const late = world.send(set({ alpha: 0.3 }), FROM_OTHER);
    world.settle();
    expect(late?.kind ?? 'begun').toMatch(/begun|refused/);
    expect(world.state().running).toBeNull();
  });
});

it('[WG-20] the cell of a control that is being moved cannot be deleted', () => {
  const world = opened({ w: LIVE, b: 'y = alpha' });
  world.send(set({ alpha: 0.1 }));
  world.step();
  const reply = world.send({ type: 'delete_cell', cellId: id('w') }, BY_PROGRAM);
  expect(reply).toMatchObject({ kind: 'refused', error: { code: expect.stringMatching(/busy/) } });
  expect(world.settle()).toEqual(['b']);
  expect(world.state().running).toBeNull();
});

describe('two windows that move one control', () => {
  type Act =
    | { readonly kind: 'move'; readonly by: 1 | 2; readonly to: number }
    | { readonly kind: 'step' }
    | { readonly kind: 'edit'; readonly to: number };
  const act: fc.Arbitrary<Act> = fc.oneof(
    fc.record({
      kind: fc.constant('move' as const),
      by: fc.constantFrom(1 as const, 2 as const),
      to: fc.integer({ min: 0, max: 4 }),
    }),
    fc.record({ kind: fc.constant('step' as const) }),
    fc.record({ kind: fc.constant('edit' as const), to: fc.integer({ min: 0, max: 2 }) }),
  );
  const DECLARED = [LIVE, LIVE.replace('default=0.5', 'default=0.5, label="x"'), `${LIVE}\nm = text()`];

  it('[WG-12] [WG-20] for any order of events, the last value counts, and all readers use it', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
        const world = opened({ w: LIVE, b: 'y = alpha', c: 'z = y', d: 'q = n' });
        let last = 0.5;
        const move = (to: number, by: 1 | 2) => {
          const reply = world.send(set({ alpha: to / 4 }), by === 1 ? undefined : FROM_OTHER);
          if (reply?.kind !== 'refused') last = to / 4;
        };
        for (const one of acts) {
          if (one.kind === 'move') move(one.to, one.by);
          else if (one.kind === 'edit') world.send(edit(DECLARED[one.to] ?? LIVE), BY_PROGRAM);
          else if (world.pending.length > 0) world.step();
        }
        world.settle();
        // After an edit the cell may need to run again: a move does that.
        move(1, 2);
        world.settle();
        expect(last).toBe(0.25);
        expect(world.state().running).toBeNull();
        expect(world.pending).toEqual([]);
        expect(world.state().cells.get(id('w'))?.widgetValues.get('alpha')).toBe(0.25);
        expect(statuses(world)).toMatchObject({ w: 'ready', b: 'ready', c: 'ready' });
      }),
      { numRuns: process.env['LONG'] === '1' ? 3_000 : 150 },
    );
  });
});
