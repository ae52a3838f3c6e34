import { describe, expect, it } from 'vitest';
import { type CellId, cellId } from '../../../src-shared/notebook/ids.ts';
import type { EnvironmentJob } from '../../../src-shared/wire/environment.ts';
import type { Origin, SessionRequest } from '../state/requests.ts';
import { createWorld, lines, type World } from '../testing/testWorld.ts';

const id = cellId;
type Queued = Extract<SessionRequest, { type: 'add_to_queue' }>;

function queue(cells: readonly string[] | null, more: Partial<Queued> = {}): Queued {
  const plain = {
    continueOnError: true,
    ifStale: false,
    agreed: [],
    afterJob: null,
    mode: 'normal',
  } as const;
  return { type: 'add_to_queue', cellIds: cells?.map(id) ?? null, ...plain, ...more };
}

const waiting = (world: World): (CellId | null)[] => world.state().queue.map(({ cellId: of }) => of);
const working = (world: World): string | undefined => world.pending[0]?.request.cellId;
const edit = (cell: string, source: string) =>
  ({ type: 'edit_source', cellId: id(cell), source, force: false }) as const;

/** The contents of the queue frames, in order. */
function changes(world: World): unknown[] {
  return world.frames.flatMap(({ frame }) => (frame.type === 'run_queue' ? [frame.payload] : []));
}

function statusOf(world: World, cell: string): string | undefined {
  return world.state().cells.get(id(cell))?.status;
}

const THREE = { a: 'x = 1', b: 'y = 2', c: 'z = 3' };
const CHAIN = { a: 'x = 1', b: 'y = x', c: 'z = y', d: 'w = z' };

describe('[EX-70] runs that are requested during another one are queued', () => {
  it('in the order of the requests, of any client', () => {
    const world = createWorld(THREE);
    const other: Origin = { kind: 'socket', socketId: 's2', identity: 'ada' };
    world.send(queue(['c']));
    world.send(queue(['b']), other);
    world.send(queue(['a']));
    expect([working(world), ...waiting(world)]).toEqual(['c', 'b', 'a']);
    expect(world.settle()).toEqual(['c', 'b', 'a']);
    expect(waiting(world)).toEqual([]);
    expect(lines(world.frames).filter((line) => line.startsWith('refused'))).toEqual([]);
  });

  it('a run that can begin immediately sends the frames of a plain run', () => {
    const world = createWorld(THREE);
    world.send(queue(['a']));
    world.settle();
    expect(lines(world.frames)).toEqual(['status a running', 'output a', 'status a ready']);
  });

  it('every socket gets changes of the queue, and a state contains it', () => {
    const world = createWorld(THREE);
    world.send(queue(['a']));
    world.send(queue(['b', 'c'], { mode: 'force' }));
    const [b, c] = world.state().queue.map(({ id: runId }) => runId);
    const expected = [
      { id: b, cell_id: 'b', mode: 'force' },
      { id: c, cell_id: 'c', mode: 'force' },
    ];
    expect(changes(world)).toEqual([{ added: expected, removed: [] }]);
    world.send({ type: 'sync' });
    const state = world.frames.find(({ frame }) => frame.type === 'notebook_state')?.frame;
    expect(state?.payload).toMatchObject({ run_queue: expected });
    world.step();
    expect(changes(world).at(-1)).toEqual({ added: [], removed: [b] });
  });

  it('a queued cell is not queued twice, except in another mode', () => {
    const world = createWorld(THREE);
    world.send(queue(['a']));
    world.send(queue(['b']));
    world.send(queue(['c', 'b', 'b']));
    world.send(queue(['b'], { mode: 'rerun' }));
    expect(waiting(world)).toEqual(['b', 'c', 'b']);
  });

  it('a plain run is still refused', () => {
    const world = createWorld(THREE);
    world.send(queue(['a']));
    world.send(queue(['b']));
    world.frames.length = 0;
    world.send({ type: 'run_cell', cellId: id('c'), mode: 'normal', upstream: 'ask' });
    expect(lines(world.frames)).toEqual([
      'refused only s1 notebook_busy Notebook is already executing cell a',
    ]);
  });

  it('a run of the whole notebook is queued too', () => {
    const world = createWorld({ ...THREE, m: 'md: text' });
    world.send(queue(['c']));
    world.send(queue(null, { mode: 'rerun' }));
    expect(waiting(world)).toEqual([null]);
    expect(world.settle()).toEqual(['c', 'a', 'b', 'c']);
  });

  it('text has nothing to run: the sender gets a ready status', () => {
    const world = createWorld({ m: 'md: text', a: 'x = 1' });
    world.send(queue(['m']));
    expect(lines(world.frames)).toEqual(['status m ready']);
    expect(waiting(world)).toEqual([]);
  });

  it.each<[string, Queued, string]>([
    ['an unknown cell', queue(['a', 'nope']), 'refused only s1 - Cell not found'],
    ['an untrusted folder', queue(['a']), 'refused only s1 NOTEBOOK_UNTRUSTED'],
  ])('%s is refused immediately', (what, request, refusal) => {
    const world = createWorld(THREE, { trusted: what !== 'an untrusted folder' });
    world.send(request);
    expect(lines(world.frames)[0]).toContain(refusal);
    expect(waiting(world)).toEqual([]);
  });
});

describe('[EX-71] the upstreams of several runs have one prompt', () => {
  it('for one request, and agreed upstreams run without another prompt', () => {
    const world = createWorld({ ...CHAIN, e: 'v = z' });
    world.send(queue(['d', 'e']));
    expect(lines(world.frames)).toEqual(['prompt only s1 a:missing b:missing c:missing d:target e:target']);
    expect(world.frames[0]?.frame.payload).toMatchObject({ targets: ['d', 'e'], cell_id: 'e' });
    world.frames.length = 0;
    world.send(queue(['d', 'e'], { agreed: ['a', 'b', 'c'].map(id) }));
    expect(world.settle()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(lines(world.frames).filter((line) => line.startsWith('prompt'))).toEqual([]);
  });

  it('not for upstreams that are running or already queued', () => {
    const world = createWorld(CHAIN);
    for (const cell of ['a', 'b', 'c', 'd']) world.send(queue([cell]));
    expect(lines(world.frames).filter((line) => line.startsWith('prompt'))).toEqual([]);
    expect(world.settle()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('a plan that became longer needs another prompt', () => {
    const world = createWorld(CHAIN);
    world.send(queue(['b'], { agreed: [id('a')] }));
    world.settle();
    world.send(queue(['c'], { mode: 'rerun' }));
    world.send(queue(['d']));
    world.send(edit('a', 'x = 7'));
    world.frames.length = 0;
    world.settle();
    expect(lines(world.frames)).toContain('prompt only s1 a:stale b:stale c:stale d:target');
    expect(statusOf(world, 'd')).toBe('idle');
    world.frames.length = 0;
    world.send(queue(['d'], { agreed: ['a', 'b', 'c'].map(id) }));
    expect(world.settle()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('without a client for a prompt, the request is executed', () => {
    const world = createWorld(CHAIN);
    world.send(queue(['c'], { mode: 'rerun' }));
    world.send(queue(['d']));
    world.send({ type: 'leave' });
    world.send(edit('a', 'x = 7'), { kind: 'caller', identity: 'ada' });
    world.settle();
    expect(statusOf(world, 'd')).toBe('ready');
  });
});

it('[EX-72] a plan that another prompt or run replaced is offered again; an unknown one is refused', () => {
  const world = createWorld({ ...CHAIN, e: 'v = 1' });
  world.send({ type: 'run_cell', cellId: id('c'), mode: 'normal', upstream: 'ask' });
  const planId = world.state().plan?.planId ?? '';
  world.send({ type: 'run_cell', cellId: id('e'), mode: 'normal', upstream: 'ask' });
  world.settle();
  world.frames.length = 0;
  world.send({ type: 'confirm_plan', cellId: id('c'), planId });
  expect(lines(world.frames)).toEqual(['prompt only s1 a:missing b:missing c:target']);
  const next = world.state().plan?.planId ?? '';
  world.send({ type: 'confirm_plan', cellId: id('c'), planId: next });
  expect(world.settle()).toEqual(['a', 'b', 'c']);
  world.frames.length = 0;
  for (const [cell, plan] of [
    ['c', next],
    ['d', planId],
    ['c', 'never'],
  ] as const) {
    world.send({ type: 'confirm_plan', cellId: id(cell), planId: plan });
  }
  expect(lines(world.frames)).toEqual(Array(3).fill('refused only s1 - Cascade plan not found or expired'));
});

describe('[EX-73] queued runs do not need their client', () => {
  const LONG = Object.fromEntries(Array.from({ length: 19 }, (_, at) => [`c${at}`, `x${at} = ${at}`]));

  it('eighteen queued cells run after the page was closed and the grace time has ended', () => {
    const world = createWorld(LONG);
    world.send(queue(Object.keys(LONG), { ifStale: true }));
    const { runId } = world.pending[0] ?? { runId: '' };
    expect(waiting(world)).toHaveLength(18);
    world.send({ type: 'leave' });
    world.report({ type: 'grace_ended', runId });
    expect(world.cancelled).toEqual([]);
    expect(world.settle()).toEqual(Object.keys(LONG));
  });

  it('a run without a queue still ends with the grace time', () => {
    const world = createWorld(THREE);
    world.send(queue(['a']));
    const { runId } = world.pending[0] ?? { runId: '' };
    world.send({ type: 'leave' });
    world.report({ type: 'grace_ended', runId });
    expect(world.cancelled).toEqual([runId]);
  });
});

describe('[EX-74] queued runs can be removed, and do not run needlessly', () => {
  it('one, all, and by stopping its cell', () => {
    const world = createWorld({ ...THREE, d: 'w = 4' });
    world.send(queue(['a']));
    world.send(queue(['b', 'c', 'd']));
    const run = world.state().queue.find(({ cellId: of }) => of === 'c')?.id ?? '';
    world.send({ type: 'remove_from_queue', ids: [run] });
    expect(waiting(world)).toEqual(['b', 'd']);
    expect(world.send({ type: 'cancel_cell', cellId: id('d') })).toEqual({
      kind: 'cancelled',
      cancelled: true,
    });
    expect([working(world), ...waiting(world)]).toEqual(['a', 'b']);
    world.send({ type: 'remove_from_queue', ids: null });
    expect(world.settle()).toEqual(['a']);
    expect(statusOf(world, 'b')).toBe('idle');
  });

  it('nothing runs downstream of a failed cell, and the window gets the reason; independent cells run', () => {
    const world = createWorld({ a: 'x = boom', b: 'y = x', c: 'z = y', d: 'w = 1' });
    for (const cell of ['a', 'b', 'c', 'd']) world.send(queue([cell]));
    expect(world.settle()).toEqual(['d']);
    const why = 'Not run, because `x` above it failed.';
    expect(changes(world)).toContainEqual({
      added: [],
      removed: expect.arrayContaining([expect.any(String)]),
      dropped: [
        { cell_id: 'b', message: why },
        { cell_id: 'c', message: why },
      ],
    });
  });

  it('nothing runs downstream of a stopped cell', () => {
    const world = createWorld(CHAIN);
    for (const cell of ['a', 'b']) world.send(queue([cell]));
    world.send({ type: 'cancel_cell', cellId: id('a') });
    world.step({ kind: 'cancelled', stdout: '', stderr: '', durationMs: 1 });
    expect(world.settle()).toEqual([]);
    expect(changes(world).at(-1)).toMatchObject({
      dropped: [{ cell_id: 'b', message: 'Not run, because `x` above it was stopped.' }],
    });
  });

  it('the readers of a failed cell stay queued if it has another run before them', () => {
    const world = createWorld({ a: 'x = boom', b: 'y = x' });
    world.send(queue(['a']));
    world.send(queue(['a'], { mode: 'rerun' }));
    world.send(queue(['b']));
    world.step();
    expect([working(world), ...waiting(world)]).toEqual(['a', 'b']);
  });

  it('a run that only updates a cell does nothing if the cell is ready', () => {
    const world = createWorld(CHAIN);
    world.send(queue(['b'], { agreed: [id('a')] }));
    world.send(queue(['a', 'b', 'c'], { ifStale: true }));
    expect(world.settle()).toEqual(['a', 'b', 'c']);
  });

  it('a deleted cell leaves without a message', () => {
    const world = createWorld(THREE);
    world.send(queue(['a', 'b']));
    const { file } = world.state();
    const left = { ...file, cells: file.cells.filter((cell) => cell.id !== 'b') };
    const none = { added: [], removed: [id('b')], changed: [] };
    world.report({ type: 'files_changed', followed: { file: left, ...none } });
    expect(world.settle()).toEqual(['a']);
    expect(changes(world).at(-1)).toEqual({ added: [], removed: [expect.any(String)] });
  });
});

it('[EX-75] an edit of a queued cell is accepted, and its run uses the new text', () => {
  const world = createWorld(THREE);
  world.send(queue(['a', 'b']));
  expect(world.send(edit('b', 'y = 22'))).toEqual({ kind: 'done' });
  world.step();
  expect(world.pending.map(({ request }) => request.source)).toEqual(['y = 22']);
});

describe('[EX-76] the queue waits for the environment, tests and holds', () => {
  const job = (status: EnvironmentJob['status']): EnvironmentJob => ({
    id: 'job1',
    action: 'add',
    command: 'uv add x',
    status,
    started_at: 0,
    package: 'x',
    phase: null,
    duration_ms: null,
    stdout: '',
    stderr: '',
    stdout_truncated: false,
    stderr_truncated: false,
    finished_at: null,
    lockfile_changed: false,
    stale_cell_count: 0,
    stale_cell_ids: [],
    error: null,
  });

  it('during a hold nothing begins until the release', () => {
    const world = createWorld(THREE);
    world.send(queue(['a', 'b']));
    world.report({ type: 'hold_changed', phase: 'draining' });
    world.step();
    expect([world.pending.length, ...waiting(world)]).toEqual([0, 'b']);
    world.report({ type: 'hold_changed', phase: null });
    expect(world.settle()).toEqual(['b']);
  });

  it.each([
    ['completed', ['a']],
    ['failed', []],
  ] as const)('runs that wait for a job that %s', (status, expected) => {
    const world = createWorld(THREE);
    const { environment } = world.state();
    world.report({ type: 'environment_job_changed', started: true, job: job('running') });
    world.send(queue(['a'], { afterJob: 'job1' }));
    expect(waiting(world)).toEqual(['a']);
    const settled = { ...environment, job: null, history: [job(status)] };
    world.report({ type: 'environment_settled', environment: settled, ticket: null });
    expect(world.settle()).toEqual(expected);
  });
});

describe('[EX-92] queued runs can be reordered', () => {
  it.each<[string, string | null, string]>([
    ['d', 'b', 'd b c'],
    ['b', null, 'c d b'],
    ['c', 'd', 'b c d'],
    ['b', 'b', 'b c d'],
    ['nope', 'b', 'b c d'],
    ['b', 'nope', 'b c d'],
  ])('%s before %s: %s', (moved, before, expected) => {
    const world = createWorld({ ...THREE, d: 'w = 4' });
    world.send(queue(['a', 'b', 'c', 'd']));
    const runOf = (cell: string | null) =>
      world.state().queue.find((run) => run.cellId === cell)?.id ?? (cell === null ? null : 'nope');
    world.frames.length = 0;
    world.send({ type: 'move_in_queue', id: runOf(moved) ?? '', beforeId: runOf(before) });
    const order = expected.split(' ');
    expect(waiting(world)).toEqual(order);
    const isMoved = expected !== 'b c d';
    expect(changes(world)).toEqual(
      isMoved ? [{ added: [], removed: [], order: world.state().queue.map((run) => run.id) }] : [],
    );
    expect(world.settle()).toEqual(['a', ...order]);
  });
});

it('[EX-91] each cell of a run of several cells reports the progress and the estimated remaining time', () => {
  const world = createWorld({ ...CHAIN, e: 'v = z' });
  const progress = () =>
    world.frames.flatMap(({ frame }) =>
      frame.type === 'cell_status' && frame.payload.run_progress !== undefined
        ? [frame.payload.run_progress]
        : [],
    );
  world.send(queue(null));
  world.settle();
  expect(progress()[0]).toEqual({ completed: 0, total: 5, remaining_ms: 0, untimed: 5 });
  world.frames.length = 0;
  world.send(queue(null, { mode: 'rerun' }));
  world.settle();
  expect(progress().map((one) => one.remaining_ms)).toEqual([25, 20, 15, 10, 5]);
  world.send(edit('d', 'w = z + 1'));
  world.frames.length = 0;
  world.send(queue(null));
  world.settle();
  // The store answers for the cells above; what it has to run was timed.
  expect(progress().map((one) => one.remaining_ms)).toEqual([5, 5, 5, 5, 0]);
});
