import { describe, expect, it } from 'vitest';
import type { ClientFrame } from '../../src-shared/wire/frames/client.ts';
import type { ReceivedFrame } from '../../src-shared/wire/frames/server.ts';
import type { WidgetMessage } from '../../src-shared/wire/widgetMessages.ts';
import type { SessionPort } from './edits.ts';
import { LiveWidgets, type WidgetProcessState } from './liveWidgets.ts';

function open({ connected = true } = {}) {
  const sent: ClientFrame[] = [];
  const send: SessionPort['send'] = (frame) => {
    if (connected) sent.push(frame);
    return connected;
  };
  const notices: string[] = [];
  return { sent, notices, widgets: new LiveWidgets(send, (words) => notices.push(words)) };
}

const frameOf = (type: 'widget_live' | 'widget_messages', payload: object): ReceivedFrame =>
  ({ type, seq: 1, ts: '', payload }) as ReceivedFrame;
const message = (id: string, fields: Partial<WidgetMessage> = {}): WidgetMessage => ({
  type: 'comm_msg',
  comm_id: 'c',
  msg_id: id,
  data: {},
  ...fields,
});

describe('[WG-38] a frame reaches only the comms of its own cell, within limits', () => {
  const rows: readonly [string, WidgetMessage, boolean][] = [
    ['an update', message('1'), true],
    ['without an id to answer', { type: 'comm_msg', comm_id: 'c' }, false],
    ['the opening of a comm', message('1', { type: 'comm_open' }), false],
    ['the answer of a process', message('1', { type: 'done' }), false],
    ['more than 4 MB', message('1', { buffers: ['x'.repeat(4 * 1024 * 1024)] }), false],
  ];
  it.each(rows)('%s', (name, one, goes) => {
    const { sent, notices, widgets } = open();
    widgets.send('mine', 'live', one);
    const payload = { cell_id: 'mine', live_id: 'live', message: one };
    expect(sent).toEqual(goes ? [{ type: 'widget_message', payload }] : []);
    expect(notices.length).toBe(name === 'more than 4 MB' ? 1 : 0);
  });

  it('drops messages that are sent faster than they are handled, and reports them as done', () => {
    const { sent, widgets } = open();
    const answered: string[] = [];
    widgets.listen('live', (all) => answered.push(...all.map(({ msg_id = '' }) => msg_id)));
    for (let at = 0; at < 600; at += 1) widgets.send('mine', 'live', message(`m${at}`));
    expect(sent).toHaveLength(500);
    expect(answered).toEqual(Array.from({ length: 100 }, (_none, at) => `m${500 + at}`));
    const done = { cell_id: 'mine', live_id: 'live', messages: [{ type: 'done', msg_id: 'm0' }] };
    widgets.heard([frameOf('widget_messages', done)]);
    widgets.send('mine', 'live', message('next'));
    expect(sent).toHaveLength(501);
  });
});

describe('[WG-37] a display follows whether its cell is live', () => {
  it('requests the state, gets notified of the end and of a new process, and requests again after a lost connection', () => {
    const { sent, widgets } = open();
    const lives: WidgetProcessState[] = [];
    const stop = widgets.watch('a', (life) => lives.push(life));
    widgets.heard([frameOf('widget_live', { cell_id: 'a', live_id: 'p1', state: { state: {} } })]);
    widgets.heard([frameOf('widget_live', { cell_id: 'b', live_id: 'p9', state: {} })]);
    widgets.heard([frameOf('widget_live', { cell_id: 'a', live_id: null, why: 'It ended.' })]);
    // Another process is kept: its state has to be requested.
    widgets.heard([frameOf('widget_live', { cell_id: 'a', live_id: 'p2' })]);
    widgets.linked();
    expect(lives).toEqual([
      { kind: 'live', id: 'p1', state: { state: {} } },
      { kind: 'stored', why: 'It ended.' },
      { kind: 'asking' },
    ]);
    expect(sent.map(({ type }) => type)).toEqual(['widget_open', 'widget_open', 'widget_open']);
    stop();
    widgets.linked();
    expect(sent).toHaveLength(3);
  });

  it('[VA-100] requests the state once for all waiting displays of a cell, and again for a later one', () => {
    const { sent, widgets } = open();
    const lives: WidgetProcessState[] = [];
    for (const id of ['a', 'a', 'b']) widgets.watch(id, (life) => lives.push(life));
    const answer = { cell_id: 'a', live_id: 'p1', state: { state: {} } };
    const life = { kind: 'live', id: 'p1', state: { state: {} } };
    widgets.heard([frameOf('widget_live', answer)]);
    expect([sent.map(({ payload }) => payload), lives]).toEqual([
      [{ cell_id: 'a' }, { cell_id: 'b' }],
      [life, life],
    ]);
    widgets.watch('a', (one) => lives.push(one));
    widgets.heard([frameOf('widget_live', { cell_id: 'b', live_id: null })]);
    widgets.watch('b', (one) => lives.push(one));
    expect(sent.map(({ payload }) => payload).slice(2)).toEqual([{ cell_id: 'a' }, { cell_id: 'b' }]);
    // Answers of the earlier connection no longer arrive.
    widgets.linked();
    expect(sent).toHaveLength(6);
  });

  it('shows the stored state without a connection', () => {
    const { widgets } = open({ connected: false });
    const lives: WidgetProcessState[] = [];
    widgets.watch('a', (life) => lives.push(life));
    expect(lives).toEqual([{ kind: 'stored', why: null }]);
  });
});
