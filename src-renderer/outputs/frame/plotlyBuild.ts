/** Chooses the build of Plotly that draws a figure. */

/** Traces of the smaller build, which takes a third of the time to start in each frame. */
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
/** Parts of a layout that only the whole build draws, with or without a trace in them. */
const OTHER_PLOTS = /^(?:scene|geo|polar|mapbox|map|smith)\d*$/;
/** Of a longer text, in characters, drawing takes longer than what the smaller build saves. */
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
    // The frame reports it.
    return 'plotly';
  }
  const { data, layout, frames } = asRecord(figure);
  const traces = [...asList(data), ...asList(frames).flatMap((frame) => asList(asRecord(frame)['data']))];
  const isCartesian = traces.every((trace) => CARTESIAN.has(String(asRecord(trace)['type'] ?? 'scatter')));
  const parts = Object.entries(asRecord(layout));
  // Other calendars are a part of the whole build.
  const usesOther = parts.some(([key]) => OTHER_PLOTS.test(key)) || /"\w*calendar":/.test(text);
  return isCartesian && !usesOther ? 'plotlyCartesian' : 'plotly';
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
