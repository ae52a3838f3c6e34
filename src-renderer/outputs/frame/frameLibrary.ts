/** Libraries that come with the program and are handed to the frames of outputs. */
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

/** Such a library, or the outlines of a map by scope and resolution (`map europe_110m`). */
export type FrameLibrary = BundledLibrary | `map ${string}`;
