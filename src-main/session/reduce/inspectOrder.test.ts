/** The consoles of cells under random orders of events: every open console has a process, every request one reply. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import type { InspectAnswer } from '../../exec/inspection.ts';
import type { Origin, SessionRequest } from '../state/requests.ts';
import { createWorld, type World } from '../testing/testWorld.ts';

const socket = (socketId: string): Origin => ({ kind: 'socket', socketId, identity: 'local' });
const open = (id: string): SessionRequest => ({ type: 'open_console', cellId: cellId(id) });
const ask = (id: string, expr: string): SessionRequest => ({
  type: 'ask_console',
  cellId: cellId(id),
  expr,
});
const close = (id: string): SessionRequest => ({ type: 'close_console', cellId: cellId(id) });

const QUIET = { stdout: '', stderr: '', displays: [], durationMs: 1 };
const VALUE: InspectAnswer = { kind: 'value', result: '1', type: 'int', ...QUIET };

/** Plays the processes: which ones the effects started and ended, and which replies each still owes. */
function playedOut(world: World, steps: readonly Step[]): void {
  interface Alive {
    readonly id: string;
    readonly openedBy: string;
    readonly owed: string[];
    hasStarted: boolean;
  }
  const alive = new Map<string, Alive>();
  const dead: { readonly inspectId: string; readonly id: string; readonly owed: string[] }[] = [];
  /**
   * By socket and cell: requests and replies, in order. A request beyond the limit is refused before its
   * turn.
   */
  const requestsOf = new Map<string, string[]>();
  const repliesOf = new Map<string, string[]>();
  const note = (of: Map<string, string[]>, who: string, action: string): void => {
    of.set(who, [...(of.get(who) ?? []), action]);
  };
  const perform = (): void => {
    for (const { inspectId, cellId: id, what } of world.consoles.splice(0)) {
      const process = alive.get(inspectId);
      if (what.type === 'open')
        alive.set(inspectId, { id, openedBy: what.socketId, owed: [], hasStarted: false });
      else if (what.type === 'evaluate') process?.owed.push(what.socketId);
      else if (what.type === 'close') kill(inspectId);
    }
    for (const { frame, to } of world.frames.splice(0)) {
      if (frame.type !== 'inspect_result') continue;
      const who = to.kind === 'only' ? to.socketId : 'everybody';
      note(repliesOf, `${who} ${frame.payload.cell_id}`, frame.payload.action);
    }
  };
  const kill = (inspectId: string): void => {
    const process = alive.get(inspectId);
    if (process === undefined) throw new Error('closed twice');
    alive.delete(inspectId);
    dead.push({ inspectId, ...process });
  };
  const tell = (inspectId: string, id: string, socketId: string, answer: InspectAnswer): void =>
    world.report({ type: 'inspect_answered', inspectId, cellId: cellId(id), socketId, expr: 'x', answer });
  const nth = <T>(all: readonly T[], n: number): T | undefined => all[n % Math.max(1, all.length)];
  const fact = (step: Step): void => {
    const [inspectId, process] = nth([...alive], step.n) ?? ['', undefined];
    if (step.what === 'start' && process !== undefined && !process.hasStarted) {
      process.hasStarted = true;
      const to = { inspectId, cellId: cellId(process.id), socketId: process.openedBy };
      const failed = step.n % 5 === 0;
      const start = failed
        ? { kind: 'failed' as const, message: 'no' }
        : { kind: 'ready' as const, unread: {} };
      if (failed) kill(inspectId);
      world.report({ type: 'inspect_started', ...to, start });
    } else if (step.what === 'answer') {
      const socketId = process?.hasStarted ? process.owed.shift() : undefined;
      if (process !== undefined && socketId !== undefined) tell(inspectId, process.id, socketId, VALUE);
    } else if (step.what === 'die' && process !== undefined) {
      kill(inspectId);
      world.report({ type: 'inspect_ended', inspectId, cellId: cellId(process.id), message: 'died' });
    } else if (step.what === 'late') {
      const process = nth(dead, step.n);
      if (process === undefined) return;
      const to = { inspectId: process.inspectId, cellId: cellId(process.id) };
      for (const socketId of process.owed.splice(0)) {
        tell(process.inspectId, process.id, socketId, { kind: 'ended', error: 'gone', ...QUIET });
      }
      world.report({ type: 'inspect_ended', ...to, message: 'late' });
    } else if (step.what === 'idle' && process !== undefined) {
      world.report({ type: 'inspect_idle', inspectId, cellId: cellId(process.id) });
    } else if (step.what === 'grace') world.report({ type: 'grace_ended', runId: null });
  };
  for (const step of steps) {
    const from = socket(step.socketId);
    const who = `${step.socketId} ${step.id}`;
    if (step.what === 'open') {
      note(requestsOf, who, 'open');
      world.send(open(step.id), from);
    } else if (step.what === 'ask') {
      note(requestsOf, who, 'eval');
      world.send(ask(step.id, 'x'), from);
    } else if (step.what === 'close') {
      note(requestsOf, who, 'close');
      world.send(close(step.id), from);
    }
    if (step.what === 'join') world.send({ type: 'join' }, from);
    else if (step.what === 'leave') world.send({ type: 'leave' }, from);
    else fact(step);
    perform();
    const open_ = [...world.state().inspections.values()].map(({ inspectId }) => inspectId);
    expect(open_.sort()).toEqual([...alive.keys()].sort());
    for (const [, { inspectId, waiting }] of world.state().inspections) {
      expect(waiting.filter(({ expr }) => expr !== null).length).toBe(alive.get(inspectId)?.owed.length);
    }
  }
  for (const entry of dead) {
    for (const socketId of entry.owed.splice(0)) tell(entry.inspectId, entry.id, socketId, VALUE);
  }
  for (const [inspectId, process] of alive) {
    if (!process.hasStarted) continue;
    for (const socketId of process.owed.splice(0)) tell(inspectId, process.id, socketId, VALUE);
  }
  for (const id of ['a', 'b']) world.send(close(id), socket('end'));
  perform();
  repliesOf.delete('end a');
  repliesOf.delete('end b');
  expect(repliesOf).toEqual(requestsOf);
}

interface Step {
  readonly what: (typeof WHATS)[number];
  readonly id: string;
  readonly socketId: string;
  readonly n: number;
}
const WHATS = [
  'open',
  'ask',
  'close',
  'join',
  'leave',
  'start',
  'answer',
  'die',
  'late',
  'idle',
  'grace',
] as const;

it('[IN-1] [IN-7] for any order of events, open consoles have a process, and every request gets one reply', () => {
  const step = fc.record({
    what: fc.constantFrom(...WHATS),
    id: fc.constantFrom('a', 'b'),
    socketId: fc.constantFrom('s1', 's2'),
    n: fc.nat(20),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) =>
      playedOut(createWorld({ a: 'x = 1', b: 'x' }), steps),
    ),
    { numRuns: process.env['LONG'] === '1' ? 5_000 : 200 },
  );
});
