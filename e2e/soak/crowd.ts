/** The notebooks of the soak test and the people in them: opens many on a real server, and makes visits and runs. */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { openReady } from '../support/rest.ts';
import type { ServerProcess } from '../support/serverProcess.ts';
import { joinAs, type Member } from './member.ts';
import { SessionNumbers } from './numbers.ts';

const CELLS = [
  { id: 'a', source: 'x = 1' },
  { id: 'b', source: 'y = x + 1' },
  { id: 'c', source: 'print(y)' },
];
const QUERIES = ['', '?extensions=1', '', '?extensions=1'] as const;

/** One notebook and the people in it. */
export interface Room {
  readonly sid: string;
  readonly members: Member[];
  readonly numbers: SessionNumbers;
}

/** How many notebooks are opened at the same time. */
const AT_ONCE = 5;

/** Opens this many notebooks, a few at a time, runs each once, and connects four sockets to each. */
export async function gather(
  server: ServerProcess,
  options: { dir: string; rooms: number },
): Promise<readonly Room[]> {
  const rooms: Room[] = [];
  for (let from = 0; from < options.rooms; from += AT_ONCE) {
    const next = Array.from({ length: Math.min(AT_ONCE, options.rooms - from) }, (_none, at) =>
      openRoom(server, join(options.dir, `room${from + at}`)),
    );
    rooms.push(...(await Promise.all(next)));
  }
  return rooms;
}

async function openRoom(server: ServerProcess, path: string): Promise<Room> {
  await mkdir(path, { recursive: true });
  await writeReadyNotebook(path, { cells: CELLS });
  const { session_id: sid } = await openReady(server.url, path);
  const room: Room = { sid, members: [], numbers: new SessionNumbers() };
  for (const query of QUERIES)
    room.members.push(await joinAs(server.url, { sid, query, numbers: room.numbers }));
  await runAll(room);
  return room;
}

async function runAll(room: Room): Promise<void> {
  const [first] = room.members;
  if (first === undefined) return;
  const done = ready(first, 'c');
  first.send('notebook_run_all', {});
  await done;
}

const ready = (member: Member, cell: string) =>
  member.next(
    `ready ${cell}`,
    ({ type, payload }) => type === 'cell_status' && payload.cell_id === cell && payload.status === 'ready',
  );

/** Runs a cell whose result is stored; returns milliseconds until it is ready. */
export async function cachedRun(member: Member, cell: string): Promise<number> {
  const startedAt = performance.now();
  const done = ready(member, cell);
  member.send('cell_execute', { cell_id: cell });
  await done;
  return performance.now() - startedAt;
}

/** Runs a trivial cell without a cache hit. */
export async function realRun(member: Member): Promise<void> {
  const done = ready(member, 'a');
  member.send('cell_execute_force', { cell_id: 'a' });
  await done;
}

/** A short visit: views a cell, adds a word to it, and sometimes requests the state or reloads the page. */
export async function visit(server: ServerProcess, room: Room, turn: number): Promise<number> {
  const at = turn % room.members.length;
  const member = room.members[at];
  if (member === undefined) throw new Error('the room is empty');
  member.send('cell_focus', { cell_id: 'c' });
  const answer = member.next('an answer to the edit', ({ type }) => type === 'dag_update');
  member.send('cell_source_update', { cell_id: 'c', source: `print(y)  # ${turn}`, force: true });
  await answer;
  if (turn % 5 === 0) {
    const state = member.next('the state', ({ type }) => type === 'notebook_state');
    member.send('notebook_sync', {});
    await state;
  }
  const runMs = await cachedRun(member, 'c');
  if (turn % 7 === 0) {
    await member.close();
    const query = QUERIES[at] ?? '';
    room.members[at] = await joinAs(server.url, { sid: room.sid, query, numbers: room.numbers });
  }
  return runMs;
}
