import { describe, expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import type { TestCase } from '../../../src-shared/wire/cellTests.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { TestOutcome } from '../../run/cellTests/testRequest.ts';
import type { Origin } from '../state/requests.ts';
import { createWorld, lines, type World } from '../testing/testWorld.ts';
import { viewCell } from '../view/view.ts';

const A = cellId('a');
const B = cellId('b');
const CALLER: Origin = { kind: 'caller', identity: 'local' };
const SOURCE = 'def test_a(): pass';

function one(outcome: TestCase['outcome']): TestCase {
  return { name: 'test_a', nodeid: 'cells/b.test.py::test_a', outcome, message: '' };
}
const passed: TestOutcome = { kind: 'finished', cases: [one('passed')] };

/** `a` defines what `b` reads; both ready. */
function readyPair(beginning: Parameters<typeof createWorld>[1] = {}): World {
  const world = createWorld({ a: 'x = 1', b: 'y = x' }, beginning);
  world.send({ type: 'run_all', mode: 'normal', continueOnError: true });
  world.settle();
  world.frames.length = 0;
  return world;
}

function finish(world: World, outcome: TestOutcome = passed): void {
  const run = world.tests.shift();
  if (run === undefined) throw new Error('no tests run');
  world.report({ type: 'tests_finished', runId: run.runId, outcome });
}

function run(world: World, source: string | null = SOURCE, origin?: Origin) {
  return world.send({ type: 'test_cell', cellId: B, source, base: null }, origin);
}

function resultOf(world: World) {
  const cell = world.state().cells.get(B);
  return cell === undefined ? null : viewCell(world.state(), cell).test_result;
}

describe('a run of tests over the live protocol', () => {
  it('[CT-7] is reported by its status, its results and the final status, each with its own number', () => {
    const world = readyPair();
    run(world);
    expect(lines(world.frames)).toEqual(['changed except s1 b stale null', 'tests b running']);
    finish(world, { kind: 'finished', cases: [one('passed'), one('failed')] });
    const frames = world.frames.slice(2);
    expect(lines(frames)).toEqual(['results b passed failed', 'tests b error']);
    expect(frames.map(({ sharesSeq }) => sharesSeq === true)).toEqual([false, false]);
    expect(resultOf(world)).toMatchObject({ passed: 1, failed: 1, errored: 0, skipped: 0, stale: false });
  });

  it('[CT-17] reports the progress, not for REST, and not while it is being stopped', () => {
    const progress = { done: 1, total: 2, failed: 0, test: 'test_b' };
    const frames = (origin?: Origin, stop = false) => {
      const world = readyPair();
      run(world, SOURCE, origin);
      if (stop) world.send({ type: 'stop_tests', cellId: B });
      world.frames.length = 0;
      world.report({ type: 'tests_progressed', runId: world.tests[0]?.runId ?? '', progress });
      return world.frames.map(({ frame }) => frame);
    };
    expect(frames()).toEqual([{ type: 'cell_test_progress', payload: { cell_id: 'b', ...progress } }]);
    expect(frames(CALLER)).toEqual([]);
    expect(frames(undefined, true)).toEqual([]);
  });

  it('[CT-5] touches neither the status nor the results of any cell', () => {
    const world = readyPair();
    const before = [...world.state().cells.values()].map(({ status, artifacts, record }) => ({
      status,
      artifacts,
      record,
    }));
    run(world);
    expect(world.state().cells.get(B)?.status).toBe('ready');
    finish(world);
    const after = [...world.state().cells.values()].map(({ status, artifacts, record }) => ({
      status,
      artifacts,
      record,
    }));
    expect(after).toEqual(before);
  });

  it('[CT-7] reserves the notebook like a run, until it ends', () => {
    const world = readyPair();
    run(world);
    const refused = world.send({ type: 'run_cell', cellId: A, mode: 'force', upstream: 'go' });
    expect(refused).toMatchObject({ error: { message: 'Notebook is already executing cell b' } });
    finish(world);
    expect(world.send({ type: 'run_cell', cellId: A, mode: 'force', upstream: 'go' })).toBeNull();
    expect(run(world)).toMatchObject({ error: { code: 'notebook_busy' } });
  });

  it('[CT-10] does not begin if the disk refuses the file', () => {
    const refusal = new AppError('conflict', 'The tests could not be saved: read-only.');
    const world = readyPair({ testDisk: () => refusal });
    expect(run(world)).toEqual({ kind: 'refused', error: refusal });
    expect(lines(world.frames)).toEqual(['refused only s1 - The tests could not be saved: read-only.']);
    expect([world.tests.length, world.state().testing.size]).toEqual([0, 0]);
  });
});

describe('the upstreams of the cell', () => {
  it('[CT-12] run first if they are not ready', () => {
    const world = createWorld({ a: 'x = 1', b: 'y = x' });
    run(world);
    expect(world.tests).toEqual([]);
    expect(world.settle()).toEqual(['a']);
    expect(world.tests[0]?.request.inputs.map(({ row }) => row !== null)).toEqual([true]);
    finish(world);
    expect(world.state().cells.get(B)?.status).toBe('idle');
    expect(resultOf(world)).toMatchObject({ passed: 1, stale: false });
  });

  it('[CT-12] that fail make the tests fail with a message', () => {
    const world = createWorld({ a: 'x = boom', b: 'y = x' });
    run(world);
    world.step();
    expect(resultOf(world)?.tests[0]?.message).toBe(
      'The cell `x` above failed, so the tests did not run:\n\nboom',
    );
    expect(lines(world.frames).slice(-2)).toEqual(['tests b error', 'changed b stale true']);
    expect(world.state().testing.size).toBe(0);
  });

  it('[CT-12] do not run during another run, also not for REST', () => {
    const world = createWorld({ a: 'x = 1', b: 'y = x', c: 'z = 1' });
    world.send({ type: 'run_cell', cellId: cellId('c'), mode: 'normal', upstream: 'go' });
    world.send({ type: 'edit_tests', cellId: B, source: SOURCE, base: null });
    expect(run(world, null, CALLER)).toMatchObject({ error: { code: 'notebook_busy' } });
  });
});

describe('[LP-64] a blank text in place of tests', () => {
  it.each(['', ' \n\t'])('%j deletes them and runs nothing', (blank) => {
    const world = readyPair();
    world.send({ type: 'edit_tests', cellId: B, source: SOURCE, base: null });
    expect(run(world, blank)).toEqual({ kind: 'done' });
    expect([world.state().cells.get(B)?.testSource, world.tests.length]).toEqual(['', 0]);
    expect(run(world, blank)).toMatchObject({ error: { message: expect.stringContaining('no tests') } });
  });
});

describe('tests over REST', () => {
  it('[CT-8] reserve nothing, send no frames, and return the results', () => {
    const world = readyPair();
    world.send({ type: 'edit_tests', cellId: B, source: SOURCE, base: null });
    world.frames.length = 0;
    run(world, null, CALLER);
    expect(world.send({ type: 'run_cell', cellId: A, mode: 'force', upstream: 'go' })).toBeNull();
    finish(world);
    expect(lines(world.frames).filter((line) => /^(tests|results)/.test(line))).toEqual([]);
    expect(resultOf(world)).toMatchObject({ passed: 1 });
  });
});

describe('results become stale', () => {
  const CHANGES: readonly (readonly [string, (world: World) => void, boolean])[] = [
    ['a comment', (w) => edit(w, B, '# words\ny = x'), false],
    ['the source of the cell', (w) => edit(w, B, 'y = x + 1'), true],
    ['the source of a cell above', (w) => edit(w, A, 'x = 2'), true],
    [
      'the tests',
      (w) => w.send({ type: 'edit_tests', cellId: B, source: 'def test_b(): pass', base: null }),
      true,
    ],
    ['nothing', (w) => w.send({ type: 'edit_tests', cellId: B, source: SOURCE, base: null }), false],
  ];
  function edit(world: World, id: typeof A, source: string): void {
    world.send({ type: 'edit_source', cellId: id, source, force: true });
  }

  it.each(CHANGES)('[CT-6] by %s', (_name, change, stale) => {
    const world = readyPair();
    run(world);
    finish(world);
    world.frames.length = 0;
    change(world);
    expect(resultOf(world)?.stale).toBe(stale);
  });

  it('[CT-6] not by the first check of external data, whose state they ran with', () => {
    const world = createWorld({ a: 'x = 1', b: '# @mount m file:///m\ny = x' });
    world.send({ type: 'run_cell', cellId: A, mode: 'normal', upstream: 'go' });
    world.settle();
    run(world);
    finish(world);
    expect(resultOf(world)?.stale).toBe(false);
    expect(lines(world.frames).filter((line) => line === 'changed b stale true')).toEqual([]);
  });

  it('[CT-6] and fresh again when the change is reverted; windows get both', () => {
    const world = readyPair();
    run(world);
    finish(world);
    world.frames.length = 0;
    edit(world, A, 'x = 2');
    edit(world, A, 'x = 1');
    expect(resultOf(world)?.stale).toBe(false);
    expect(lines(world.frames).filter((line) => line.startsWith('changed'))).toEqual([
      'changed b stale true',
      'changed b stale false',
    ]);
  });
});

describe('pytest that is missing', () => {
  const missing: TestOutcome = { kind: 'pytest_missing', message: 'pytest is not installed' };

  it('[CT-4] is installed once, and the tests run', () => {
    const world = readyPair();
    run(world);
    finish(world, missing);
    expect(world.installs).toHaveLength(1);
    world.report({ type: 'pytest_installed', runId: world.installs[0] ?? '', error: null });
    finish(world);
    expect(resultOf(world)).toMatchObject({
      passed: 1,
      auto_installed: ['pytest'],
      pytest_unavailable: false,
    });
  });

  it('[CT-4] a repeated failure is reported with a message', () => {
    const world = readyPair();
    run(world);
    finish(world, missing);
    world.report({ type: 'pytest_installed', runId: world.installs[0] ?? '', error: 'no network' });
    expect(resultOf(world)).toMatchObject({
      tests: [],
      pytest_unavailable: true,
      auto_installed: [],
      problem: 'pytest is not installed in this notebook, and installing it failed: no network',
    });
    expect(lines(world.frames).at(-1)).toBe('tests b error');
  });

  it('[CT-4] is not installed while a cell runs', () => {
    const world = readyPair();
    world.send({ type: 'edit_tests', cellId: B, source: SOURCE, base: null });
    run(world, null, CALLER);
    world.send({ type: 'run_cell', cellId: A, mode: 'force', upstream: 'go' });
    finish(world, missing);
    expect(world.installs).toEqual([]);
    expect(resultOf(world)?.problem).toContain('nothing can be installed while cells run');
  });
});

describe('stopping', () => {
  it('[CT-11] ends the run, keeps the previous results, and frees the notebook', () => {
    const world = readyPair();
    run(world);
    finish(world);
    run(world);
    const runId = world.tests[0]?.runId ?? '';
    expect(world.send({ type: 'stop_tests', cellId: B })).toBeNull();
    expect(world.cancelled).toEqual([runId]);
    finish(world, { kind: 'cancelled' });
    expect(lines(world.frames).at(-1)).toBe('tests b ready');
    expect(resultOf(world)).toMatchObject({ passed: 1, stale: false });
    expect(world.send({ type: 'stop_tests', cellId: B })).toEqual({
      kind: 'cancelled',
      cancelled: false,
    });
  });

  it('[CT-11] also while the upstreams run', () => {
    const world = createWorld({ a: 'x = 1', b: 'y = x' });
    run(world);
    world.send({ type: 'stop_tests', cellId: B });
    world.step({ kind: 'cancelled', stdout: '', stderr: '', durationMs: 1 });
    expect([world.state().running, world.state().testing.size, world.tests.length]).toEqual([null, 0, 0]);
  });

  it('[CT-11] when no window has been connected for the grace time', () => {
    const world = readyPair();
    run(world);
    const runId = world.tests[0]?.runId ?? '';
    world.send({ type: 'leave' });
    world.report({ type: 'grace_ended', runId });
    expect(world.cancelled).toEqual([runId]);
  });
});

describe('a run of tests is refused', () => {
  const ROWS: readonly (readonly [string, World, string | null, string, string])[] = [
    ['without tests', readyPair(), null, 'bad_request', 'This cell has no tests'],
    ['of markdown', createWorld({ b: 'md: words' }), SOURCE, 'bad_request', 'Only Python cells have tests'],
    ['of no cell', createWorld({ a: 'x = 1' }), SOURCE, 'not_found', 'Cell not found'],
    ['untrusted', createWorld({ b: 'y = 1' }, { trusted: false }), SOURCE, 'NOTEBOOK_UNTRUSTED', 'trust'],
    ['too long', createWorld({ b: 'y = 1' }), 'x'.repeat(1_000_001), 'bad_request', 'exceeds 1MB'],
    ['binary', createWorld({ b: 'y = 1' }), 'x\0', 'bad_request', 'NUL'],
  ];
  it.each(ROWS)('[CT-10] %s', (_name, world, source, code, message) => {
    const reply = run(world, source);
    if (reply?.kind !== 'refused') throw new Error('not refused');
    expect(reply.error.code).toBe(code);
    expect(reply.error.message).toContain(message);
    expect(world.state().testing.size).toBe(0);
  });

  it('[CT-10] and the cell cannot be deleted while they run', () => {
    const world = readyPair();
    run(world);
    expect(world.send({ type: 'delete_cell', cellId: B })).toMatchObject({ error: { code: 'cell_busy' } });
  });
});
