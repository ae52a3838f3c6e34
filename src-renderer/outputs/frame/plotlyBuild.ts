/**
 * Chooses the build of Plotly that draws a figure: the small one if it has all the figure's parts, else the full one.
 */

/** The trace types in Plotly's smaller build, which starts in a third of the time. */
const CARTESIAN = new Set([
  'bar',
  'box',
  'contour',
  'heatmap',
  'histogram',
  'histogram2d',
  'histogram2dcontour',
  'image',
  'pie',
  'scatter',
  'scatterternary',
  'violin',
]);
/** Parts of a layout that only the full build draws, with or without a trace in them. */
const OTHER_PLOTS = /^(?:scene|geo|polar|mapbox|map|smith)\d*$/;
/** A longer text, in characters, takes so long to draw that the smaller build saves little; it is not parsed here. */
const LONGEST = 2_000_000;

/**
 * @param text of the figure, as Plotly's libraries write it
 * @returns the smaller build if it draws every part of the figure
 */
export function plotlyBuild(text: string): 'plotly' | 'plotlyCartesian' {
  if (text.length > LONGEST) return 'plotly';
  let figure: unknown;
  try {
    figure = JSON.parse(text);
  } catch {
    // Not valid JSON: the frame reports it.
    return 'plotly';
  }
  const { data, layout, frames } = asRecord(figure);
  const traces = [...asList(data), ...asList(frames).flatMap((frame) => asList(asRecord(frame)['data']))];
  const isCartesian = traces.every((trace) => CARTESIAN.has(String(asRecord(trace)['type'] ?? 'scatter')));
  const parts = Object.entries(asRecord(layout));
  // Only the full build has other calendars.
  const usesOther = parts.some(([key]) => OTHER_PLOTS.test(key)) || /"\w*calendar":/.test(text);
  return isCartesian && !usesOther ? 'plotlyCartesian' : 'plotly';
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
