import { describe, expect, it } from 'vitest';
import type { ReceivedFrame, ServerFrame } from '../../../src-shared/wire/frames/server.ts';
import { sampleBody, sampleCell } from '../../../src-shared/wire/testing/sampleNotebook.ts';
import { WatchView } from './watchView.ts';

const dag = { edges: [], roots: [], leaves: [], topological_order: ['a', 'b'] };
const cells = [
  sampleCell({ id: 'a', status: 'idle' }),
  sampleCell({ id: 'b', status: 'error', error: 'Traceback\nboom', cache_hit: false }),
];
const state: ServerFrame = {
  type: 'notebook_state',
  payload: { ...sampleBody({ id: 'n', name: 'Trips', cells }), dag },
};
const at = (seq: number, frame: ServerFrame, prev?: number): ReceivedFrame =>
  ({ ...frame, seq, ts: '2026-01-01T00:00:00Z', ...(prev === undefined ? {} : { prev }) }) as ReceivedFrame;
const status = (id: string, is: 'running' | 'ready'): ServerFrame => ({
  type: 'cell_status',
  payload: { cell_id: id, status: is },
});
const printed = (text: string): ServerFrame => ({
  type: 'cell_console',
  payload: { cell_id: 'a', stream: 'stdout', text, chunk_seq: 1 },
});

describe('[CL-11] what a terminal shows of a notebook', () => {
  const rows: readonly (readonly [name: string, frame: ServerFrame, lines: readonly string[]])[] = [
    ['the same state again', state, []],
    ['a run', status('a', 'running'), ['a: running']],
    ['a status that is known', { type: 'cell_status', payload: { cell_id: 'a', status: 'idle' } }, []],
    ['an unknown cell', status('nope', 'running'), []],
    ['printed output', printed('one\ntwo\n'), ['a: one', 'a: two']],
    ['terminal control sequences', printed('\u001b[2Jred\u0007\u009b'), ['a: red  ']],
    [
      'a failure, by its last line',
      { type: 'cell_error', payload: { cell_id: 'a', error: 'Traceback\nNameError: x' } },
      ['a: NameError: x'],
    ],
    [
      'the end',
      { type: 'session_closed', payload: { reason: 'idle', message: 'Nobody was here.' } },
      ['Nobody was here.'],
    ],
  ];
  it.each(rows)('%s', (_name, frame, lines) => {
    const view = new WatchView();
    expect(view.apply(at(1, state))).toEqual(['a: idle', 'b: error']);
    expect(view.apply(at(2, frame))).toEqual(lines);
  });

  it('requests the state after an unexplained gap, and after a reconnect', () => {
    const view = new WatchView();
    const asks = (frame: ReceivedFrame): boolean => {
      view.apply(frame);
      return view.needsSync;
    };
    expect(view.needsSync).toBe(true);
    const lines = [
      at(1, state),
      at(2, status('a', 'running')),
      at(9, status('a', 'ready'), 2),
      at(11, status('a', 'running')),
    ];
    expect([...lines, at(12, state)].map(asks)).toEqual([false, false, false, true, false]);
    view.reconnected();
    expect(view.needsSync).toBe(true);
  });

  it('draws as many cells as fit, with the running ones in view', () => {
    const view = new WatchView();
    view.apply(at(1, state));
    view.apply(at(2, status('b', 'running')));
    expect(view.screen({ columns: 40, rows: 20 }, 'connected').split('\n')).toEqual([
      'Trips (2 cells) connected',
      '',
      '· a  idle    ',
      '▶ b  running boom',
      'r: refresh   q: quit',
    ]);
    expect(view.screen({ columns: 12, rows: 4 }, 'lost').split('\n')).toEqual([
      'Trips (2 cel',
      '',
      '▶ b  running',
      'r: refresh  ',
    ]);
  });
});
