import { expect, it } from 'vitest';
import { createWorld } from '../testing/testWorld.ts';

it('[MC-8] a note and an undoable action of an agent reach all windows, and change nothing', () => {
  const world = createWorld({ a: 'x = 1' });
  const before = world.state();
  const entry = { id: 'mcp-1', deed: 'add', changes: [{ kind: 'added' as const, cellId: 'a' }] };
  world.frames.length = 0;
  world.send({ type: 'broadcast_note', source: 'mcp', text: 'test-agent added x' });
  world.send({ type: 'broadcast_undo_entry', entry });
  expect(world.frames.map(({ frame, to }) => [frame.type, frame.payload, to])).toEqual([
    ['agent_note', { source: 'mcp', text: 'test-agent added x' }, { kind: 'all' }],
    ['undo_recorded', entry, { kind: 'all' }],
  ]);
  expect(world.state()).toBe(before);
});
