import { expect, test } from 'vitest';
import { readFrame } from './readFrame.ts';

const ts = '2026-01-01T00:00:00.000Z';
const payload = { cell_id: 'a', status: 'ready' };

test.each<[string, unknown, ReturnType<typeof readFrame>]>([
  [
    'a frame',
    { type: 'cell_status', seq: 4, ts, payload },
    { kind: 'frame', frame: { type: 'cell_status', seq: 4, ts, payload: { cell_id: 'a', status: 'ready' } } },
  ],
  [
    'a frame after frames for others',
    { type: 'cell_status', seq: 4, prev: 2, ts, payload },
    {
      kind: 'frame',
      frame: { type: 'cell_status', seq: 4, prev: 2, ts, payload: { cell_id: 'a', status: 'ready' } },
    },
  ],
  ['a newer server', { type: 'cell_dream', seq: 4, ts, payload }, { kind: 'unknown', type: 'cell_dream' }],
  ['no number', { type: 'cell_status', ts, payload }, { kind: 'unreadable', where: 'cell_status: envelope' }],
  [
    'a payload that is not an object',
    { type: 'cell_status', seq: 4, ts, payload: { cell_id: 'a' } },
    { kind: 'unreadable', where: 'cell_status: status' },
  ],
])('[LP-11] reads %s', (_name, message, expected) => {
  expect(readFrame(JSON.stringify(message))).toEqual(expected);
});
