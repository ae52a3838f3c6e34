/** Names of the libraries and maps that the program passes to the sandboxed frames of outputs. */

/** Libraries that are part of the program and are passed to the frames of outputs. */
export type BundledLibrary =
  | 'echarts'
  | 'jquery'
  | 'leaflet'
  | 'leafletCss'
  | 'plotly'
  | 'plotlyCartesian'
  | 'plotlyFigure'
  | 'vega'
  | 'vegaLite'
  | 'vegaEmbed'
  | 'vegaFigure'
  | 'visNetwork'
  | 'visCss'
  | 'widgets';

/** A bundled library, or the outlines of a map by scope and resolution (`map europe_110m`). */
export type FrameLibrary = BundledLibrary | `map ${string}`;
