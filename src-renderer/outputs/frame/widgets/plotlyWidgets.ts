/** The colours of the window, as the frame has them. */
export interface FrameTheme {
  readonly scheme: 'light' | 'dark';
  readonly ink: string;
}

interface Template {
  readonly cellar?: string;
}

/** An element that Plotly draws in, with what it keeps there. */
interface PlotElement extends HTMLElement {
  readonly layout?: { template?: Template; [key: string]: unknown };
  /** Set once the figure has been drawn. */
  readonly calcdata?: unknown;
}

interface Plotting {
  /** That of the FigureWidget's own script. */
  readonly Plotly?: { relayout(place: HTMLElement, change: object): Promise<unknown> };
  readonly cellarPlotly?: { templateFor(layout: object, theme: FrameTheme): Template };
}

/**
 * Gives the figures of FigureWidgets below `place` the colours of the window, without the process hearing of it.
 * @returns changes the colours
 */
export function followPlotly(place: HTMLElement, theme: FrameTheme): (theme: FrameTheme) => void {
  const { cellarPlotly } = window as Plotting;
  /** The template that each figure had before. */
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
    // The widget reports no change that has this mark.
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
