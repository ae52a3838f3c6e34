/** Hook that connects the ipywidgets of a display with their cell's process while that is kept. */

import { useContext, useEffect, useMemo, useRef, useState } from 'react';
import type { WidgetMessage } from '../../../src-shared/wire/widgetMessages.ts';
import type { LiveWidgets, WidgetProcessState } from '../../live/liveWidgets.ts';
import type { FrameChannel } from '../FrameView.tsx';
import { WidgetPlace } from './widgetPort.ts';

/** How the display of a widget is connected. */
type WidgetConnection =
  | { readonly kind: 'asking' }
  | { readonly kind: 'live'; readonly id: string; readonly channel: FrameChannel }
  | { readonly kind: 'stored'; readonly why: string | null; readonly run: (() => void) | null };

/** Follows whether the process of a cell is kept, and connects its widgets. */
export function useWidgetChannel({ cellId }: { readonly cellId: string }): WidgetConnection {
  const port = useContext(WidgetPlace);
  const [processState, setProcessState] = useState<WidgetProcessState>({ kind: 'asking' });
  const early = useRef<EarlyMessages | null>(null);
  useEffect(() => {
    setProcessState({ kind: 'asking' });
    // If another display of the cell requested the state, this display's frame already has it.
    const take = (next: WidgetProcessState): void => {
      // After a reconnect the process may be the same, with a newer state.
      if (next.kind !== 'live') {
        early.current?.stop();
        early.current = null;
      }
      if (port !== null && next.kind === 'live' && early.current?.id !== next.id) {
        early.current?.stop();
        early.current = collect(port.widgets, next.id);
      }
      setProcessState((now) => (isSame(now, next) ? now : next));
    };
    const stop = port?.widgets.watch(cellId, take);
    return () => {
      stop?.();
      early.current?.stop();
      early.current = null;
    };
  }, [port, cellId]);
  return useMemo(() => {
    if (port === null) return { kind: 'stored', why: null, run: null };
    if (processState.kind === 'asking') return processState;
    const { run } = port;
    if (processState.kind === 'stored') {
      return { kind: 'stored', why: processState.why, run: run === null ? null : () => run(cellId) };
    }
    const { id, state } = processState;
    return {
      kind: 'live',
      id,
      channel: {
        state,
        send: (message) => port.widgets.send(cellId, id, message),
        listen: (onMessages) => {
          const messages = early.current?.id === id ? early.current.stop() : [];
          if (messages.length > 0) onMessages(messages);
          return port.widgets.listen(id, onMessages);
        },
      },
    };
  }, [port, processState, cellId]);
}

/** Messages that arrived after the state of a process, while its display had no frame yet. */
interface EarlyMessages {
  readonly id: string;
  /** Stops collecting. @returns the collected messages at the first call, none later */
  readonly stop: () => readonly WidgetMessage[];
}

function collect(widgets: LiveWidgets, id: string): EarlyMessages {
  const messages: WidgetMessage[] = [];
  const end = widgets.listen(id, (all) => messages.push(...all));
  return {
    id,
    stop: () => {
      end();
      return messages.splice(0);
    },
  };
}

function isSame(one: WidgetProcessState, other: WidgetProcessState): boolean {
  return one.kind === 'live' && other.kind === 'live' && one.id === other.id;
}
