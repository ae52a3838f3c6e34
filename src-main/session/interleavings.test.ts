/**
 * Two users, a script and another program use one session in random order, with a fake clock and fake runs. After any
 * such sequence it settles in the state that a newly opened session of the same folder computes.
 */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type CellId, cellId } from '../../src-shared/notebook/ids.ts';
import type { TestOutcome } from '../run/cellTests/testRequest.ts';
import { allData } from './keys/data.ts';
import { newCell } from './keys/newCell.ts';
import { relink } from './keys/relink.ts';
import { cellRuntimeOf, restoreRuntime } from './keys/runtimeRecord.ts';
import { walkStatuses } from './keys/statuses.ts';
import type { SessionState } from './state/state.ts';
import { createWorld, toyAnalysis, type World } from './testing/testWorld.ts';

const IDS = ['a', 'b', 'c', 'd', 'e'].map(cellId);
const NAMES = ['x', 'y', 'z'];
const RUNS = process.env['LONG'] === '1' ? 5_000 : 150;

const line = fc
  .tuple(fc.constantFrom(...NAMES), fc.subarray([...NAMES, 'MODE', 'boom'], { maxLength: 2 }))
  .map(([name, reads]) => `${name} = ${reads.join(' + ') || '1'}`);
const head = fc.constantFrom(
  ...['', '', '', '# @nocache\n', '# @after a\n', '# @mount m file:///m\n', '# @variant g lo\n'],
  ...['# @variant g hi\n', '# @per_variant\n', '# @loop max_iter=3 carry=x\n'],
);
const source = fc.tuple(head, fc.array(line, { maxLength: 2 })).map(([at, body]) => at + body.join('\n'));
const cell = fc.constantFrom(...IDS);
const socket = fc.constantFrom('s1', 's2');
const act = fc.oneof(
  fc.record({ what: fc.constant('edit' as const), cell, socket, source }),
  fc.record({ what: fc.constant('outsideText' as const), cell, source }),
  fc.record({ what: fc.constant('outsideData' as const), token: fc.constantFrom('one', 'two', null) }),
  fc.record({
    what: fc.constant('run' as const),
    cell,
    socket,
    mode: fc.constantFrom('normal' as const, 'rerun' as const, 'force' as const),
  }),
  fc.record({ what: fc.constant('queue' as const), cell, socket, ifStale: fc.boolean() }),
  fc.record({ what: fc.constant('runAll' as const), socket, goOn: fc.boolean() }),
  fc.record({ what: fc.constant('step' as const) }),
  fc.record({ what: fc.constant('step' as const) }),
  fc.record({ what: fc.constant('cancel' as const), cell, socket }),
  fc.record({ what: fc.constantFrom('join' as const, 'leave' as const, 'grace' as const), socket }),
  fc.record({
    what: fc.constant('choose' as const),
    active: fc.constantFrom('lo', 'hi'),
    mode: fc.constantFrom('switch' as const, 'sweep' as const),
  }),
  fc.record({ what: fc.constantFrom('test' as const, 'testCancel' as const), cell, socket }),
  fc.record({ what: fc.constant('testEnd' as const), passes: fc.boolean() }),
  fc.record({
    what: fc.constantFrom('open' as const, 'close' as const, 'evaluate' as const),
    cell,
    socket,
  }),
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

const CASE = { name: 'test_a', nodeid: 'cells/b.test.py::test_a', message: '' } as const;

/** Ends the next running process: normally, or as cancelled if that was requested. */
function endStep(world: World): void {
  const [step] = world.pending;
  if (step === undefined) return;
  if (world.cancelled.includes(step.runId)) {
    world.step({ kind: 'cancelled', stdout: '', stderr: '', durationMs: 1 });
  } else world.step();
}

function endTests(world: World, passes: boolean): void {
  const run = world.tests.shift();
  if (run === undefined) return;
  const finished: TestOutcome = {
    kind: 'finished',
    cases: [{ ...CASE, outcome: passes ? 'passed' : 'failed' }],
  };
  const outcome: TestOutcome = world.cancelled.includes(run.runId) ? { kind: 'cancelled' } : finished;
  world.report({ type: 'tests_finished', runId: run.runId, outcome });
}

function perform(world: World, one: Act, disk: { token: string | null }): void {
  const state = world.state();
  const from =
    'socket' in one ? ({ kind: 'socket', socketId: one.socket, identity: one.socket } as const) : undefined;
  world.advanceMs(1_000);
  switch (one.what) {
    case 'edit':
      world.send({ type: 'edit_source', cellId: one.cell, source: one.source, force: true }, from);
      break;
    case 'outsideText': {
      const changed = [{ id: one.cell, source: one.source, testSource: '', problem: null }];
      const update = { file: state.file, changed, added: [], removed: [] };
      world.report({ type: 'files_changed', followed: update });
      break;
    }
    case 'outsideData': {
      disk.token = one.token;
      const fact = { token: one.token, problem: null, checkedAtMs: Number.MAX_SAFE_INTEGER };
      world.report({
        type: 'data_checked',
        facts: Array.from(allData(state).keys(), (key) => ({ ...fact, key })),
      });
      break;
    }
    case 'run':
      world.send({ type: 'run_cell', cellId: one.cell, mode: one.mode, upstream: 'go' }, from);
      break;
    case 'queue': {
      const more = { mode: 'normal', agreed: IDS, continueOnError: true, afterJob: null } as const;
      world.send({ type: 'add_to_queue', cellIds: [one.cell], ifStale: one.ifStale, ...more }, from);
      break;
    }
    case 'runAll':
      world.send({ type: 'run_all', mode: 'normal', continueOnError: one.goOn }, from);
      break;
    case 'step':
      endStep(world);
      break;
    case 'cancel':
      world.send({ type: 'cancel_cell', cellId: one.cell }, from);
      break;
    case 'join':
      world.send({ type: 'join' }, from);
      break;
    case 'leave':
      world.send({ type: 'leave' }, from);
      break;
    case 'grace':
      world.report({ type: 'grace_ended', runId: state.running?.runId ?? null });
      break;
    case 'choose':
      world.send({ type: 'choose_variant', group: 'g', active: one.active, mode: one.mode }, from);
      break;
    case 'test':
      world.send({ type: 'test_cell', cellId: one.cell, source: 'def test_a(): pass', base: null }, from);
      break;
    case 'testCancel':
      world.send({ type: 'stop_tests', cellId: one.cell }, from);
      break;
    case 'testEnd':
      endTests(world, one.passes);
      break;
    case 'open':
      world.send({ type: 'open_console', cellId: one.cell }, from);
      break;
    case 'close':
      world.send({ type: 'close_console', cellId: one.cell }, from);
      break;
    case 'evaluate':
      world.send({ type: 'ask_console', cellId: one.cell, expr: 'x' }, from);
      break;
    default:
      one satisfies never;
  }
}

/** Ends all pending runs and tests. */
function settle(world: World): void {
  for (let turns = 0; world.pending.length + world.tests.length > 0; turns += 1) {
    if (turns > 1_000) throw new Error('never at rest');
    endStep(world);
    endTests(world, true);
  }
}

/** The state that a new process computes only from files, stored results and records. */
function opened(live: SessionState, outside: { token: string | null }): SessionState {
  const empty = createWorld(
    {},
    { outside: ({ key }, checkedAtMs) => ({ key, ...outside, problem: null, checkedAtMs }) },
  );
  const cells = new Map(
    Array.from(live.cells, ([id, { entry, source, testSource, fileProblem, artifacts, ...cell }]) => {
      const text = { source, testSource, problem: fileProblem };
      const runtime = JSON.parse(
        JSON.stringify(cellRuntimeOf({ ...cell, entry, source, testSource, fileProblem, artifacts })),
      );
      return [
        id,
        { ...newCell(entry, { text, analyze: toyAnalysis }), artifacts, ...restoreRuntime(runtime) },
      ] as const;
    }),
  );
  const { file, data, environment } = live;
  return walkStatuses(relink({ ...empty.state(), file, data, environment, cells, expected: new Map() }));
}

/**
 * Cells whose status may differ after opening (docs/spec/staleness-and-runs.md, 1): an unread cell that was ready only
 * within the session, a cell blocked by a failure, and the cells that wait for one of these.
 */
function sessionOnly({ cells, graph }: SessionState): ReadonlySet<CellId> {
  const producers = new Set(graph.edges.flatMap((edge) => (edge.variable === '' ? [] : [edge.from_cell_id])));
  const exempt = new Set<CellId>();
  for (const id of graph.topologicalOrder) {
    const one = cells.get(id);
    if (one === undefined) continue;
    const readyHere = one.status === 'ready' && !producers.has(id);
    const keptBack = one.status === 'stale' && one.blocked;
    const below = (graph.upstream.get(id) ?? []).some((above) => exempt.has(above));
    if (readyHere || keptBack || below) exempt.add(id);
  }
  return exempt;
}

it('[ST-11] any interleaving settles in the state that a new opening computes', () => {
  fc.assert(
    fc.property(
      fc.array(source, { minLength: IDS.length, maxLength: IDS.length }),
      fc.array(act, { maxLength: 40 }),
      (start, acts) => {
        const disk: { token: string | null } = { token: 'none' };
        const world = createWorld(Object.fromEntries(IDS.map((id, i) => [id, start[i] ?? ''])), {
          outside: ({ key }, checkedAtMs) => ({ key, token: disk.token, problem: null, checkedAtMs }),
        });
        for (const one of acts) perform(world, one, disk);
        settle(world);
        const live = world.state();
        expect([live.running, live.testing.size]).toEqual([null, 0]);
        const mayDiffer = sessionOnly(live);
        const fresh = opened(live, disk);
        const comparable = ({ cells }: SessionState) =>
          Array.from(cells.values(), ({ id, source: text, status, testsStale, testResult }) => [
            ...[id, text, mayDiffer.has(id) ? '' : status],
            ...[mayDiffer.has(id) || testResult === null ? '' : testsStale],
          ]);
        expect(comparable(fresh)).toEqual(comparable(live));
        expect([...fresh.expected]).toEqual([...live.expected]);
      },
    ),
    { numRuns: RUNS },
  );
}, 300_000);
