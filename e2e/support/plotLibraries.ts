/** What each cell of the example `gallery` must show, by plotting library, for browser tests. */

/** What a cell of `examples/gallery` shows after it is drawn. */
export interface GalleryRow {
  readonly id: string;
  /** A selector of an element that exists after the output is drawn, in the place that `in` names. */
  readonly draws: string;
  readonly in: 'frame' | 'inner' | 'page';
  /** The message about missing parts below the output; absent if there is none. */
  readonly needs?: RegExp;
  /** Set for a picture with its own background, which stays light in the dark theme. */
  readonly isLight?: true;
}

const frame = (id: string, draws: string, more: Partial<GalleryRow> = {}): GalleryRow => ({
  id,
  draws,
  in: 'frame',
  ...more,
});
const picture = (id: string): GalleryRow => ({ id, draws: 'img.output-image', in: 'page', isLight: true });

/** The cells by group; each group is one test. */
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
