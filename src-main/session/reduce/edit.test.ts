import { describe, expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { Origin } from '../state/requests.ts';
import { createWorld } from '../testing/testWorld.ts';

const A = cellId('a');

describe('[LP-39] an edit that no file can hold', () => {
  const texts: readonly { readonly name: string; readonly source: string; readonly says: string }[] = [
    { name: 'a NUL character', source: 'x = 2\0', says: 'cells/a.py contains a NUL character.' },
    {
      name: 'half a surrogate pair',
      source: 'x = "\ud83d"',
      says: 'cells/a.py contains half of a surrogate pair, which UTF-8 cannot store.',
    },
    { name: 'too much', source: 'x'.repeat(1_000_001), says: 'Cell source exceeds 1MB limit' },
    { name: 'too much of pairs', source: '😀'.repeat(1_000_001), says: 'Cell source exceeds 1MB limit' },
  ];
  it.each(texts)('$name is refused, names its cell and is not stored', ({ source, says }) => {
    const world = createWorld({ a: 'x = 1', b: 'y = x' });
    const before = world.state();
    const reply = world.send({ type: 'edit_source', cellId: A, source, force: false });
    expect(reply).toMatchObject({ kind: 'refused', error: { code: 'bad_request', message: says } });
    expect(world.frames.map(({ frame, to }) => [frame.type, frame.payload, to])).toEqual([
      ['error', { error: says, cell_id: 'a' }, { kind: 'only', socketId: 's1' }],
    ]);
    expect(world.state()).toBe(before);
  });
});

it.each([
  ['x = 2\0', 'The source of the new cell contains a NUL character.'],
  ['x'.repeat(1_000_001), 'Cell source exceeds 1MB limit'],
])('[LP-39] a new cell with a text that no file can hold is not added', (source, says) => {
  const world = createWorld({ a: 'x = 1' });
  const before = world.state();
  const reply = world.send({ type: 'add_cell', afterId: A, language: 'python', source });
  expect(reply).toMatchObject({ kind: 'refused', error: { code: 'bad_request', message: says } });
  expect(world.state()).toBe(before);
});

it('[LP-39] the longest source is a million characters, however many units each takes', () => {
  const world = createWorld({ a: 'x = 1' });
  const source = '😀'.repeat(1_000_000);
  expect(world.send({ type: 'edit_source', cellId: A, source, force: false })).toEqual({ kind: 'done' });
  expect(world.state().cells.get(A)?.source).toBe(source);
});

describe('[LP-62] an edit with its base text', () => {
  const rows: readonly (readonly [
    name: string,
    base: string | undefined,
    source: string,
    force: boolean,
    taken: boolean,
  ])[] = [
    ['the current text', 'x = 1', 'x = 2', false, true],
    ['nothing', undefined, 'x = 2', false, true],
    ['a text that no longer exists', 'x = 0', 'x = 2', false, false],
    ['a text that no longer exists, forced', 'x = 0', 'x = 2', true, false],
    ['a text that no longer exists, and returns the current one', 'x = 0', 'x = 1', false, true],
  ];
  it.each(rows)('%s', (_name, base, source, force, taken) => {
    const world = createWorld({ a: 'x = 1' });
    const edit = { type: 'edit_source', cellId: A, source, force } as const;
    const reply = world.send(base === undefined ? edit : { ...edit, base });
    const message = 'This cell was changed elsewhere in the meantime.';
    const error = { code: 'cell_locked', message, context: { cell_id: 'a', held_by: 'local' } };
    expect(reply).toMatchObject(taken ? { kind: 'done' } : { kind: 'refused', error });
    expect(world.state().cells.get(A)?.source).toBe(taken ? source : 'x = 1');
  });
});

describe('[LP-19] the frames of an edit name who made it', () => {
  const caller = (identity: string): Origin => ({ kind: 'caller', identity });
  const socket = (identity: string): Origin => ({ kind: 'socket', socketId: 's1', identity });
  const rows: readonly (readonly [name: string, by: Origin, refused: boolean, told: readonly unknown[]])[] = [
    ['of a caller', caller('zed'), false, ['zed']],
    ['of a socket', socket('zed'), false, ['zed', 'zed']],
    ['without a user, which leaves the last name', socket('local'), false, ['ann', 'ann']],
    ['that the disk’s own text refuses, after which it is the last name again', caller('zed'), true, ['zed']],
  ];
  it.each(rows)('%s', (_name, by, refused, expected) => {
    const disk = { overtaken: false };
    const world = createWorld(
      { a: 'x = 1' },
      { disk: () => (disk.overtaken ? new AppError('source_changed_on_disk', 'Both.', {}) : null) },
    );
    world.send({ type: 'join' }, { kind: 'socket', socketId: 's2', identity: 'local' });
    world.send({ type: 'edit_source', cellId: A, source: 'x = 2', force: false }, caller('ann'));
    world.frames.splice(0);
    disk.overtaken = refused;
    world.send({ type: 'edit_source', cellId: A, source: 'x = 3', force: true }, by);
    const names = world.frames.flatMap(({ frame }) =>
      frame.type === 'dag_update' || frame.type === 'notebook_state'
        ? [frame.payload.cells[0]?.updated_by]
        : [],
    );
    expect(names).toEqual(expected);
    expect(world.state().cells.get(A)?.entry.updatedBy).toBe(refused ? 'ann' : expected[0]);
  });
});

describe('[WI-81] a text the disk refuses', () => {
  const FULL = 'no space left on device';

  /** A cell whose newest text exists only in the session, because the disk refused it. */
  function refusedWorld() {
    const disk = { says: FULL as string | null, written: [] as string[] };
    const world = createWorld(
      { a: 'x = 1', b: 'y = x' },
      {
        disk: ({ cellId: id, source }) => {
          if (disk.says !== null) return new AppError('source_not_saved', disk.says, { cell_id: id });
          disk.written.push(source);
          return null;
        },
      },
    );
    const edit = (source: string, id = A) =>
      world.send({ type: 'edit_source', cellId: id, source, force: false });
    const due = () => {
      const next = world.writesDue.shift();
      if (next !== undefined) world.report({ type: 'write_due', cellId: next.cellId, origin: next.origin });
    };
    const reply = edit('x = 2');
    const frames = world.frames.splice(0);
    return { world, disk, edit, due, reply, told: frames };
  }
  const kept = ({ world }: ReturnType<typeof refusedWorld>) => ({
    source: world.state().cells.get(A)?.source,
    problem: world.state().cells.get(A)?.fileProblem,
    unsaved: [...world.state().unsaved],
    due: world.writesDue.map((write) => write.cellId),
  });

  it('stays in the session, is refused with a message, shown at its cell and written again', () => {
    const full = refusedWorld();
    expect(full.reply).toMatchObject({ kind: 'refused', error: { code: 'source_not_saved', message: FULL } });
    expect(kept(full)).toEqual({ source: 'x = 2', problem: FULL, unsaved: [A], due: [A] });
    const states = full.told.flatMap(({ frame }) => (frame.type === 'notebook_state' ? [frame.payload] : []));
    expect(
      states.at(-1)?.cells.map(({ id, unsaved, file_problem }) => ({ id, unsaved, file_problem })),
    ).toEqual([
      { id: 'a', unsaved: true, file_problem: FULL },
      { id: 'b', unsaved: undefined, file_problem: undefined },
    ]);
  });

  type Full = ReturnType<typeof refusedWorld>;
  const rows: readonly {
    readonly name: string;
    readonly act: (full: Full) => void;
    readonly frames: readonly string[];
    readonly after: Partial<ReturnType<typeof kept>>;
    readonly written?: readonly string[];
  }[] = [
    {
      name: 'that is refused again for the same reason is not reported, and stays due',
      act: ({ due }) => due(),
      frames: ['error'],
      after: { unsaved: [A], due: [A], problem: FULL },
    },
    {
      name: 'that is refused for another reason reports the new reason',
      act: ({ disk, due }) => {
        disk.says = 'read-only file system';
        due();
      },
      frames: ['error', 'notebook_state'],
      after: { unsaved: [A], due: [A], problem: 'read-only file system' },
    },
    {
      name: 'is written once there is room, and every socket is notified',
      act: ({ disk, due }) => {
        disk.says = null;
        due();
      },
      frames: ['notebook_state'],
      after: { unsaved: [], due: [], problem: null },
      written: ['x = 2'],
    },
    {
      name: 'is written with the edits made since',
      act: ({ disk, edit, due }) => {
        edit('x = 3');
        disk.says = null;
        due();
      },
      frames: ['dag_update', 'error', 'notebook_state'],
      after: { source: 'x = 3', unsaved: [], due: [A], problem: null },
      written: ['x = 3'],
    },
    {
      name: 'is not written twice: a later edit wrote it',
      act: ({ disk, edit, due }) => {
        disk.says = null;
        edit('x = 3');
        due();
      },
      frames: ['dag_update', 'notebook_state'],
      after: { source: 'x = 3', unsaved: [], due: [], problem: null },
      written: ['x = 3'],
    },
    {
      name: 'delays no other cell: their texts are written',
      act: ({ disk, edit }) => {
        disk.says = null;
        edit('y = x + x', cellId('b'));
      },
      frames: ['dag_update'],
      after: { unsaved: [A], due: [A], problem: FULL },
      written: ['y = x + x'],
    },
  ];
  it.each(rows)('$name', ({ act, frames, after, written = [] }) => {
    const full = refusedWorld();
    act(full);
    const types = full.world.frames.map(({ frame }) => frame.type);
    expect(types.filter((type) => type !== 'cell_status' && type !== 'presence')).toEqual(frames);
    expect(kept(full)).toMatchObject(after);
    expect(full.disk.written).toEqual(written);
  });
});
