/** Maps content types of figures and widgets to the libraries that draw them in a sandboxed frame. */

import type { FrameLibrary } from './frameLibrary.ts';
import { plotlyBuild } from './plotlyBuild.ts';

/** A kind of figure that the page draws from its data. */
interface FigureKind {
  /** Name of the function that draws it inside the frame. */
  readonly draw: 'plotly' | 'vega' | 'widgets';
  /** The libraries that draw the figure with this text, in the order in which their scripts run. */
  readonly libraries: (text: string) => readonly FrameLibrary[];
}

const PLOTLY: FigureKind = { draw: 'plotly', libraries: (text) => [plotlyBuild(text), 'plotlyFigure'] };
const VEGA: FigureKind = { draw: 'vega', libraries: () => ['vega', 'vegaLite', 'vegaEmbed', 'vegaFigure'] };
const WIDGETS: FigureKind = { draw: 'widgets', libraries: () => ['plotlyFigure', 'widgets'] };
/** The content type of a widget's view, with the widget's state if that is stored. */
export const WIDGET_VIEW = 'application/vnd.jupyter.widget-view+json';

/** How a content type is drawn; null if it is not a figure. */
export function figureKind(contentType: string): FigureKind | null {
  if (contentType === 'application/vnd.plotly.v1+json') return PLOTLY;
  if (contentType === WIDGET_VIEW) return WIDGETS;
  return /^application\/vnd\.vega(lite)?\.v\d+[+.]json$/.test(contentType) ? VEGA : null;
}
