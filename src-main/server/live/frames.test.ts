import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLIENT_FRAMES } from '../../../src-shared/wire/frames/client.ts';
import type { ServerFrame } from '../../../src-shared/wire/frames/server.ts';
import type { AddressedFrame } from '../../session/api.ts';
import { type Caller, identityOf, PERSONAL_CALLER } from '../caller.ts';
import { Broadcast } from './broadcast.ts';
import { readClientFrame, type SocketRole } from './clientFrame.ts';
import { HARD_LIMIT_BYTES, Outbox, SOFT_LIMIT_BYTES, STALL_MS, WINDOW_BYTES } from './outbox.ts';
import { meaningOf } from './requestOf.ts';

describe('frames of a client', () => {
  const run = (mode: string, upstream: string) => ({ type: 'run_requested', cellId: 'a', mode, upstream });
  const rows: readonly (readonly [type: string, payload: unknown, request: unknown, startsRun: boolean])[] = [
    ['cell_execute', { cell_id: 'a' }, run('normal', 'ask'), true],
    ['cell_execute_force', { cell_id: 'a' }, run('force', 'go'), true],
    ['cell_execute_rerun', { cell_id: 'a' }, run('rerun', 'go'), true],
    [
      'cell_execute_cascade',
      { cell_id: 'a', plan_id: 'p' },
      { type: 'plan_confirmed', cellId: 'a', planId: 'p' },
      true,
    ],
    [
      'cell_run_tests',
      { cell_id: 'a', test_source: 't' },
      { type: 'tests_requested', cellId: 'a', source: 't', base: null },
      true,
    ],
    ['cell_cancel', { cell_id: 'a' }, { type: 'cancel_requested', cellId: 'a' }, false],
    ['notebook_run_all', {}, { type: 'run_all_requested', mode: 'normal', continueOnError: true }, true],
    [
      'notebook_rerun_all',
      { continue_on_error: false },
      { type: 'run_all_requested', mode: 'rerun', continueOnError: false },
      true,
    ],
    [
      'cell_source_update',
      { cell_id: 'a', source: 's', author: 'x' },
      { type: 'source_edited', cellId: 'a', source: 's', force: false },
      false,
    ],
    [
      'cell_source_update',
      { cell_id: 'a', source: 's', base: 'r' },
      { type: 'source_edited', cellId: 'a', source: 's', force: false, base: 'r' },
      false,
    ],
    ['cell_focus', { cell_id: null }, { type: 'focus_changed', cellId: null }, false],
    ['cell_focus', { cell_id: 'a' }, { type: 'focus_changed', cellId: 'a' }, false],
    ['cell_focus', { cell_id: '../a' }, 'nothing', false],
    ['cell_cancel', { cell_id: '../a' }, 'unknown_cell', false],
    ['impact_preview_request', { cell_id: 'a' }, { type: 'impact_requested', cellId: 'a' }, false],
    ['profiling_request', {}, { type: 'profiling_requested' }, false],
    ['variant_add', { group: 'g' }, { type: 'variant_added', group: 'g' }, false],
    [
      'variant_set_active',
      { group: 'g', name: 'n' },
      { type: 'variant_chosen', group: 'g', active: 'n', mode: null },
      false,
    ],
    ['inspect_open', { cell_id: 'a' }, { type: 'inspect_opened', cellId: 'a' }, true],
    ['inspect_eval', { cell_id: 'a', expr: '1' }, { type: 'inspect_asked', cellId: 'a', expr: '1' }, true],
    [
      'inspect_complete',
      { cell_id: 'a', text: 'x.' },
      { type: 'inspect_completion_asked', cellId: 'a', text: 'x.' },
      false,
    ],
    ['inspect_complete', { cell_id: 'a' }, 'nothing', false],
    ['inspect_close', { cell_id: 'a' }, { type: 'inspect_closed', cellId: 'a' }, false],
    ['inspect_interrupt', { cell_id: 'a' }, { type: 'inspect_interrupted', cellId: 'a' }, false],
    ['inspect_open', {}, 'nothing', false],
    ['inspect_eval', { cell_id: 'a' }, 'nothing', false],
    ['inspect_close', undefined, 'nothing', false],
    ['inspect_interrupt', {}, 'nothing', false],
    ['inspect_open', { cell_id: '../a' }, 'unknown_cell', true],
    [
      'widget_update',
      { cell_id: 'a', values: { x: 1 } },
      { type: 'widget_updated', cellId: 'a', values: { x: 1 } },
      true,
    ],
    [
      'dependency_add',
      { package: 'pandas>=2' },
      {
        type: 'environment_job_requested',
        work: { action: 'add', requirement: 'pandas>=2', dev: false },
        waits: false,
      },
      true,
    ],
    [
      'dependency_remove',
      { package: 'pandas' },
      { type: 'environment_job_requested', work: { action: 'remove', name: 'pandas' }, waits: false },
      true,
    ],
    ['notebook_sync', undefined, { type: 'sync_requested' }, false],
  ];
  it.each(rows)('%s %j', (type, payload, request, startsRun) => {
    const read = readClientFrame(JSON.stringify({ type, payload, seq: 3 }), {
      caller: PERSONAL_CALLER,
      role: 'editor',
    });
    if (read.kind !== 'frame') throw new Error(JSON.stringify(read));
    expect(meaningOf(read.frame)).toEqual({ request, startsRun });
  });

  it('has a row for every frame', () => {
    expect(new Set(rows.map(([type]) => type))).toEqual(new Set(Object.keys(CLIENT_FRAMES)));
  });

  const reader: Caller = { principal: 'p', tenant: null, scopes: new Set(['notebook:read']) };
  const refusals: readonly (readonly [
    text: string,
    who: { caller?: Caller; role?: SocketRole },
    is: unknown,
  ])[] = [
    ['nope', {}, { kind: 'not_json' }],
    ['', {}, { kind: 'not_json' }],
    ['42', {}, refused('A frame is a JSON object {type, payload} with an object as payload.')],
    ['{"payload":{}}', {}, refused('A frame is a JSON object {type, payload} with an object as payload.')],
    [
      '{"type":"cell_execute","payload":[]}',
      {},
      refused('A frame is a JSON object {type, payload} with an object as payload.'),
    ],
    ['{"type":"hello"}', {}, refused('Unknown message type: hello')],
    ['{"type":"constructor"}', {}, refused('Unknown message type: constructor')],
    ['{"type":"cell_execute"}', {}, refused('cell_execute: cell_id: Field required')],
    [
      '{"type":"cell_execute","payload":{"cell_id":7}}',
      {},
      refused('cell_execute: cell_id: Input should be a valid string'),
    ],
    [
      '{"type":"cell_source_update","payload":{"force":1}}',
      {},
      refused(
        'cell_source_update: cell_id: Field required; source: Field required; force: Input should be a valid boolean',
      ),
    ],
    [
      '{"type":"cell_execute","payload":{"cell_id":"a"}}',
      { role: 'viewer' },
      refused("'cell_execute' is not allowed in read-only app view", 'read_only'),
    ],
    [
      '{"type":"cell_execute"}',
      { caller: reader, role: 'viewer' },
      refused("'cell_execute' requires the notebook:execute scope", 'insufficient_scope'),
    ],
    [
      '{"type":"notebook_sync"}',
      { caller: reader, role: 'viewer' },
      { kind: 'frame', frame: { type: 'notebook_sync', payload: {} } },
    ],
  ];
  function refused(error: string, code?: string) {
    return { kind: 'refused', error: { error, ...(code === undefined ? {} : { code }) } };
  }
  it.each(refusals)('[LP-6] %s', (text, who, is) => {
    expect(readClientFrame(text, { caller: PERSONAL_CALLER, role: 'editor', ...who })).toEqual(is);
  });

  it('[LP-5] never throws, whatever comes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        readClientFrame(text, { caller: PERSONAL_CALLER, role: 'editor' });
      }),
    );
  });
});

describe('[LP-8] identity', () => {
  it.each<readonly [string | null, string | undefined, string]>([
    [null, undefined, 'local'],
    [null, '  ', 'local'],
    [null, ' Ann\u0000\n ', 'Ann'],
    [null, 'é 漢', 'é 漢'],
    ['principal', 'Ann', 'principal'],
  ])('%s, %j → %s', (principal, declared, is) => {
    expect(identityOf({ ...PERSONAL_CALLER, principal }, declared)).toBe(is);
  });
});

interface Sent {
  readonly type: string;
  readonly seq: number;
  readonly prev?: number;
  readonly ts: string;
  readonly payload: unknown;
}

class FakeSocket {
  /** What lies in the network's buffer, of its own accord. */
  stuck = 0;
  terminated: string | null = null;
  readonly sent: Sent[] = [];
  #taken: (() => void)[] = [];
  get bufferedAmount(): number {
    return this.stuck;
  }
  send(data: Buffer, taken: () => void): void {
    this.sent.push(JSON.parse(data.toString()));
    this.#taken.push(taken);
  }
  /** The network takes all it was given, and what comes after it. */
  drain(): void {
    this.stuck = 0;
    for (let next = this.#taken.shift(); next !== undefined; next = this.#taken.shift()) next();
  }
  terminate(why: string): void {
    this.terminated = why;
  }
}

const consoleFrame = (text: string, chunkSeq: number | null = 1): ServerFrame => ({
  type: 'cell_console',
  payload: { cell_id: 'a', stream: 'stdout', text, chunk_seq: chunkSeq },
});
const stderrFrame = (text: string): ServerFrame => ({
  type: 'cell_console',
  payload: { cell_id: 'a', stream: 'stderr', text, chunk_seq: 1 },
});
const status: ServerFrame = { type: 'cell_status', payload: { cell_id: 'a', status: 'ready' } };
const toAll = (frame: ServerFrame): AddressedFrame => ({ frame, to: { kind: 'all' } });
const to = (kind: 'only' | 'except', socketId: string): AddressedFrame => ({
  frame: status,
  to: { kind, socketId },
});

function room(...names: string[]) {
  let ended = false;
  const clock = { nowMs: 0 };
  const broadcast = new Broadcast({ onClosed: () => (ended = true), now: () => new Date(0) });
  const closed: string[] = [];
  const sockets = names.map((name) => {
    const socket = new FakeSocket();
    const outbox = new Outbox(socket, () => clock.nowMs);
    broadcast.join(name, {
      extensions: false,
      deliver: (frame) => outbox.deliver(frame),
      close: (why) => closed.push(`${name}: ${why}`),
    });
    return socket;
  });
  return { broadcast, sockets, closed, clock, ended: () => ended };
}

describe('broadcast', () => {
  const seqs = ({ sent }: FakeSocket) =>
    sent.map(({ seq, prev }) => (prev === undefined ? seq : [seq, prev]));

  it('[LP-3] numbers frames for the session, shares numbers, addresses, and says where nothing was lost', () => {
    const { broadcast, sockets } = room('a', 'b');
    const [a = new FakeSocket(), b = new FakeSocket()] = sockets;
    broadcast.send([
      toAll(status),
      to('only', 'a'),
      { ...to('except', 'a'), sharesSeq: true },
      to('only', 'a'),
      toAll(status),
    ]);
    expect(seqs(a)).toEqual([1, 2, 3, 4]);
    expect(seqs(b)).toEqual([1, 2, [4, 2]]);
    expect(a.sent[0]).toEqual({
      type: 'cell_status',
      seq: 1,
      ts: '1970-01-01T00:00:00.000Z',
      payload: status.payload,
    });
    expect(b.sent[2]).toEqual({
      type: 'cell_status',
      seq: 4,
      prev: 2,
      ts: '1970-01-01T00:00:00.000Z',
      payload: status.payload,
    });
  });

  it('[LP-3] counts on while nobody listens, and after somebody left', () => {
    const { broadcast, sockets } = room('a');
    broadcast.send([toAll(status)]);
    expect(broadcast.leave('a')).toBe(true);
    expect(broadcast.leave('a')).toBe(false);
    broadcast.send([toAll(status), to('only', 'a')]);
    const late = new FakeSocket();
    const outbox = new Outbox(late);
    broadcast.join('c', {
      extensions: false,
      deliver: (frame) => outbox.deliver(frame),
      close: () => undefined,
    });
    broadcast.send([toAll(status)]);
    expect([sockets.map(seqs), seqs(late)]).toEqual([[[1]], [4]]);
  });

  it('turns a payload into text once for everybody, and not at all for nobody', () => {
    let times = 0;
    const toJSON = () => {
      times += 1;
      return {};
    };
    const payload = { cell_id: 'a', status: 'ready' as const, toJSON };
    const { broadcast } = room('a', 'b', 'c');
    broadcast.send([toAll({ type: 'cell_status', payload })]);
    expect(times).toBe(1);
    broadcast.send([{ frame: { type: 'cell_status', payload }, to: { kind: 'only', socketId: 'gone' } }]);
    expect(times).toBe(1);
  });

  it('closes everybody when the session ends', () => {
    const { broadcast, closed, ended } = room('a', 'b');
    broadcast.closed();
    expect([closed, ended()]).toEqual([['a: Session closed', 'b: Session closed'], true]);
  });

  const cellStatus = (cellId: string, is: 'running' | 'ready' | 'stale'): ServerFrame => ({
    type: 'cell_status',
    payload: { cell_id: cellId, status: is },
  });
  const big = (mib: number): ServerFrame => consoleFrame('x'.repeat(mib * 1024 * 1024));
  const waitingRows: readonly (readonly [name: string, frames: readonly ServerFrame[], sent: unknown])[] = [
    ['nothing', [], []],
    ['a status', [status], [[2, 'ready']]],
    [
      'console text of one stream',
      [consoleFrame('a'), consoleFrame('b'), consoleFrame('c', null)],
      [[4, 'abc', 1]],
    ],
    ['text after a clearing chunk', [consoleFrame('a', 0), consoleFrame('b')], [[3, 'ab', 0]]],
    [
      'text before a clearing chunk',
      [consoleFrame('a'), consoleFrame('b', 0)],
      [
        [2, 'a', 1],
        [3, 'b', 0],
      ],
    ],
    [
      'text around a status',
      [consoleFrame('a'), cellStatus('a', 'running'), consoleFrame('b')],
      [
        [2, 'a', 1],
        [3, 'running'],
        [4, 'b', 1],
      ],
    ],
    [
      'statuses of one cell',
      [cellStatus('a', 'stale'), cellStatus('b', 'stale'), cellStatus('a', 'ready')],
      [
        [3, 'stale'],
        [4, 'ready'],
      ],
    ],
    [
      'a run, which clears the console',
      [cellStatus('a', 'running'), cellStatus('a', 'ready')],
      [
        [2, 'running'],
        [3, 'ready'],
      ],
    ],
    [
      'text beside the other stream',
      [consoleFrame('a'), stderrFrame('e'), consoleFrame('b')],
      [
        [3, 'e', 1],
        [4, 'ab', 1],
      ],
    ],
    [
      'text beside another cell',
      [consoleFrame('a'), cellStatus('b', 'running'), consoleFrame('b')],
      [
        [3, 'running'],
        [4, 'ab', 1],
      ],
    ],
    [
      'text too long for one frame',
      [consoleFrame('x'.repeat(200_000)), consoleFrame('y'.repeat(200_000))],
      [
        [2, expect.any(String), 1],
        [3, expect.any(String), 1],
      ],
    ],
  ];
  it.each(waitingRows)(
    '[LP-53] while a socket is slow, %s waits in as few frames as say it',
    (_name, frames, expected) => {
      const { broadcast, sockets } = room('slow', 'fast');
      const [slow = new FakeSocket(), fast = new FakeSocket()] = sockets;
      broadcast.send([toAll(status)]);
      slow.stuck = WINDOW_BYTES;
      broadcast.send(frames.map(toAll));
      expect([slow.sent.length, fast.sent.length]).toEqual([1, 1 + frames.length]);
      slow.drain();
      const told = slow.sent.slice(1) as readonly { seq: number; payload: Record<string, unknown> }[];
      expect(
        told.map(({ seq, payload }) =>
          'text' in payload ? [seq, payload['text'], payload['chunk_seq']] : [seq, payload['status']],
        ),
      ).toEqual(expected);
      // Nothing was lost: every gap is explained.
      slow.sent.reduce((last, { seq, prev }) => {
        expect(prev ?? seq - 1).toBe(last);
        return seq;
      }, 0);
      expect(slow.terminated).toBeNull();
    },
  );

  it('[LP-12] leaves transient frames out when too much waits, unexplained', () => {
    const { broadcast, sockets } = room('slow', 'fast');
    const [slow = new FakeSocket(), fast = new FakeSocket()] = sockets;
    broadcast.send([toAll(consoleFrame('1'))]);
    slow.stuck = SOFT_LIMIT_BYTES + 1;
    broadcast.send([toAll(consoleFrame('2')), toAll(status)]);
    slow.drain();
    broadcast.send([to('only', 'fast'), toAll(consoleFrame('3'))]);
    expect(seqs(slow)).toEqual([1, 3, [5, 3]]);
    expect(seqs(fast)).toEqual([1, 2, 3, 4, 5]);
  });

  it('[LP-12] a loss stays unexplained when the frame that would have shown it gives way to a newer one', () => {
    const { broadcast, sockets } = room('slow');
    const [slow = new FakeSocket()] = sockets;
    broadcast.send([toAll(status)]);
    slow.stuck = SOFT_LIMIT_BYTES + 1;
    broadcast.send([
      toAll(consoleFrame('lost')),
      toAll(cellStatus('a', 'stale')),
      toAll(cellStatus('a', 'ready')),
    ]);
    slow.drain();
    expect(seqs(slow)).toEqual([1, 4]);
  });

  it('[LP-12] drops a socket over which too much waits, and tells it nothing more', () => {
    const { broadcast, sockets } = room('slow', 'fast');
    const [slow = new FakeSocket(), fast = new FakeSocket()] = sockets;
    slow.stuck = HARD_LIMIT_BYTES;
    broadcast.send([
      toAll(status),
      toAll({ type: 'session_closed', payload: { reason: 'closed', message: '' } }),
    ]);
    slow.drain();
    expect([slow.terminated, slow.sent.length, fast.terminated]).toEqual(['too much waits', 0, null]);
  });

  it('[LP-54] drops a socket that took nothing for a minute while something waits, and no quiet one', () => {
    const { broadcast, sockets, clock } = room('stalled', 'quiet', 'slow');
    const [stalled = new FakeSocket(), quiet = new FakeSocket(), slow = new FakeSocket()] = sockets;
    clock.nowMs = 10 * STALL_MS;
    broadcast.send([toAll(status)]);
    for (const socket of [stalled, slow]) socket.stuck = WINDOW_BYTES;
    broadcast.send([toAll(status)]);
    clock.nowMs += STALL_MS;
    broadcast.send([toAll(status)]);
    expect(sockets.map(({ terminated }) => terminated)).toEqual([null, null, null]);
    slow.drain();
    slow.stuck = WINDOW_BYTES;
    clock.nowMs += 1;
    broadcast.send([toAll(status)]);
    expect(sockets.map(({ terminated }) => terminated)).toEqual([
      'nothing was taken for too long',
      null,
      null,
    ]);
    expect(seqs(quiet)).toEqual([1, 2, 3, 4]);
  });

  it('[LP-12] text that waits is bounded', () => {
    const { broadcast, sockets } = room('slow');
    const [slow = new FakeSocket()] = sockets;
    slow.stuck = WINDOW_BYTES;
    for (let i = 0; i < 100; i += 1) broadcast.send([toAll(big(1))]);
    slow.drain();
    expect(slow.terminated).toBeNull();
    expect(slow.sent.length).toBeLessThanOrEqual(4);
  });

  it('[LP-12] a socket that follows seq and prev misses nothing it was meant to get', () => {
    const frame = fc.oneof(
      fc.constant(toAll(status)),
      fc.constant(toAll(consoleFrame('x'))),
      fc.constantFrom(to('only', 'a'), to('only', 'b'), to('except', 'a'), to('except', 'b')),
    );
    const step = fc.record({ batch: fc.array(frame, { maxLength: 4 }), slow: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const { broadcast, sockets } = room('a', 'b');
        const [a = new FakeSocket()] = sockets;
        let meant = 0;
        for (const { batch, slow } of steps) {
          if (slow) a.stuck = SOFT_LIMIT_BYTES + 1;
          else a.drain();
          broadcast.send(batch);
          meant += batch.filter(
            ({ to: where }) => where.kind === 'all' || (where.kind === 'only') === (where.socketId === 'a'),
          ).length;
        }
        a.drain();
        const missing = meant - a.sent.length;
        const gaps = a.sent.filter(({ seq, prev }, i) => {
          const before = a.sent[i - 1]?.seq;
          return before !== undefined && seq !== before + 1 && prev !== before;
        });
        if (missing === 0) expect(gaps).toEqual([]);
        expect(gaps.length).toBeLessThanOrEqual(missing);
      }),
    );
  });
});
