import { expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import type { Origin } from '../state/requests.ts';
import { UNTRUSTED } from '../state/untrusted.ts';
import { createWorld, lines } from '../testing/testWorld.ts';

const SOCKET: Origin = { kind: 'socket', socketId: 's1', identity: 'local' };
const [A, GONE] = [cellId('a'), cellId('gone')];
const tell = (id: typeof A) =>
  ({ type: 'send_to_widgets', cellId: id, liveId: 'p', message: { type: 'comm_msg', msg_id: 'm' } }) as const;

it('[WG-35] widget messages change no cell, no status and no stored data', () => {
  const world = createWorld({ a: 'a = 1', b: 'b = a' });
  world.send({ type: 'join' }, SOCKET);
  const before = world.state();
  world.frames.length = 0;
  world.send({ type: 'open_widgets', cellId: A }, SOCKET);
  world.send(tell(A), SOCKET);
  world.report({ type: 'widget_process_changed', cellId: A, liveId: 'p', why: null });
  world.report({ type: 'widgets_opened', cellId: A, socketId: 's1', live: { id: 'p', state: {} } });
  world.report({
    type: 'widget_messages_received',
    cellId: A,
    liveId: 'p',
    messages: [{ type: 'done', msg_id: 'm' }],
  });
  expect(world.state()).toBe(before);
  expect(world.frames.map(({ frame, to }) => [frame.type, to.kind])).toEqual([
    ['widget_live', 'all'],
    ['widget_live', 'only'],
    ['widget_messages', 'all'],
  ]);
});

it('[WG-39] messages for an unknown cell, or in a folder that is not trusted, are refused', () => {
  const world = createWorld({ a: 'a = 1' });
  world.send({ type: 'join' }, SOCKET);
  world.frames.length = 0;
  world.send(tell(GONE), SOCKET);
  expect(lines(world.frames)).toEqual(['refused only s1 - Cell not found']);
  const untrusted = createWorld({ a: 'a = 1' }, { trusted: false });
  untrusted.send({ type: 'join' }, SOCKET);
  untrusted.frames.length = 0;
  untrusted.send(tell(A), SOCKET);
  expect(lines(untrusted.frames)).toEqual([expect.stringContaining(UNTRUSTED)]);
});
