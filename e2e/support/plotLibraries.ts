/** What each cell of `examples/gallery` shows once it is drawn. */
export interface GalleryRow {
  readonly id: string;
  /** An element that is there once it is drawn: in the frame of the output, else in the output itself. */
  readonly draws: string;
  readonly in: 'frame' | 'inner' | 'page';
  /** What is named below it as missing; nothing where this is left out. */
  readonly needs?: RegExp;
  /** A picture with a ground of its own, which stays light in the dark theme. */
  readonly isLight?: true;
}

const frame = (id: string, draws: string, more: Partial<GalleryRow> = {}): GalleryRow => ({
  ...{ id, draws, in: 'frame' },
  ...more,
});
const picture = (id: string): GalleryRow => ({ id, draws: 'img.output-image', in: 'page', isLight: true });

/** The cells by groups, each of which is one test. */
export const GALLERY_GROUPS: Readonly<Record<string, readonly GalleryRow[]>> = {
  'interactive figures': [
    frame('plotly', '.scatterlayer .js-line'),
    frame('plotly_map', '.choroplethlayer path'),
    frame('figure_widget', '.bars path'),
    frame('altair', '.marks'),
    frame('vega_lite_5', '.marks'),
    frame('bokeh', 'canvas'),
    frame('holoviews', 'canvas'),
    frame('hvplot', 'canvas'),
    frame('panel', 'table td'),
  ],
  'maps and pictures': [
    frame('folium', '.leaflet-marker-icon', {
      in: 'inner',
      needs: /needs https:\/\/tile\.openstreetmap\.org\//,
    }),
    picture('seaborn'),
    picture('matplotlib'),
    frame('pygal', 'rect.rect', { needs: /pygal/ }),
    picture('plotnine'),
    frame('lets_plot', 'svg path, svg rect'),
    frame('geopandas', '.leaflet-interactive', { in: 'inner', needs: /tile/ }),
    picture('geopandas_plot'),
    picture('networkx'),
    frame('pyvis', 'canvas', { in: 'inner' }),
    { id: 'graphviz', draws: '.output-text', in: 'page' },
  ],
  'tables and texts': [
    frame('great_tables', '.gt_row'),
    frame('styler', 'td'),
    frame('itables', 'td'),
    { id: 'polars', draws: '.table-view', in: 'page' },
    frame('xarray', '.xr-wrap'),
    frame('sklearn', '.sk-estimator'),
    frame('statsmodels', 'table.simpletable td'),
    { id: 'sympy', draws: '.katex', in: 'page' },
    frame('rich', 'pre'),
  ],
  'media and widgets': [
    picture('pillow'),
    picture('wordcloud'),
    frame('audio', 'audio'),
    frame('pyecharts', 'canvas'),
    frame('ipywidgets', '.noUi-handle'),
    frame('anywidget', 'button'),
    frame('tqdm', '.progress-bar'),
    frame('ipympl', 'canvas', { isLight: true }),
    frame('bqplot', 'svg path'),
    frame('ipyleaflet', '.leaflet-container', { needs: /tile/, isLight: true }),
    frame('ipycytoscape', 'canvas'),
  ],
};
