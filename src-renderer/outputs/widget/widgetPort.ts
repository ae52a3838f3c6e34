/** React context that gives the displays of ipywidgets access to their notebook. */

import { createContext } from 'react';
import type { LiveWidgets } from '../../live/liveWidgets.ts';

/** What the displays of widgets need of the notebook that they are in. */
interface WidgetPort {
  readonly widgets: LiveWidgets;
  /** Runs a cell so that its widgets become live; null where the person cannot run cells. */
  readonly run: ((cellId: string) => void) | null;
}

/** Provided by a page that shows cells; without it, widgets show their last state. */
export const WidgetPlace = createContext<WidgetPort | null>(null);
