import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ServerFrame } from '../../../src-shared/wire/frames/server.ts';
import { consoleFrame, FakeSocket, room, seqs, status, stderrFrame, to, toAll } from '../testing/liveRoom.ts';
import { HARD_LIMIT_BYTES, SOFT_LIMIT_BYTES, STALL_MS, WINDOW_BYTES } from './outbox.ts';

describe('a socket that takes frames slowly', () => {
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
    '[LP-53] while a socket is slow, %s is merged into as few frames as possible',
    (_name, frames, expected) => {
      const { broadcast, sockets } = room('slow', 'fast');
      const [slow = new FakeSocket(), fast = new FakeSocket()] = sockets;
      broadcast.send([toAll(status)]);
      slow.stuck = WINDOW_BYTES;
      broadcast.send(frames.map(toAll));
      expect([slow.sent.length, fast.sent.length]).toEqual([1, 1 + frames.length]);
      slow.drain();
      const updates = slow.sent.slice(1) as readonly { seq: number; payload: Record<string, unknown> }[];
      expect(
        updates.map(({ seq, payload }) =>
          'text' in payload ? [seq, payload['text'], payload['chunk_seq']] : [seq, payload['status']],
        ),
      ).toEqual(expected);
      // Nothing was lost: every gap has a `prev`.
      slow.sent.reduce((last, { seq, prev }) => {
        expect(prev ?? seq - 1).toBe(last);
        return seq;
      }, 0);
      expect(slow.terminated).toBeNull();
    },
  );

  it('[LP-12] drops transient frames when too much is queued, and leaves the gap unexplained', () => {
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

  it('[LP-12] a gap stays unexplained when the frame after it is replaced by a newer one', () => {
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

  it('[LP-12] drops a socket with too much queued, and sends it nothing more', () => {
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

  it('[LP-54] drops a socket that accepted nothing for a minute while frames are queued, but no idle one', () => {
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
      'nothing was sent for too long',
      null,
      null,
    ]);
    expect(seqs(quiet)).toEqual([1, 2, 3, 4]);
  });

  it('[LP-12] limits the queued text', () => {
    const { broadcast, sockets } = room('slow');
    const [slow = new FakeSocket()] = sockets;
    slow.stuck = WINDOW_BYTES;
    for (let i = 0; i < 100; i += 1) broadcast.send([toAll(big(1))]);
    slow.drain();
    expect(slow.terminated).toBeNull();
    expect(slow.sent.length).toBeLessThanOrEqual(4);
  });

  it('[LP-12] a socket that follows seq and prev misses no frame addressed to it', () => {
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
        let expectedCount = 0;
        for (const { batch, slow } of steps) {
          if (slow) a.stuck = SOFT_LIMIT_BYTES + 1;
          else a.drain();
          broadcast.send(batch);
          expectedCount += batch.filter(
            ({ to: where }) => where.kind === 'all' || (where.kind === 'only') === (where.socketId === 'a'),
          ).length;
        }
        a.drain();
        const missing = expectedCount - a.sent.length;
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
