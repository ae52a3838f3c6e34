import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type CellId, cellId } from '../../../src-shared/notebook/ids.ts';
import type { WidgetMessage } from '../../../src-shared/wire/widgetMessages.ts';
import type { KeptProcess } from '../../exec/keptProcess.ts';
import type { SessionFact } from '../state/events.ts';
import type { SessionState } from '../state/state.ts';
import { createWorld } from '../testing/testWorld.ts';
import { createKeptWidgets, type ProcessLimit, processLimitOf } from './keptWidgets.ts';

/** A process that records its input; `die` makes it end by itself. */
function fakeProcess() {
  let end: (why: string) => void = () => {};
  let say: (message: WidgetMessage) => void = () => {};
  const sent: WidgetMessage[] = [];
  const ended = new Promise<string>((resolve) => {
    end = resolve;
  });
  const state = { isClosed: false };
  const process: KeptProcess = {
    ended,
    send: (message) => sent.push(message),
    state: async () => ({ state: {} }),
    listen: (onMessage) => {
      say = onMessage;
    },
    close: async () => {
      state.isClosed = true;
      end('It was ended.');
    },
  };
  return { process, sent, state, die: (why: string) => end(why), say: (one: WidgetMessage) => say(one) };
}

const CELLS = ['a', 'b', 'c', 'd', 'e'].map(cellId);
const [A, B, E] = [cellId('a'), cellId('b'), cellId('e')];

const ROOM: ProcessLimit = { most: 4, isShort: () => false };

function open(change: (state: SessionState) => SessionState = (state) => state, room = ROOM) {
  const world = createWorld({ a: 'a = 1', b: 'b = 1', c: 'c = 1', d: 'd = 1', e: 'e = 1' });
  world.send({ type: 'join' }, { kind: 'socket', socketId: 's1', identity: 'local' });
  let state = change(world.state());
  const facts: SessionFact[] = [];
  const work: Promise<unknown>[] = [];
  const widgets = createKeptWidgets({
    state: () => state,
    report: (fact) => facts.push(fact),
    inBackground: (one) => work.push(one),
    room,
  });
  return {
    widgets,
    facts,
    settle: () => Promise.all(work),
    become: (next: (before: SessionState) => SessionState) => {
      state = next(state);
      widgets.follow(state);
    },
    liveIdOf: (id: CellId) =>
      facts
        .flatMap((fact) =>
          fact.type === 'widget_process_changed' && fact.cellId === id ? [fact.liveId] : [],
        )
        .at(-1),
    whyOf: (id: CellId) =>
      facts
        .flatMap((fact) => (fact.type === 'widget_process_changed' && fact.cellId === id ? [fact.why] : []))
        .at(-1),
  };
}

describe('[WG-39] when a process is kept, and when it ends', () => {
  const refusals: readonly [string, (state: SessionState) => SessionState][] = [
    ['an untrusted folder', (state) => ({ ...state, trusted: false })],
    [
      'a server that people share',
      (state) => ({ ...state, options: { ...state.options, liveWidgets: false } }),
    ],
    ['no window', (state) => ({ ...state, sockets: new Map() })],
  ];
  it.each(refusals)('keeps no process with %s', async (_name, change) => {
    const world = open(change);
    expect(world.widgets.wanted()).toBe(false);
    const one = fakeProcess();
    world.widgets.keep(A, one.process);
    await world.settle();
    expect([one.state.isClosed, world.facts]).toEqual([true, []]);
  });

  const ends: readonly [string, (state: SessionState) => SessionState, RegExp | null][] = [
    ['its cell is deleted', (state) => ({ ...state, cells: without(state.cells, A) }), null],
    ['trust is withdrawn', (state) => ({ ...state, trusted: false }), null],
    [
      'the environment changes',
      (state) => ({
        ...state,
        environment: { ...state.environment, interpreter: { path: '/other', identity: 'other' } },
      }),
      /environment has changed/,
    ],
  ];
  it.each(ends)('ends when %s', async (_name, change, why) => {
    const world = open();
    const one = fakeProcess();
    world.widgets.keep(A, one.process);
    world.become((state) => ({ ...state }));
    expect(one.state.isClosed).toBe(false);
    world.become(change);
    await world.settle();
    expect([one.state.isClosed, world.liveIdOf(A)]).toEqual([true, null]);
    if (why === null) expect(world.whyOf(A)).toBeNull();
    else expect(world.whyOf(A)).toMatch(why);
  });

  it('ends when its cell runs again, and reports the reason if it ends by itself', async () => {
    const world = open();
    const [one, two] = [fakeProcess(), fakeProcess()];
    world.widgets.keep(A, one.process);
    await world.widgets.end(A, null);
    expect([one.state.isClosed, world.whyOf(A)]).toEqual([true, null]);
    world.widgets.keep(A, two.process);
    two.die('It used more than 2 GB of memory.');
    await two.process.ended;
    expect(world.whyOf(A)).toBe('The process of these widgets ended. It used more than 2 GB of memory.');
  });

  it('keeps a limited number: the one kept longest makes room', async () => {
    const world = open();
    const all = CELLS.map(() => fakeProcess());
    for (const [at, id] of CELLS.entries()) world.widgets.keep(id, (all[at] ?? fakeProcess()).process);
    await world.settle();
    expect(all.map(({ state }) => state.isClosed)).toEqual([true, false, false, false, false]);
    expect(world.whyOf(A)).toMatch(/At most 4 cells .* Run this cell/);
    await world.widgets.close();
    expect(all.every(({ state }) => state.isClosed)).toBe(true);
  });
});

describe('[VA-101] how many processes are kept', () => {
  const GB = 1024 ** 3;
  const rooms: readonly [string, total: number, free: number, most: number, isShort: boolean][] = [
    ['a small machine', 1 * GB, 0.5 * GB, 4, false],
    ['a machine of 8 GB', 8 * GB, 2 * GB, 16, false],
    ['a large machine', 256 * GB, 100 * GB, 32, false],
    ['a machine whose memory is nearly full', 8 * GB, 0.7 * GB, 16, true],
  ];
  it.each(rooms)('%s', (_name, total, free, most, isShort) => {
    const room = processLimitOf({ total, free: () => free });
    expect([room.most, room.isShort()]).toEqual([most, isShort]);
  });

  it('if memory is short, all but four end when the next one is kept', async () => {
    let isShort = false;
    const world = open((state) => state, { most: 10, isShort: () => isShort });
    const all = [...CELLS, cellId('f'), cellId('g')].map((id) => ({ id, ...fakeProcess() }));
    for (const { id, process } of all.slice(0, 6)) world.widgets.keep(id, process);
    await world.settle();
    expect(all.map(({ state }) => state.isClosed)).toEqual(all.map(() => false));
    isShort = true;
    for (const { id, process } of all.slice(6)) world.widgets.keep(id, process);
    await world.settle();
    expect(all.map(({ state }) => state.isClosed)).toEqual([true, true, true, false, false, false, false]);
    expect(world.whyOf(A)).toMatch(/nearly full.* Run this cell/);
    await world.widgets.close();
  });
});

describe('[WG-38] messages of windows', () => {
  it('reach the process of their cell that they name, and no other', async () => {
    const world = open();
    const [one, other] = [fakeProcess(), fakeProcess()];
    world.widgets.keep(A, one.process);
    world.widgets.keep(B, other.process);
    const message: WidgetMessage = { type: 'comm_msg', comm_id: 'c', msg_id: 'm' };
    const tell = (id: CellId, liveId: string) =>
      world.widgets.perform({ type: 'widget', cellId: id, what: { type: 'tell', liveId, message } });
    await tell(A, world.liveIdOf(A) ?? '');
    await tell(A, world.liveIdOf(B) ?? '');
    await tell(A, 'an earlier one');
    await tell(E, world.liveIdOf(A) ?? '');
    expect([one.sent, other.sent]).toEqual([[message], []]);
  });

  it('[VA-100] are answered as soon as they are handled, with all that was said before, in order', async () => {
    const world = open();
    const one = fakeProcess();
    world.widgets.keep(A, one.process);
    world.facts.length = 0;
    const messages: readonly WidgetMessage[] = [
      { type: 'comm_msg', comm_id: 'c', msg_id: 'm' },
      { type: 'comm_msg', comm_id: 'd', msg_id: 'm' },
      { type: 'done', msg_id: 'm' },
    ];
    for (const message of messages) one.say(message);
    await setImmediate();
    const liveId = world.facts.flatMap((fact) =>
      fact.type === 'widget_messages_received' ? [fact.liveId] : [],
    )[0];
    expect(world.facts).toEqual([{ type: 'widget_messages_received', cellId: A, liveId, messages }]);
  });

  it('[VA-100] a window that opens gets its state before what was said after it', async () => {
    const world = open();
    const one = fakeProcess();
    let tellState: (state: unknown) => void = () => {};
    const state = new Promise((resolve) => {
      tellState = resolve;
    });
    world.widgets.keep(A, { ...one.process, state: () => state });
    world.facts.length = 0;
    const opened = world.widgets.perform({
      type: 'widget',
      cellId: A,
      what: { type: 'open', socketId: 's1' },
    });
    tellState({ state: {} });
    one.say({ type: 'comm_msg', comm_id: 'c', msg_id: 'm' });
    one.say({ type: 'done', msg_id: 'm' });
    await opened;
    await setImmediate();
    expect(world.facts.map(({ type }) => type)).toEqual(['widgets_opened', 'widget_messages_received']);
  });

  it('[VA-101] end others, the oldest first, if memory becomes short', async () => {
    let isShort = false;
    const world = open((state) => state, { most: 32, isShort: () => isShort });
    const processes = CELLS.map(() => fakeProcess());
    CELLS.forEach((id, at) => {
      const current = processes[at];
      if (current !== undefined) world.widgets.keep(id, current.process);
    });
    const message: WidgetMessage = { type: 'comm_msg', comm_id: 'c', msg_id: 'm' };
    const tell = async () => {
      const liveId = world.liveIdOf(A) ?? '';
      await world.widgets.perform({
        type: 'widget',
        cellId: A,
        what: { type: 'tell', liveId, message },
      });
      await world.settle();
      return processes.map(({ state }) => state.isClosed);
    };
    expect(await tell()).toEqual([false, false, false, false, false]);
    isShort = true;
    expect(await tell()).toEqual([false, true, false, false, false]);
    expect(world.whyOf(B)).toMatch(/nearly full/);
  });

  it('get the state, or the answer that nothing is kept', async () => {
    const world = open();
    world.widgets.keep(A, fakeProcess().process);
    const liveId = world.liveIdOf(A);
    world.facts.length = 0;
    for (const id of [A, B]) {
      await world.widgets.perform({ type: 'widget', cellId: id, what: { type: 'open', socketId: 's1' } });
    }
    expect(world.facts).toEqual([
      { type: 'widgets_opened', cellId: A, socketId: 's1', live: { id: liveId, state: { state: {} } } },
      { type: 'widgets_opened', cellId: B, socketId: 's1', live: null },
    ]);
  });
});

function without<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  return new Map([...map].filter(([one]) => one !== key));
}
