import type { FrameLibrary } from './frameLibrary.ts';

/** A kind of figure that the page draws from its data. */
export interface FigureKind {
  /** Name of the function that draws it inside the frame. */
  readonly draw: 'plotly' | 'vega';
  readonly libraries: readonly FrameLibrary[];
}

const PLOTLY: FigureKind = { draw: 'plotly', libraries: ['plotly', 'plotlyFigure'] };
const VEGA: FigureKind = { draw: 'vega', libraries: ['vega', 'vegaLite', 'vegaEmbed', 'vegaFigure'] };

/** How a content type is drawn; null where it is no figure. */
export function figureKind(contentType: string): FigureKind | null {
  if (contentType === 'application/vnd.plotly.v1+json') return PLOTLY;
  return /^application\/vnd\.vega(lite)?\.v\d+[+.]json$/.test(contentType) ? VEGA : null;
}
