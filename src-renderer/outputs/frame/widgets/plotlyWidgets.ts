/** Gives Plotly's FigureWidgets inside the frame of an output the colours of the window. */

/** The window's colours in the form that the page sends to the frame. */
export interface FrameTheme {
  readonly scheme: 'light' | 'dark';
  readonly ink: string;
}

interface Template {
  readonly cellar?: string;
}

/** An element that Plotly draws in, with the properties that Plotly sets on it. */
interface PlotElement extends HTMLElement {
  readonly layout?: { template?: Template; [key: string]: unknown };
  /** Set once the figure has been drawn. */
  readonly calcdata?: unknown;
}

interface Plotting {
  /** The Plotly of the FigureWidget's own script. */
  readonly Plotly?: { relayout(place: HTMLElement, change: object): Promise<unknown> };
  readonly cellarPlotly?: { templateFor(layout: object, theme: FrameTheme): Template };
}

/**
 * Gives the figures of FigureWidgets below `place` the colours of the window, without notifying the process.
 * @returns a function that changes the colours
 */
export function followPlotly(place: HTMLElement, theme: FrameTheme): (theme: FrameTheme) => void {
  const { cellarPlotly } = window as Plotting;
  /** The original template of each figure. */
  const own = new WeakMap<PlotElement, Template | undefined>();
  let now = theme;
  let isAsked = false;
  const recolour = (plot: PlotElement): void => {
    const { Plotly } = window as Plotting;
    const key = `${now.scheme} ${now.ink}`;
    if (Plotly === undefined || plot.layout === undefined || plot.calcdata === undefined) return;
    if (plot.layout.template?.cellar === key) return;
    if (plot.layout.template?.cellar === undefined) own.set(plot, plot.layout.template);
    const layout = structuredClone({ template: own.get(plot) });
    const template = { ...cellarPlotly?.templateFor(layout, now), cellar: key };
    // The widget does not report a change with this mark to Python.
    void Plotly.relayout(plot, { template, _doNotReportToPy: true });
  };
  const look = (): void => {
    isAsked = false;
    for (const plot of place.querySelectorAll<PlotElement>('.js-plotly-plot')) recolour(plot);
  };
  // Figures are drawn some time after their widgets, and again when a cell changes them.
  new MutationObserver(() => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(look);
  }).observe(place, { childList: true, subtree: true });
  look();
  return (next) => {
    now = next;
    look();
  };
}
