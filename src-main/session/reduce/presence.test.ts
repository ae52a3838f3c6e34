import { expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import type { Origin, SessionRequest } from '../state/requests.ts';
import { createWorld, type World } from '../testing/testWorld.ts';

const A = cellId('a');
const OTHER: Origin = { kind: 'socket', socketId: 's2', identity: 'Ann' };
const CALLER: Origin = { kind: 'caller', identity: 'Ann' };
const EDIT: SessionRequest = { type: 'edit_source', cellId: A, source: 'x = 2', force: false };

/** The presence in the newest frame to the first socket. */
function presence({ frames }: World): unknown {
  const newest = frames.findLast(
    ({ frame, to }) => frame.type === 'presence' && to.kind === 'only' && to.socketId === 's1',
  )?.frame;
  if (newest?.type !== 'presence') return null;
  const { principals, others } = newest.payload;
  return [...principals, ...(others ?? [])].map((one) => `${one.principal} ${one.focused_cell_id}`);
}

const COMINGS: Readonly<Record<string, (world: World) => void>> = {
  'a socket on it': (world) => {
    world.send({ type: 'join' }, OTHER);
    world.send({ type: 'focus_cell', cellId: A }, OTHER);
  },
  'an editor over REST': (world) => {
    world.send(EDIT, CALLER);
  },
};
const GOINGS: Readonly<Record<string, (world: World) => void>> = {
  'is deleted': (world) => {
    const { file } = world.state();
    const fact = { type: 'structure_changed', change: 'deleted', added: [], removed: [A] } as const;
    world.report({ ...fact, ticket: 0, file: without(file), reply: { kind: 'done' } });
  },
  'leaves the file': (world) => {
    const file = without(world.state().file);
    world.report({ type: 'files_changed', followed: { file, changed: [], added: [], removed: [A] } });
  },
};
const rows = Object.keys(COMINGS).flatMap((who) => Object.keys(GOINGS).map((how) => [who, how] as const));

function without<F extends { readonly cells: readonly { readonly id: string }[] }>(file: F): F {
  return { ...file, cells: file.cells.filter(({ id }) => id !== A) };
}

it.each(rows)('[LP-17] the focus on %s is removed once that cell %s', (who, how) => {
  const world = createWorld({ a: 'x = 1', b: 'y = 1' });
  COMINGS[who]?.(world);
  expect(presence(world)).toContain('Ann a');
  world.frames.length = 0;
  GOINGS[how]?.(world);
  const isSocket = who === 'a socket on it';
  expect(presence(world)).toEqual(['Ann null', 'local null', ...(isSocket ? ['Ann null'] : [])]);
});

const FOCUSED = ['Ann a'];
const edits: readonly (readonly [focus: string | null, expected: readonly string[]])[] = [
  [null, FOCUSED],
  ['a', FOCUSED],
  ['b', ['Ann b']],
];

it.each(edits)('[LP-65] a socket focused on %s is the author of its last edit', (focus, expected) => {
  const world = createWorld({ a: 'x = 1', b: 'y = 1' });
  if (focus !== null) world.send({ type: 'focus_cell', cellId: cellId(focus) });
  world.send(EDIT, { kind: 'socket', socketId: 's1', identity: 'Ann' });
  expect(presence(world)).toEqual(expected);
});
