/** Content types that are drawn in frames. */

import type { FrameLibrary } from './frameLibrary.ts';
import { plotlyBuild } from './plotlyBuild.ts';

/** A kind of figure that the page draws from its data. */
interface FigureKind {
  /** Name of the function that draws it inside the frame. */
  readonly draw: 'plotly' | 'vega' | 'widgets';
  /** What draws the figure with this text, in the order in which the scripts run. */
  readonly libraries: (text: string) => readonly FrameLibrary[];
}

const PLOTLY: FigureKind = { draw: 'plotly', libraries: (text) => [plotlyBuild(text), 'plotlyFigure'] };
const VEGA: FigureKind = { draw: 'vega', libraries: () => ['vega', 'vegaLite', 'vegaEmbed', 'vegaFigure'] };
const WIDGETS: FigureKind = { draw: 'widgets', libraries: () => ['plotlyFigure', 'widgets'] };
/** The view of a widget, with its state where it is stored. */
export const WIDGET_VIEW = 'application/vnd.jupyter.widget-view+json';

/** How a content type is drawn; null where it is no figure. */
export function figureKind(contentType: string): FigureKind | null {
  if (contentType === 'application/vnd.plotly.v1+json') return PLOTLY;
  if (contentType === WIDGET_VIEW) return WIDGETS;
  return /^application\/vnd\.vega(lite)?\.v\d+[+.]json$/.test(contentType) ? VEGA : null;
}
