/** Connects a widget with its cell's process. */

import { useContext, useEffect, useMemo, useState } from 'react';
import type { WidgetLife } from '../../live/liveWidgets.ts';
import type { FrameChannel } from '../FrameView.tsx';
import { WidgetPlace } from './widgetPort.ts';

/** How a display of a widget is connected. */
type WidgetConnection =
  | { readonly kind: 'asking' }
  | { readonly kind: 'live'; readonly id: string; readonly channel: FrameChannel }
  | { readonly kind: 'stored'; readonly why: string | null; readonly run: (() => void) | null };

/** Follows whether the process of a cell is kept, and connects its widgets. */
export function useWidgetChannel({ cellId }: { readonly cellId: string }): WidgetConnection {
  const port = useContext(WidgetPlace);
  const [life, setLife] = useState<WidgetLife>({ kind: 'asking' });
  useEffect(() => {
    setLife({ kind: 'asking' });
    // Another display of the cell may have asked: the frame of this one has its state already.
    const take = (next: WidgetLife): void => setLife((now) => (isSame(now, next) ? now : next));
    return port?.widgets.watch(cellId, take);
  }, [port, cellId]);
  return useMemo(() => {
    if (port === null) return { kind: 'stored', why: null, run: null };
    if (life.kind === 'asking') return life;
    const { run } = port;
    if (life.kind === 'stored') {
      return { kind: 'stored', why: life.why, run: run === null ? null : () => run(cellId) };
    }
    const { id, state } = life;
    return {
      kind: 'live',
      id,
      channel: {
        state,
        send: (message) => port.widgets.send(cellId, id, message),
        listen: (onMessages) => port.widgets.listen(id, onMessages),
      },
    };
  }, [port, life, cellId]);
}

function isSame(one: WidgetLife, other: WidgetLife): boolean {
  return one.kind === 'live' && other.kind === 'live' && one.id === other.id;
}
