import { describe, expect, it } from 'vitest';
import { FakeSocket, room, seqs, status, to, toAll } from '../testing/liveRoom.ts';
import { Broadcast } from './broadcast.ts';
import { Outbox } from './outbox.ts';

describe('broadcast', () => {
  it("[LP-3] numbers a session's frames, addresses them, and detects frames that a socket missed", () => {
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

  it('[LP-3] keeps counting without listeners, and after a socket left', () => {
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

  it('[LP-66] sends nothing after session_closed, in the same batch or later', () => {
    const { broadcast, sockets } = room('a');
    const [a = new FakeSocket()] = sockets;
    const over = toAll({ type: 'session_closed', payload: { reason: 'closed', message: '' } });
    broadcast.send([toAll(status), over, toAll(status)]);
    broadcast.send([toAll(status), to('only', 'a')]);
    expect([seqs(a), broadcast.seq]).toEqual([[1, 2], 2]);
  });

  it('serialises a payload once for all sockets, and never without sockets', () => {
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

  it('closes all sockets when the session ends', () => {
    const { broadcast, closed, ended } = room('a', 'b');
    broadcast.closed();
    expect([closed, ended()]).toEqual([['a: Session closed', 'b: Session closed'], true]);
  });

  it('[SG-23] sends all sockets to the session that replaces it and continues its numbers', () => {
    const { broadcast, closed, ended } = room('a', 'b');
    broadcast.send([toAll(status)]);
    broadcast.moved();
    const message = 'The notebook was opened again';
    expect([closed, ended()]).toEqual([[`a: ${message} 1012`, `b: ${message} 1012`], false]);
    expect(new Broadcast({ onClosed: () => undefined, after: broadcast.seq }).seq).toBe(1);
  });
});
