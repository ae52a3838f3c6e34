import { beforeEach, expect, test, vi } from 'vitest';
import type { ConnectionState, ConnectionWorld } from './connection.ts';
import { Connection } from './connection.ts';

const OPEN = 1;
vi.stubGlobal('WebSocket', { OPEN });

/** A socket for which the test acts as the server. */
class FakeSocket {
  readyState = 0;
  readonly sent: string[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.drop();
  }
  accept(): void {
    this.readyState = OPEN;
    this.onopen?.();
  }
  drop(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
  say(type: string, seq: number, payload: object): void {
    this.onmessage?.({ data: JSON.stringify({ type, seq, ts: '2026-01-01T00:00:00Z', payload }) });
  }
}

let sockets: FakeSocket[];
let timers: { ms: number; task: () => void; on: boolean }[];
let wake: () => void;
let states: ConnectionState[];
/** The `refused` argument of each call of `find`; `there` is its answer. */
let refusals: boolean[];
let there: boolean | Promise<boolean>;
let unreadable: string[];
let frames: string[];

/** `onFrame` is called for frames; with `late` they wait until the socket closes, as in a busy page. */
function connect(options: { onFrame?: () => void; late?: boolean; justOpened?: boolean } = {}): Connection {
  const { onFrame, late = false, justOpened = true } = options;
  const world: ConnectionWorld = {
    openSocket: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket as unknown as WebSocket; // the parts of it a connection uses
    },
    nowMs: () => 0,
    random: () => 0,
    after: (ms, task) => {
      const timer = { ms, task, on: true };
      timers.push(timer);
      return () => {
        timer.on = false;
      };
    },
    onWake: (listener) => {
      wake = listener;
      return () => undefined;
    },
    soon: (task) => (late ? undefined : task()),
  };
  return new Connection(
    { address: 'ws://x', justOpened },
    {
      onFrames: (all) => {
        frames.push(...all.map((frame) => `${frame.seq} ${frame.type}`));
        onFrame?.();
      },
      onState: (state) => states.push(state),
      find: async (refused) => {
        refusals.push(refused);
        return there;
      },
      onUnreadable: (where) => unreadable.push(where),
    },
    world,
  );
}

function last(): FakeSocket {
  const socket = sockets.at(-1);
  if (socket === undefined) throw new Error('no socket was opened');
  return socket;
}

/** Lets the newest timer fire, and waits until the requests that it starts are answered. */
async function fire(): Promise<number> {
  const timer = timers.filter((one) => one.on).at(-1);
  if (timer === undefined) throw new Error('nothing waits');
  timer.on = false;
  timer.task();
  await answered();
  return timer.ms;
}

async function answered(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}

beforeEach(() => {
  sockets = [];
  timers = [];
  states = [];
  refusals = [];
  there = true;
  unreadable = [];
  frames = [];
});

test('notebook_sync is the first frame of every socket', async () => {
  connect();
  last().accept();
  last().drop();
  await fire();
  last().accept();
  expect(sockets.map((socket) => socket.sent)).toEqual(
    Array(2).fill([JSON.stringify({ type: 'notebook_sync', payload: {} })]),
  );
});

test('retries forever, after 1 s growing to 30 s', async () => {
  connect();
  const waits: number[] = [];
  for (let attempt = 0; attempt < 12; attempt += 1) {
    last().drop();
    await answered();
    waits.push(await fire());
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30, 30, 30, 30, 30, 30].map((seconds) => seconds * 1_000));
  last().accept();
  last().drop();
  expect(await fire()).toBe(1_000);
});

test('[WI-7] opens no socket to a missing session: it checks first', async () => {
  connect();
  last().accept();
  last().drop();
  expect([refusals, states.at(-1)]).toEqual([[], { kind: 'lost', retryAtMs: 1_000 }]);
  there = false;
  expect([await fire(), await fire()]).toEqual([1_000, 2_000]);
  expect([refusals, sockets.length]).toEqual([[false, false], 1]);
  there = true;
  expect(await fire()).toBe(4_000);
  expect(sockets).toHaveLength(2);
  last().drop();
  await fire();
  expect(refusals.at(-1)).toBe(true);
});

test('[WI-7] checks a stored address before opening a socket', async () => {
  there = false;
  const connection = connect({ justOpened: false });
  expect([refusals, sockets.length]).toEqual([[false], 0]);
  // As its owner does after opening the notebook under another id.
  connection.close();
  await answered();
  expect([sockets.length, states.map(({ kind }) => kind)]).toEqual([0, ['connecting']]);
  there = true;
  connect({ justOpened: false });
  await answered();
  last().accept();
  expect(states.at(-1)).toEqual({ kind: 'live' });
});

test('[WI-7] a refused first socket triggers the check immediately, and no loss is reported', async () => {
  const connection = connect();
  last().drop();
  expect([refusals, states.map(({ kind }) => kind)]).toEqual([[true], ['connecting', 'connecting']]);
  // As its owner does after finding the notebook under another id.
  connection.close();
  await answered();
  expect(states.map(({ kind }) => kind)).toEqual(['connecting', 'connecting']);
});

test('[WI-7] a check that times out is ignored when it answers late', async () => {
  connect();
  last().accept();
  last().drop();
  let answer = (_found: boolean): void => undefined;
  there = new Promise((resolve) => {
    answer = resolve;
  });
  await fire();
  expect(states.at(-1)).toEqual({ kind: 'connecting' });
  expect(await fire()).toBe(5_000);
  expect(states.at(-1)).toEqual({ kind: 'lost', retryAtMs: 2_000 });
  answer(true);
  await answered();
  expect([sockets.length, states.at(-1)?.kind]).toEqual([1, 'lost']);
});

test('a network that returns ends a wait, and does nothing to an open socket', async () => {
  connect();
  last().accept();
  wake();
  expect(sockets).toHaveLength(1);
  last().drop();
  wake();
  await answered();
  expect(sockets).toHaveLength(2);
});

test('a socket that does not open in time counts as refused', async () => {
  connect();
  expect(await fire()).toBe(5_000);
  expect(states.at(-1)).toEqual({ kind: 'lost', retryAtMs: 1_000 });
});

test('parses frames: ignores unknown ones, reports broken ones', () => {
  connect();
  last().accept();
  last().say('cell_status', 1, { cell_id: 'a', status: 'ready' });
  last().say('from_a_newer_server', 2, {});
  last().say('cell_status', 3, { cell_id: 'a', status: 'unheard of' });
  last().onmessage?.({ data: 'no JSON' });
  expect(frames).toEqual(['1 cell_status']);
  expect(unreadable).toEqual(['cell_status: status', 'not JSON']);
});

test('[SG-23] reconnects immediately when the session was replaced at the same address', async () => {
  connect();
  last().accept();
  last().drop(1012);
  await answered();
  expect([refusals, sockets.length, states.at(-1)?.kind]).toEqual([[false], 2, 'connecting']);
  // If that session cannot be connected to, the next attempt waits as usual.
  last().drop(1012);
  expect(states.at(-1)?.kind).toBe('lost');
});

test('nothing is sent without an open socket, and nothing happens after close', () => {
  const connection = connect();
  expect(connection.send({ type: 'notebook_sync', payload: {} })).toBe(false);
  last().accept();
  connection.close();
  wake();
  expect(sockets).toHaveLength(1);
  expect(timers.filter((timer) => timer.on)).toEqual([]);
});

test('does not retry when the session ends together with its socket', () => {
  const connection = connect({ onFrame: () => connection.close(), late: true });
  last().accept();
  last().say('session_closed', 1, { reason: 'idle', message: 'closed' });
  last().drop();
  expect(frames).toEqual(['1 session_closed']);
  expect(timers.filter((timer) => timer.on)).toEqual([]);
  expect(states.at(-1)).toEqual({ kind: 'live' });
});
