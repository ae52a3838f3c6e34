import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import type { ReceivedFrame } from '../../../src-shared/wire/frames/server.ts';
import type { WidgetMessage } from '../../../src-shared/wire/widgetMessages.ts';
import { LiveWidgets } from '../../live/liveWidgets.ts';
import type { FrameChannel } from '../FrameView.tsx';
import { useWidgetChannel } from './useWidgetChannel.ts';
import { WidgetPlace } from './widgetPort.ts';

const frame = (type: 'widget_live' | 'widget_messages', payload: object): ReceivedFrame =>
  ({ type, seq: 1, ts: '', payload }) as ReceivedFrame;
const message = (id: string): WidgetMessage => ({ type: 'comm_msg', comm_id: 'c', msg_id: id, data: {} });

function open() {
  const widgets = new LiveWidgets(
    () => true,
    () => undefined,
  );
  const box = document.body.appendChild(document.createElement('div'));
  const root = createRoot(box);
  let channel: FrameChannel | null = null;
  const Display = () => {
    const connection = useWidgetChannel({ cellId: 'a' });
    channel = connection.kind === 'live' ? connection.channel : null;
    return null;
  };
  const port = { widgets, run: null };
  flushSync(() =>
    root.render(
      <WidgetPlace.Provider value={port}>
        <Display />
      </WidgetPlace.Provider>,
    ),
  );
  return {
    live: (id: string) => {
      const payload = { cell_id: 'a', live_id: id, state: { state: {} } };
      flushSync(() => widgets.heard([frame('widget_live', payload)]));
    },
    say: (id: string, ...ids: string[]) =>
      widgets.heard([frame('widget_messages', { cell_id: 'a', live_id: id, messages: ids.map(message) })]),
    reconnect: () => flushSync(() => widgets.linked()),
    channel: () => {
      if (channel === null) throw new Error('the display is not live');
      return channel;
    },
    close: () => {
      flushSync(() => root.unmount());
      box.remove();
    },
  };
}

test('[VA-103] a frame gets all that its process said since the state it shows, once and in order', () => {
  const display = open();
  display.live('p1');
  display.say('p1', 'm1');
  display.say('other', 'x');
  display.say('p1', 'm2', 'm3');
  // Another display of the cell requested the state too; this display keeps its own.
  display.live('p1');
  const received: string[] = [];
  const stop = display.channel().listen((all) => received.push(...all.map(({ msg_id = '' }) => msg_id)));
  expect(received).toEqual(['m1', 'm2', 'm3']);
  display.live('p1');
  display.say('p1', 'm4');
  expect(received).toEqual(['m1', 'm2', 'm3', 'm4']);
  stop();
  display.say('p1', 'm5');
  const again: string[] = [];
  display.channel().listen((all) => again.push(...all.map(({ msg_id = '' }) => msg_id)));
  expect([received.length, again]).toEqual([4, []]);
  display.live('p2');
  display.say('p1', 'late');
  display.say('p2', 'n1');
  display.channel().listen((all) => again.push(...all.map(({ msg_id = '' }) => msg_id)));
  expect(again).toEqual(['late', 'n1']);
  display.close();
});

test('[VA-103] after a lost connection a frame gets what its process said since the newer state', () => {
  const display = open();
  const received: string[] = [];
  const listen = () =>
    display.channel().listen((all) => received.push(...all.map(({ msg_id = '' }) => msg_id)));
  display.live('p1');
  display.say('p1', 'before');
  display.reconnect();
  display.live('p1');
  display.say('p1', 'm1');
  const stop = listen();
  expect(received).toEqual(['m1']);
  stop();
  display.reconnect();
  display.live('p1');
  display.say('p1', 'm2');
  listen();
  expect(received).toEqual(['m1', 'm2']);
  display.close();
});
