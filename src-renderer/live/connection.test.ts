import { beforeEach, expect, test, vi } from 'vitest';
import type { ConnectionState, ConnectionWorld } from './connection.ts';
import { Connection } from './connection.ts';

const OPEN = 1;
vi.stubGlobal('WebSocket', { OPEN });

/** A socket the test plays the server of. */
class FakeSocket {
  readyState = 0;
  readonly sent: string[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
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
  drop(): void {
    this.readyState = 3;
    this.onclose?.();
  }
  say(type: string, seq: number, payload: object): void {
    this.onmessage?.({ data: JSON.stringify({ type, seq, ts: '2026-01-01T00:00:00Z', payload }) });
  }
}

let sockets: FakeSocket[];
let timers: { ms: number; task: () => void; on: boolean }[];
let wake: () => void;
let states: ConnectionState[];
let refused: number[];
let unreadable: string[];
let frames: string[];

/** `told` hears of frames; with `late` they wait until the socket closes, as in a page that is busy. */
function connect({ told, late = false }: { told?: () => void; late?: boolean } = {}): Connection {
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
    'ws://x',
    {
      onFrames: (all) => {
        frames.push(...all.map((frame) => `${frame.seq} ${frame.type}`));
        told?.();
      },
      onState: (state) => states.push(state),
      onRefused: (attempt) => refused.push(attempt),
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

function fire(): number {
  const timer = timers.filter((one) => one.on).at(-1);
  if (timer === undefined) throw new Error('nothing waits');
  timer.on = false;
  timer.task();
  return timer.ms;
}

beforeEach(() => {
  sockets = [];
  timers = [];
  states = [];
  refused = [];
  unreadable = [];
  frames = [];
});

test('notebook_sync is the first frame of every socket', () => {
  connect();
  last().accept();
  last().drop();
  fire();
  last().accept();
  expect(sockets.map((socket) => socket.sent)).toEqual(
    Array(2).fill([JSON.stringify({ type: 'notebook_sync', payload: {} })]),
  );
});

test('it never gives up: 1 s growing to 30 s', () => {
  connect();
  const waits: number[] = [];
  for (let attempt = 0; attempt < 12; attempt += 1) {
    last().drop();
    waits.push(fire());
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30, 30, 30, 30, 30, 30].map((seconds) => seconds * 1_000));
  expect(refused).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  last().accept();
  last().drop();
  expect(fire()).toBe(1_000);
});

test('the network coming back ends the wait, and only a wait', () => {
  connect();
  last().accept();
  wake();
  expect(sockets).toHaveLength(1);
  last().drop();
  wake();
  expect(sockets).toHaveLength(2);
});

test('a socket that does not open in time counts as refused', () => {
  connect();
  expect(fire()).toBe(5_000);
  expect(states.at(-1)).toEqual({ kind: 'lost', retryAtMs: 1_000 });
});

test('frames are parsed at this edge: unknown ones pass by, broken ones are told', () => {
  connect();
  last().accept();
  last().say('cell_status', 1, { cell_id: 'a', status: 'ready' });
  last().say('from_a_newer_server', 2, {});
  last().say('cell_status', 3, { cell_id: 'a', status: 'unheard of' });
  last().onmessage?.({ data: 'no JSON' });
  expect(frames).toEqual(['1 cell_status']);
  expect(unreadable).toEqual(['cell_status: status', 'not JSON']);
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

test('an end of the session that arrives with the end of its socket is not followed by another try', () => {
  const connection = connect({ told: () => connection.close(), late: true });
  last().accept();
  last().say('session_closed', 1, { reason: 'idle', message: 'closed' });
  last().drop();
  expect(frames).toEqual(['1 session_closed']);
  expect(timers.filter((timer) => timer.on)).toEqual([]);
  expect(states.at(-1)).toEqual({ kind: 'live' });
});
