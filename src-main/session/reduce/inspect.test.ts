import { describe, expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import type { InspectAnswer } from '../../exec/inspection.ts';
import { MAX_INSPECTIONS, MAX_PENDING } from '../state/inspectState.ts';
import type { Origin, SessionRequest } from '../state/requests.ts';
import { createWorld, lines, type World } from '../testing/testWorld.ts';

const socket = (socketId: string): Origin => ({ kind: 'socket', socketId, identity: 'local' });
const open = (id: string): SessionRequest => ({ type: 'open_console', cellId: cellId(id) });
const ask = (id: string, expr: string): SessionRequest => ({
  type: 'ask_console',
  cellId: cellId(id),
  expr,
});
const close = (id: string): SessionRequest => ({ type: 'close_console', cellId: cellId(id) });

/** The console `id1` of cell `a`, asked for by the window `s1`. */
const CONSOLE_A = { inspectId: 'id1', cellId: cellId('a'), socketId: 's1' };

const QUIET = { stdout: '', stderr: '', displays: [], durationMs: 1 };
const VALUE: InspectAnswer = { kind: 'value', result: '1', type: 'int', ...QUIET };

/** The operations on processes and the frames since the last call. */
function since(world: World): readonly string[] {
  const done = world.consoles.map(
    ({ inspectId, cellId: id, what }) =>
      `${what.type} ${id} ${inspectId}${what.type === 'evaluate' ? ` ${what.expr}` : ''}`,
  );
  const frames = lines(world.frames).filter((line) => line !== 'presence only s1');
  world.consoles.length = 0;
  world.frames.length = 0;
  return [...done, ...frames];
}

function opened(world: World, id: string, socketId = 's1'): string {
  world.send(open(id), socket(socketId));
  const inspectId = world.state().inspections.get(cellId(id))?.inspectId ?? '';
  const start = { kind: 'ready', unread: {} } as const;
  world.report({ type: 'inspect_started', inspectId, cellId: cellId(id), socketId, start });
  since(world);
  return inspectId;
}

function answered(world: World, inspectId: string, answer: InspectAnswer = VALUE): void {
  const to = { inspectId, cellId: cellId('a'), socketId: 's1', expr: 'x' };
  world.report({ type: 'inspect_answered', ...to, answer });
}

describe('[IN-1] a console of a cell', () => {
  it('opens, replies, and closes, for its socket', () => {
    const world = createWorld({ a: 'x = 1', b: 'x' });
    world.send(open('a'));
    expect(since(world)).toEqual(['open a id1']);
    const missing = { x: 'The cell has not run.' };
    world.report({
      type: 'inspect_started',
      ...CONSOLE_A,
      start: { kind: 'ready', unread: missing },
    });
    expect(world.frames[0]?.frame.payload).toEqual({
      cell_id: 'a',
      action: 'open',
      ok: true,
      result: 'ready',
      type: 'str',
      missing: [{ name: 'x', reason: 'The cell has not run.' }],
    });
    expect(since(world)).toEqual(['inspect only s1 open a ready']);
    world.send(ask('a', 'x'));
    expect(since(world)).toEqual(['evaluate a id1 x']);
    answered(world, 'id1');
    expect(since(world)).toEqual(['inspect only s1 eval a 1']);
    world.send(close('a'));
    world.send(close('a'));
    expect(since(world)).toEqual([
      'close a id1',
      'inspect only s1 close a closed',
      'inspect closed except s1 a closed',
      'inspect only s1 close a closed',
    ]);
    expect(world.state().inspections.size).toBe(0);
  });

  it('is replaced by reopening, also from another socket; later messages of the old one change nothing', () => {
    const world = createWorld({ a: 'x = 1' });
    const old = opened(world, 'a');
    world.send({ type: 'join' }, socket('s2'));
    since(world);
    world.send(open('a'), socket('s2'));
    const now = world.state().inspections.get(cellId('a'))?.inspectId;
    expect(since(world)).toEqual([`close a ${old}`, `open a ${now}`, 'inspect closed except s2 a reopened']);
    world.report({ type: 'inspect_ended', inspectId: old, cellId: cellId('a'), message: 'closed' });
    answered(world, old, { kind: 'ended', error: 'gone', ...QUIET });
    expect(since(world)).toEqual([]);
    expect(world.state().inspections.get(cellId('a'))).toEqual({
      inspectId: now,
      waiting: [{ socketId: 's2', expr: null }],
    });
  });

  const early: readonly (readonly [ends: string, end: (world: World) => void, why: string])[] = [
    ['closed', (world) => world.send(close('a')), 'The console was closed.'],
    ['opened again', (world) => world.send(open('a'), socket('s2')), 'The console was restarted.'],
    [
      'ended by itself',
      (world) =>
        world.report({ type: 'inspect_ended', inspectId: 'id1', cellId: cellId('a'), message: 'killed' }),
      'killed',
    ],
    [
      'not started',
      (world) =>
        world.report({
          type: 'inspect_started',
          ...CONSOLE_A,
          start: { kind: 'failed', message: 'no Python' },
        }),
      'no Python',
    ],
    [
      'closed with its environment',
      (world) => {
        const { environment } = world.state();
        const interpreter = { path: '/python', identity: 'p2' };
        const settled = { ...environment, interpreter };
        world.report({ type: 'environment_settled', ticket: null, environment: settled });
      },
      'The console was closed because the environment changed. Restart it to use the new environment.',
    ],
  ];
  it.each(early)(
    'that is %s before it answers: pending requests are answered, in order and once',
    (_, end, why) => {
      const world = createWorld({ a: 'x = 1' });
      world.send({ type: 'join' }, socket('s2'));
      world.send(open('a'));
      world.send(ask('a', 'x'));
      world.send(ask('a', 'x'), socket('s2'));
      since(world);
      end(world);
      const replies = () => since(world).filter((line) => /^inspect only s\d (open|eval)/.test(line));
      expect(replies()).toEqual([
        `inspect only s1 open a failed: ${why}`,
        `inspect only s1 eval a failed: ${why}`,
        `inspect only s2 eval a failed: ${why}`,
      ]);
      const late = { kind: 'ready', unread: {} } as const;
      world.report({
        type: 'inspect_started',
        ...CONSOLE_A,
        start: late,
      });
      answered(world, 'id1');
      expect(replies()).toEqual([]);
    },
  );

  it('that fails to start leaves nothing open', () => {
    const world = createWorld({ a: 'x = 1' });
    world.send(open('a'));
    const start = { kind: 'failed', message: 'no Python' } as const;
    world.report({ type: 'inspect_started', ...CONSOLE_A, start });
    expect(world.frames[0]?.frame.payload).toEqual({
      cell_id: 'a',
      action: 'open',
      ok: false,
      result: 'no Python',
      type: 'str',
      error: 'no Python',
    });
    since(world);
    world.send(ask('a', 'x'));
    expect(since(world)).toEqual([
      'inspect only s1 eval a failed: No console is open in this cell. Open it first.',
    ]);
  });
});

describe('[IN-2] an answer on the wire', () => {
  const cases: readonly (readonly [string, InspectAnswer, object])[] = [
    ['of an expression', VALUE, { ok: true, result: '1', type: 'int' }],
    [
      'of an expression that printed',
      { ...VALUE, stdout: 'a\n', stderr: 'b\n' },
      { ok: true, result: '1', type: 'int', stdout: 'a\n', stderr: 'b\n' },
    ],
    [
      'of a statement',
      { kind: 'value', result: null, type: 'str', ...QUIET },
      { ok: true, result: '(no output)', type: 'str', statement: true },
    ],
    [
      'of a statement that printed',
      { kind: 'value', result: null, type: 'str', ...QUIET, stdout: 'a\n' },
      { ok: true, result: 'a\n', type: 'str', statement: true, stdout: 'a\n' },
    ],
    [
      'of a failure',
      { kind: 'failed', error: 'ValueError: no', stopped: null, ...QUIET },
      { ok: false, error: 'ValueError: no' },
    ],
    [
      'of a stopped inspection',
      { kind: 'failed', error: 'KeyboardInterrupt', stopped: 'asked', ...QUIET },
      { ok: false, error: 'Stopped.' },
    ],
  ];
  it.each(cases)('%s', (_name, answer, payload) => {
    const world = createWorld({ a: 'x = 1' });
    answered(world, opened(world, 'a'), answer);
    const to = { cell_id: 'a', action: 'eval', expr: 'x', duration_ms: 1 };
    expect(world.frames.at(-1)?.frame.payload).toEqual({ ...to, ...payload });
  });
});

describe('[IN-9] refusals', () => {
  it('an untrusted folder, by code and message', () => {
    const world = createWorld({ a: 'x = 1' }, { trusted: false });
    world.send(open('a'));
    expect(since(world)).toEqual([expect.stringMatching(/^refused only s1 NOTEBOOK_UNTRUSTED/)]);
  });

  it('an unknown cell, a text cell, a session that closes', () => {
    const world = createWorld({ a: 'x = 1', m: 'md: text' });
    world.send(open('nobody'));
    world.send(ask('nobody', '1'));
    world.send(open('m'));
    world.report({ type: 'close_requested', reason: 'closed' });
    world.send(open('a'));
    expect(since(world)).toEqual([
      'refused only s1 - Cell not found',
      'refused only s1 - Cell not found',
      'inspect only s1 open m failed: A text cell has no values to inspect.',
      'session_closed',
      'refused only s1 - The session is closing.',
    ]);
  });

  it('one more than a session may have, but not reopening one', () => {
    const ids = Array.from({ length: MAX_INSPECTIONS + 1 }, (_, i) => `c${i}`);
    const world = createWorld(Object.fromEntries(ids.map((id) => [id, 'x = 1'])));
    for (const id of ids) world.send(open(id));
    expect(world.state().inspections.size).toBe(MAX_INSPECTIONS);
    expect(since(world).at(-1)).toMatch(/At most 8 consoles can be open/);
    world.send(open('c0'));
    expect(since(world).length).toBe(4);
  });

  it('too many waiting expressions, and one that is too long', () => {
    const world = createWorld({ a: 'x = 1' });
    const id = opened(world, 'a');
    for (let i = 0; i <= MAX_PENDING; i += 1) world.send(ask('a', 'x'));
    expect(since(world).at(-1)).toMatch(/At most 16 expressions can wait/);
    for (let i = 0; i < MAX_PENDING; i += 1) answered(world, id);
    expect(world.state().inspections.get(cellId('a'))?.waiting).toEqual([]);
    world.send(ask('a', 'x'.repeat(100_001)));
    expect(since(world).at(-1)).toMatch(/at most 100,000 characters/);
  });
});

describe('what closes a console', () => {
  it('[IN-8] the end of the grace time, with or without a run; not if a window returns', () => {
    const world = createWorld({ a: 'x = 1' });
    opened(world, 'a');
    world.send({ type: 'leave' });
    world.send({ type: 'join' });
    world.report({ type: 'grace_ended', runId: null });
    expect(world.state().inspections.size).toBe(1);
    world.send({ type: 'run_cell', cellId: cellId('a'), mode: 'normal', upstream: 'go' });
    world.send({ type: 'leave' });
    const { runId } = world.state().running ?? { runId: '' };
    world.settle();
    since(world);
    world.report({ type: 'grace_ended', runId });
    expect(since(world)).toEqual([
      expect.stringMatching(/^close a/),
      expect.stringMatching(/^inspect closed a nobody_here/),
    ]);
    expect(world.state().inspections.size).toBe(0);
  });

  it('[IN-7] its own end is reported to all', () => {
    const world = createWorld({ a: 'x = 1' });
    const inspectId = opened(world, 'a');
    world.report({ type: 'inspect_ended', inspectId, cellId: cellId('a'), message: 'killed' });
    expect(since(world)).toEqual(['inspect closed a ended']);
  });

  it('[IN-9] idleness, unless something is evaluated', () => {
    const world = createWorld({ a: 'x = 1' });
    const inspectId = opened(world, 'a');
    world.send(ask('a', 'x'));
    world.report({ type: 'inspect_idle', inspectId, cellId: cellId('a') });
    answered(world, inspectId);
    expect(world.state().inspections.size).toBe(1);
    since(world);
    world.report({ type: 'inspect_idle', inspectId, cellId: cellId('a') });
    expect(since(world)).toEqual([`close a ${inspectId}`, 'inspect closed a idle']);
  });

  it('[IN-9] a change of the environment, and deleting its cell', () => {
    const world = createWorld({ a: 'x = 1', b: 'y = 1' });
    opened(world, 'a');
    opened(world, 'b');
    const { file, environment } = world.state();
    world.report({
      type: 'structure_changed',
      ticket: 0,
      added: [],
      removed: [cellId('a')],
      change: 'deleted',
      file: { ...file, cells: file.cells.filter(({ id }) => id !== 'a') },
      reply: { kind: 'done' },
    });
    expect(since(world).filter((line) => /^(close|inspect)/.test(line))).toEqual([
      expect.stringMatching(/^close a/),
      'inspect closed a cell_gone',
    ]);
    const interpreter = { path: '/python', identity: 'p2' };
    world.report({ type: 'environment_settled', ticket: null, environment: { ...environment, interpreter } });
    expect(since(world).filter((line) => /^(close|inspect)/.test(line))).toEqual([
      expect.stringMatching(/^close b/),
      'inspect closed b environment',
    ]);
  });
});

it("[IN-5] starts with the cell's inputs and stored values, and names the missing ones", () => {
  const world = createWorld({ a: 'x = 1', b: 'y = x', c: 'y', d: 'z = x' });
  const opening = (id: string) => {
    world.send(open(id));
    const what = world.consoles.at(-1)?.what;
    if (what?.type !== 'open') throw new Error('not opened');
    const { values, missing } = what.opening;
    return [values.map(({ variable, producerId }) => `${variable} of ${producerId}`), missing];
  };
  expect(opening('b')).toEqual([
    [],
    { x: 'Not stored. Run x to create it.', y: 'The cell has not run yet.' },
  ]);
  world.send({ type: 'run_all', mode: 'normal', continueOnError: true });
  world.settle();
  expect(opening('b')).toEqual([['x of a', 'y of b'], {}]);
  expect(opening('d')).toEqual([
    ['x of a'],
    {
      z: expect.stringMatching(
        /^Not stored, because no cell below reads it\. Show it on the last line, or read it in a cell below\./,
      ),
    },
  ]);
});

it('[IN-5] changes no status and holds no reservation', () => {
  const world = createWorld({ a: 'x = 1', b: 'x' });
  const statuses = () => [...world.state().cells.values()].map(({ status }) => status);
  const before = statuses();
  const id = opened(world, 'a');
  world.send(ask('a', 'x'));
  world.send({ type: 'run_all', mode: 'normal', continueOnError: true });
  answered(world, id);
  expect(world.settle()).toEqual(['a', 'b']);
  expect([before, statuses()]).toEqual([
    ['idle', 'idle'],
    ['ready', 'ready'],
  ]);
});
