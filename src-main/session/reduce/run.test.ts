import { describe, expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import type { StopManner } from '../../lib/stop.ts';
import type { Origin, SessionRequest } from '../state/requests.ts';
import { createWorld, lines, type World } from '../testing/testWorld.ts';

const id = cellId;
const run = (cell: string, mode: 'normal' | 'rerun' | 'force' = 'normal', upstream: 'ask' | 'go' = 'go') =>
  ({ type: 'run_cell', cellId: id(cell), mode, upstream }) as const;
const edit = (cell: string, source: string) =>
  ({ type: 'edit_source', cellId: id(cell), source, force: false }) as const;
const runAll = (mode: 'normal' | 'rerun' = 'normal', continueOnError = true) =>
  ({ type: 'run_all', mode, continueOnError }) as const;
const CALLER: Origin = { kind: 'caller', identity: 'local' };

function statuses(world: World): Record<string, string> {
  return Object.fromEntries(
    [...world.state().cells].map(([key, cell]) => [key, [cell.status, ...cell.reasons].join('/')]),
  );
}

function causes(world: World): Record<string, unknown> {
  return Object.fromEntries(
    [...world.state().cells].flatMap(([key, cell]) =>
      cell.causality === null ? [] : [[key, cell.causality]],
    ),
  );
}

const CHAIN = { a: 'x = 1\ny = 2', b: 'z = x', m: 'md: text', c: 'z' };

describe('statuses and runs (examples 1)', () => {
  it('[ST-1] a new notebook is idle, markdown is ready', () => {
    expect(statuses(createWorld(CHAIN))).toEqual({ a: 'idle', b: 'idle', m: 'ready', c: 'idle' });
  });

  it('[ST-2] running a leaf runs its upstreams and stores the variables read', () => {
    const world = createWorld(CHAIN);
    world.send(run('c'), CALLER);
    expect(world.settle()).toEqual(['a', 'b', 'c']);
    expect(statuses(world)).toEqual({ a: 'ready', b: 'ready', m: 'ready', c: 'ready' });
    const stored = [...world.state().cells.values()].flatMap((cell) =>
      Object.keys(cell.artifacts).map((label) => `${cell.id}/${label}`),
    );
    expect(stored).toEqual(['a/x', 'b/z', 'c/__console__']);
    world.send(run('c'), CALLER);
    expect(world.settle()).toEqual([]);
  });

  it('[ST-3] a comment changes nothing', () => {
    const world = createWorld(CHAIN);
    world.send(run('c'), CALLER);
    world.settle();
    world.send(edit('a', '# why\nx = 1\ny = 2'));
    expect(statuses(world)).toEqual({ a: 'ready', b: 'ready', m: 'ready', c: 'ready' });
  });

  it('[ST-4] an edit: the cell is idle, everything below stale; a revert is a hit', () => {
    const world = createWorld(CHAIN);
    world.send(run('c'), CALLER);
    world.settle();
    world.send(edit('a', 'x = 5\ny = 2'));
    expect(statuses(world)).toEqual({ a: 'idle', b: 'stale/upstream', m: 'ready', c: 'stale/upstream' });
    expect(causes(world)).toMatchObject({
      a: { reason: 'self', details: [{ type: 'source_changed' }] },
      b: { reason: 'upstream', details: [{ type: 'input_changed', cell_id: 'a', cell_name: 'x' }] },
    });
    world.send(run('a'), CALLER);
    expect(world.settle()).toEqual(['a']);
    expect(statuses(world)).toEqual({ a: 'ready', b: 'stale/upstream', m: 'ready', c: 'stale/upstream' });
    expect(causes(world)).toMatchObject({
      b: { reason: 'upstream', details: [{ type: 'input_changed', cell_id: 'a', cell_name: 'x' }] },
    });
    world.send(edit('a', 'x = 1\ny = 2'));
    world.send(run('a'), CALLER);
    expect(world.settle()).toEqual([]);
    expect(world.state().cells.get(id('a'))?.artifacts['x']?.[0]?.version).toBe(3);
    expect(statuses(world)).toEqual({ a: 'ready', b: 'ready', m: 'ready', c: 'ready' });
  });

  it('[ST-5] a failure: the cell in error, its readers stale', () => {
    const world = createWorld(CHAIN);
    world.send(run('c'), CALLER);
    world.settle();
    world.send(edit('b', 'z = x boom'));
    world.send(run('b'), CALLER);
    world.settle();
    expect(statuses(world)).toEqual({ a: 'ready', b: 'error', m: 'ready', c: 'stale/upstream' });
  });

  it('[PV-5] early cut-off: the same bytes upstream leave downstream fresh, without a run', () => {
    const world = createWorld(CHAIN);
    world.send(run('c'), CALLER);
    world.settle();
    world.send(edit('a', 'x = 2 - 1\ny = 2'));
    world.send(run('a'), CALLER);
    expect(world.settle()).toEqual(['a']);
    expect(statuses(world)).toEqual({ a: 'ready', b: 'ready', m: 'ready', c: 'ready' });
    world.send(run('c'), CALLER);
    expect(world.settle()).toEqual([]);
  });

  it('[PV-6] a force run over stale inputs never answers for fresh ones', () => {
    const world = createWorld({ a: 'x = 1', b: 'z = x', c: 'z' });
    world.send(run('c'), CALLER);
    world.settle();
    world.send(edit('a', 'x = 5'));
    world.send(run('b', 'force'), CALLER);
    expect(world.settle()).toEqual(['b']);
    expect(statuses(world)['b']).toBe('stale/upstream');
    world.send(run('b'), CALLER);
    expect(world.settle()).toEqual(['a', 'b']);
  });

  it('[PV-7] @nocache always runs, and counts by content downstream', () => {
    const world = createWorld({ a: '# @nocache\nx = 1', b: 'x' });
    world.send(run('b'), CALLER);
    expect(world.settle()).toEqual(['a', 'b']);
    expect(statuses(world)).toEqual({ a: 'ready', b: 'ready' });
    world.send(run('a'), CALLER);
    expect(world.settle()).toEqual(['a']);
    expect(statuses(world)).toEqual({ a: 'ready', b: 'ready' });
  });
});

/** The frames of one request, in order. */
function framesOf(
  world: World,
  requests: readonly SessionRequest[],
  steps: (world: World) => void = (w) => void w.settle(),
) {
  world.frames.length = 0;
  for (const request of requests) world.send(request);
  steps(world);
  return lines(world.frames);
}

describe('frame order (live-protocol 6)', () => {
  it('[LP-20] a single run', () => {
    const world = createWorld({ a: 'x = 1', b: 'x' });
    expect(framesOf(world, [run('a')])).toEqual(['status a running', 'output a', 'status a ready']);
  });

  it('[LP-21] upstreams are offered first, then run as a cascade', () => {
    const world = createWorld({ a: 'x = 1', b: 'y = x', c: 'y' });
    expect(framesOf(world, [run('c', 'normal', 'ask')])).toEqual([
      'prompt only s1 a:missing b:missing c:target',
    ]);
    const planId = world.state().plan?.planId ?? '';
    expect(framesOf(world, [{ type: 'confirm_plan', cellId: id('c'), planId }])).toEqual([
      'progress a 0/3',
      'status a running',
      'output a',
      'status a ready',
      'progress b 1/3',
      'status b running',
      'output b',
      'status b ready',
      'progress c 2/3',
      'status c running',
      'output c',
      'status c ready',
      'progress c 3/3',
    ]);
    expect(framesOf(world, [{ type: 'confirm_plan', cellId: id('c'), planId }])).toEqual([
      'refused only s1 - Cascade plan not found or expired',
    ]);
  });

  it('[LP-22] a cascade stops at its first failure', () => {
    const world = createWorld({ a: 'x = boom', b: 'y = x', c: 'y' });
    world.send(run('c', 'normal', 'ask'));
    const planId = world.state().plan?.planId ?? '';
    expect(framesOf(world, [{ type: 'confirm_plan', cellId: id('c'), planId }])).toEqual([
      'progress a 0/3',
      'status a running',
      'error a boom',
      'status a error',
      'status b stale upstream',
      'status c stale upstream',
    ]);
  });

  it('[LP-23] run-all continues after a failure, except downstream of it', () => {
    const world = createWorld({ a: 'x = boom', b: 'x', c: 'y = 1' });
    expect(framesOf(world, [runAll()])).toEqual([
      'status a running',
      'error a boom',
      'status a error',
      'status b stale upstream',
      'status c running',
      'output c',
      'status c ready',
    ]);
  });

  it('[LP-23] one that stops at the first failure makes only its readers stale', () => {
    const world = createWorld({ a: 'x = 1', b: 'y = boom', c: 'z = y', d: 'w = z', e: 'v = 1', f: 'u = x' });
    world.send(run('e'));
    world.settle();
    expect(framesOf(world, [runAll('normal', false)])).toEqual([
      'status a running',
      'output a',
      'status a ready',
      'status b running',
      'error b boom',
      'status b error',
      'status c stale upstream',
      'status d stale upstream',
    ]);
    expect(statuses(world)).toEqual({
      a: 'ready',
      b: 'error',
      c: 'stale/upstream',
      d: 'stale/upstream',
      e: 'ready',
      f: 'idle',
    });
  });

  it('[LP-23] a cell that run-all skips is stale, regardless of its last failure', () => {
    const world = createWorld({ a: 'x = 1', b: 'x\nboom' });
    world.send(runAll());
    world.settle();
    expect(statuses(world)).toEqual({ a: 'ready', b: 'error' });
    world.send(edit('a', 'x = boom'));
    world.send(runAll());
    world.settle();
    expect(statuses(world)).toEqual({ a: 'error', b: 'stale/upstream' });
  });

  it('[LP-23] an empty cell that others wait for runs too', () => {
    const world = createWorld({ a: '# later', b: '# @after a\nx = 1', c: '' });
    world.send(runAll());
    world.settle();
    expect(statuses(world)).toEqual({ a: 'ready', b: 'ready', c: 'idle' });
  });

  it('[LP-24] one run at a time; a second one is refused, naming the first', () => {
    const world = createWorld({ a: 'x = 1', b: 'y = 1' });
    expect(framesOf(world, [run('a'), run('b')], () => undefined)).toEqual([
      'status a running',
      'refused only s1 notebook_busy Notebook is already executing cell a',
    ]);
  });

  it('[LP-25] cancel ends the whole run: idle first, then the statuses of the walk', () => {
    const world = createWorld({ a: 'x = 1', b: 'y = 1' });
    const frames = framesOf(world, [runAll()], (w) => {
      w.send({ type: 'cancel_cell', cellId: id('b') });
      w.step({ kind: 'cancelled', stdout: 'half', stderr: '', durationMs: 3 });
    });
    expect(frames).toEqual(['status a running', 'status a idle']);
    expect(world.cancelled).toEqual(['id1']);
    expect(world.pending).toEqual([]);
    expect(world.state().running).toBe(null);
    expect(world.state().cells.get(id('a'))?.console.stdout).toBe('half');
  });

  it.each<{ name: string; at: readonly number[]; soon?: true; manners: readonly StopManner[] }>([
    { name: 'one', at: [0], manners: ['gently'] },
    { name: 'a double click, or two windows at the same time', at: [0, 200], manners: ['gently', 'gently'] },
    { name: 'another later', at: [0, 500], manners: ['gently', 'harder'] },
    { name: 'a double click, and another', at: [0, 200, 500], manners: ['gently', 'gently', 'harder'] },
    { name: 'a third', at: [0, 1_000, 2_000], manners: ['gently', 'harder', 'harder'] },
    { name: 'a double click of the second', at: [0, 1_000, 1_200], manners: ['gently', 'harder', 'gently'] },
    { name: 'one of a hold', at: [0, 1_000], soon: true, manners: ['soon', 'soon'] },
  ])(
    '[LP-25] a cancel during cancelling sends the next signal, and both count as one: $name',
    ({ at, soon, manners }) => {
      const world = createWorld({ a: 'x = 1' });
      world.send(run('a'));
      let now = 0;
      for (const ms of at) {
        world.advanceMs(ms - now);
        now = ms;
        world.send({ type: 'cancel_cell', cellId: id('a'), ...(soon === undefined ? {} : { soon }) });
      }
      expect(world.manners).toEqual(manners);
      world.step({ kind: 'cancelled', stdout: '', stderr: '', durationMs: 3 });
      expect(world.state().running).toBe(null);
    },
  );

  it.each<[string, (world: World) => void]>([
    ['a cancel', (w) => void w.send({ type: 'cancel_cell', cellId: id('b') })],
    ['an edit that closes a cycle', (w) => void w.send(edit('a', '# @after b\nx = 1'), CALLER)],
  ])(
    '[LP-28] the requested cell is reported although %s ended the run before its turn',
    (_name, meanwhile) => {
      const world = createWorld({ a: 'x = 1', b: 'x' });
      world.send(run('b', 'rerun'));
      world.frames.length = 0;
      meanwhile(world);
      world.step({ kind: 'cancelled', stdout: '', stderr: '', durationMs: 3 });
      expect(world.state().running).toBe(null);
      expect(lines(world.frames).filter((line) => line.startsWith('status b'))).toHaveLength(1);
    },
  );

  it('[LP-28] text has nothing to run: the sender gets a ready status', () => {
    expect(framesOf(createWorld({ t: 'md: words' }), [run('t')])).toEqual(['status t ready']);
  });

  it('[LP-26] a REST run of a stale chain shows the target first, upstream results after it', () => {
    const world = createWorld({ a: 'x = 1', b: 'x' });
    world.frames.length = 0;
    const ticket = world.send(run('b'), CALLER);
    world.settle();
    expect(ticket).toBe(null);
    expect(lines(world.frames)).toEqual([
      'status b running',
      'output b',
      'output a',
      'status a ready',
      'status b ready',
    ]);
  });

  it('[LP-27] an environment that is not ready refuses, naming the cell', () => {
    const world = createWorld({ a: 'x = 1' });
    const { environment } = world.state();
    world.report({
      type: 'environment_settled',
      ticket: null,
      environment: {
        ...environment,
        interpreter: null,
        environment: { ...environment.environment, sync_state: 'failed', sync_error: 'no Python' },
      },
    });
    expect(framesOf(world, [run('a')])).toEqual([
      'refused only s1 ENVIRONMENT_BUSY No Python can run this notebook: no Python',
    ]);
  });
});

describe('lost results', () => {
  it('[AS-8] an unreadable input runs its cell again, once', () => {
    const world = createWorld({ a: 'x = 1', b: 'x' });
    world.send(run('a'), CALLER);
    world.settle();
    const uri = 'svc://artifact/nb_n1_cell_a_var_x@v=1';
    world.send(run('b'), CALLER);
    world.step({ kind: 'input_lost', producerId: id('a'), uri, message: 'gone', durationMs: 1 });
    expect(world.settle()).toEqual(['a', 'b']);
    expect(statuses(world)).toEqual({ a: 'ready', b: 'ready' });
  });

  it('[AS-9] lost twice, the cell fails with a message', () => {
    const world = createWorld({ a: 'x = 1', b: 'x' });
    world.send(run('b'), CALLER);
    world.step();
    world.step({
      kind: 'input_lost',
      producerId: id('a'),
      uri: 'svc://artifact/nb_n1_cell_a_var_x@v=1',
      message: 'the disk lies',
      durationMs: 1,
    });
    expect(world.pending).toEqual([]);
    expect(world.state().cells.get(id('b'))?.lastError?.text).toBe('the disk lies');
  });
});

describe('grace', () => {
  it('[LP-30] the run of the last client ends after the grace time, unless a client returns', () => {
    const world = createWorld({ a: 'x = 1' });
    world.send(run('a'));
    world.send({ type: 'leave' });
    world.report({ type: 'grace_ended', runId: 'id1' });
    expect(world.cancelled).toEqual(['id1']);
    const stored = createWorld({ a: 'x = 1' });
    stored.send(run('a'));
    stored.send({ type: 'leave' });
    stored.send({ type: 'join' });
    stored.report({ type: 'grace_ended', runId: 'id1' });
    expect(stored.cancelled).toEqual([]);
  });
});
