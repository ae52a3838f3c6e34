import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type CellId, cellId } from '../../../src-shared/notebook/ids.ts';
import type { QueuedRunView } from '../../../src-shared/wire/runQueue.ts';
import { createWorld, type World } from '../testing/testWorld.ts';
import { viewQueued } from './runQueue.ts';

/**
 * Two windows that queue runs, remove some, stop, edit, fail and leave, in any order: the queue stays first
 * in, first out, every window can follow it by its frames, and no request disappears without a reason.
 */
const IDS = ['a', 'b', 'c', 'd', 'e'].map(cellId);
const RUNS = process.env['LONG'] === '1' ? 3_000 : 200;

const cells = fc.subarray(IDS, { minLength: 1 });
const socket = fc.constantFrom('s1', 's2');
const source = fc.constantFrom('x = 1', 'x = 2', 'y = x', 'z = x + y', 'y = boom', 'w = z', '');
const act = fc.oneof(
  fc.record({
    what: fc.constant('add' as const),
    cells,
    socket,
    ifStale: fc.boolean(),
    agrees: fc.boolean(),
    mode: fc.constantFrom('normal' as const, 'normal' as const, 'rerun' as const, 'force' as const),
  }),
  fc.record({ what: fc.constant('all' as const), socket }),
  fc.record({ what: fc.constant('take out' as const), socket, at: fc.option(fc.nat(4)) }),
  fc.record({ what: fc.constant('stop' as const), socket, cell: fc.constantFrom(...IDS) }),
  fc.record({ what: fc.constant('edit' as const), socket, cell: fc.constantFrom(...IDS), source }),
  fc.record({ what: fc.constantFrom('step' as const, 'leave' as const, 'join' as const), socket }),
  fc.record({ what: fc.constant('step' as const), socket }),
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

function perform(world: World, one: Act): void {
  const from = { kind: 'socket', socketId: one.socket, identity: one.socket } as const;
  switch (one.what) {
    case 'add': {
      const { cells: cellIds, mode, ifStale, agrees } = one;
      const more = { agreed: agrees ? IDS : [], continueOnError: true, afterJob: null };
      world.send({ type: 'add_to_queue', cellIds, mode, ifStale, ...more }, from);
      break;
    }
    case 'all': {
      const more = { agreed: [], continueOnError: true, afterJob: null, ifStale: false } as const;
      world.send({ type: 'add_to_queue', cellIds: null, mode: 'normal', ...more }, from);
      break;
    }
    case 'take out': {
      const run = world.state().queue[one.at ?? 0]?.id ?? 'none';
      world.send({ type: 'remove_from_queue', ids: one.at === null ? null : [run] }, from);
      break;
    }
    case 'stop':
      world.send({ type: 'cancel_cell', cellId: one.cell }, from);
      break;
    case 'edit':
      world.send({ type: 'edit_source', cellId: one.cell, source: one.source, force: true }, from);
      break;
    case 'step':
      step(world);
      break;
    default:
      world.send({ type: one.what === 'join' ? 'join' : 'leave' }, from);
  }
}

function step(world: World): void {
  const [next] = world.pending;
  if (next === undefined) return;
  if (world.cancelled.includes(next.runId))
    world.step({ kind: 'cancelled', stdout: '', stderr: '', durationMs: 1 });
  else world.step();
}

/** A window's view of the frames: its copy of the queue, and the cells with a reported reason. */
function follow(world: World, shown: readonly QueuedRunView[]): [QueuedRunView[], Set<string | null>] {
  let now = [...shown];
  const explained = new Set<string | null>();
  for (const { frame } of world.frames) {
    if (frame.type === 'cascade_prompt')
      for (const id of frame.payload.targets ?? [frame.payload.cell_id]) explained.add(id);
    if (frame.type === 'cell_status' && frame.payload.status === 'running')
      explained.add(frame.payload.cell_id);
    if (frame.type !== 'run_queue') continue;
    const { added, removed, dropped } = frame.payload;
    now = [...now, ...added].filter(({ id }) => !removed.includes(id));
    for (const one of dropped ?? []) explained.add(one.cell_id);
  }
  return [now, explained];
}

it('[EX-77] queued runs keep their order, are shown as they are, and leave with a reason', () => {
  fc.assert(
    fc.property(fc.array(act, { minLength: 5, maxLength: 40 }), (acts) => {
      const world = createWorld({ a: 'x = 1', b: 'y = x', c: 'z = x + y', d: 'w = z', e: 'v = 1' });
      let shown: QueuedRunView[] = [];
      const isReady = (id: CellId): boolean => world.state().cells.get(id)?.status === 'ready';
      const check = (one: Act | null): void => {
        const before = world.state().queue;
        const wasReady = new Set(IDS.filter(isReady));
        world.frames.length = 0;
        if (one === null) step(world);
        else perform(world, one);
        const after = world.state().queue;
        const [now, explained] = follow(world, shown);
        shown = now;
        expect(shown).toEqual(after.map(viewQueued));
        const places = after
          .map(({ id }) => before.findIndex((run) => run.id === id))
          .filter((at) => at >= 0);
        expect(places).toEqual([...places].sort((a, b) => a - b));
        if (one?.what === 'take out' || one?.what === 'stop') return;
        for (const run of before.filter(({ id }) => !after.some((left) => left.id === id))) {
          const { cellId: id, ifStale } = run;
          // A run of all may have nothing to run, and ready cells need no run.
          const isMade = id === null || (ifStale && (isReady(id) || wasReady.has(id)));
          expect(isMade || explained.has(id) || world.state().running?.targetId === id).toBe(true);
        }
      };
      for (const one of acts) check(one);
      for (let left = 1_000; world.pending.length > 0; left -= 1) {
        if (left === 0) throw new Error('the queue never comes to rest');
        check(null);
      }
      expect(world.state()).toMatchObject({ running: null, queue: [] });
    }),
    { numRuns: RUNS },
  );
});
