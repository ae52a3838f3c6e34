/**
 * Displays of plotting libraries, recorded and shortened to the parts that matter: the content type, the scripts that
 * they load, and how they start.
 */

export interface FigureBundle {
  readonly name: string;
  readonly contentType: string;
  readonly text: string;
  /** A selector of an element that exists in the output's frame after the figure is drawn. */
  readonly draws: string;
  /** Set if the figure is drawn in a document inside the frame. */
  readonly inner?: true;
  /** The message about missing parts; absent if there is none. */
  readonly needs?: RegExp;
}

const escaped = (html: string): string => html.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

const plotlyLayout = {
  template: { layout: { paper_bgcolor: 'white', plot_bgcolor: '#E5ECF6' } },
  height: 220,
};
const vegaLite = (version: number, fields: object = {}): string =>
  JSON.stringify({
    $schema: `https://vega.github.io/schema/vega-lite/v${version}.json`,
    data: {
      values: [
        { a: 1, b: 3 },
        { a: 2, b: 1 },
      ],
    },
    mark: 'bar',
    encoding: { x: { field: 'a', type: 'ordinal' }, y: { field: 'b', type: 'quantitative' } },
    ...fields,
  });

/** The page that Altair writes, which adds its scripts one after the other. */
const altairHtml = `<div id="vis"></div><script>(function (spec, options) {
  const outputDiv = document.getElementById("vis");
  const paths = {
    "vega": "https://cdn.jsdelivr.net/npm/vega@6?noext",
    "vega-lite": "https://cdn.jsdelivr.net/npm/vega-lite@6.1.0?noext",
    "vega-embed": "https://cdn.jsdelivr.net/npm/vega-embed@7?noext",
  };
  function load(lib) {
    return new Promise(function (resolve, reject) {
      var s = document.createElement('script');
      s.src = paths[lib];
      s.async = true;
      s.onload = () => resolve(paths[lib]);
      s.onerror = () => reject("Error loading script: " + paths[lib]);
      document.getElementsByTagName("head")[0].appendChild(s);
    });
  }
  load("vega").then(() => load("vega-lite")).then(() => load("vega-embed")).then(() => vegaEmbed(outputDiv, spec, options));
})(${vegaLite(6)}, {"mode": "vega-lite"});</script>`;

const foliumDocument = `<!DOCTYPE html><html><head>
  <script src="https://cdn.jsdelivr.net/npm/leaflet@1.9.3/dist/leaflet.js"></script>
  <script src="https://code.jquery.com/jquery-3.7.1.min.js"></script>
  <link rel="stylesheet" href="https://cdn.jsdelivr.net/npm/leaflet@1.9.3/dist/leaflet.css"/>
  <link rel="stylesheet" href="https://cdn.jsdelivr.net/npm/bootstrap@5.2.2/dist/css/bootstrap.min.css"/>
  <style>#map { height: 100%; position: absolute; inset: 0 }</style></head>
  <body><div class="folium-map" id="map"></div></body>
  <script>
    var map = L.map("map", { center: [48.1, 11.6], zoom: 6 });
    L.tileLayer("https://tile.openstreetmap.org/{z}/{x}/{y}.png").addTo(map);
    L.marker([48.1, 11.6]).bindPopup($("<b>Munich</b>")[0]).addTo(map);
  </script></html>`;
const folium = `<div style="position:relative;width:100%;height:0;padding-bottom:30%"><iframe srcdoc="${escaped(foliumDocument)}" style="position:absolute;width:100%;height:100%;left:0;top:0;border:none"></iframe></div>`;

const pyvis = `<link rel="stylesheet" href="https://cdnjs.cloudflare.com/ajax/libs/vis-network/9.1.2/dist/dist/vis-network.min.css"/>
  <script src="https://cdnjs.cloudflare.com/ajax/libs/vis-network/9.1.2/dist/vis-network.min.js"></script>
  <div id="net" style="height:160px"></div><script>
  new vis.Network(document.getElementById('net'), {
    nodes: new vis.DataSet([{ id: 1, label: 'a' }, { id: 2, label: 'b' }]),
    edges: new vis.DataSet([{ from: 1, to: 2 }]),
  }, {});</script>`;

/** A display that contains BokehJS, which waits until the page is loaded and draws on a canvas. */
const bokeh = `<!DOCTYPE html><html><head><script>window.Bokeh = { draw(id) {
    const canvas = document.createElement('canvas');
    document.getElementById(id).append(canvas);
    canvas.getContext('2d').fillRect(10, 10, 100, 60);
  } };</script></head><body><div id="root"></div><script>
  document.addEventListener("DOMContentLoaded", () => Bokeh.draw("root"));</script></body></html>`;

export const FIGURE_BUNDLES: readonly FigureBundle[] = [
  {
    name: 'plotly',
    contentType: 'application/vnd.plotly.v1+json',
    text: JSON.stringify({ data: [{ type: 'bar', x: ['a', 'b'], y: [1, 3] }], layout: plotlyLayout }),
    draws: '.bars path',
  },
  {
    name: 'plotly map',
    contentType: 'application/vnd.plotly.v1+json',
    text: JSON.stringify({
      data: [{ type: 'choropleth', locations: ['DEU'], z: [1] }],
      layout: { ...plotlyLayout, geo: { scope: 'europe' } },
    }),
    draws: '.choroplethlayer path',
  },
  {
    name: 'plotly from a CDN',
    contentType: 'text/html',
    text: `<script src="https://cdn.plot.ly/plotly-3.0.1.min.js" integrity="sha256-x" crossorigin="anonymous"></script>
      <div id="p"></div><script>Plotly.newPlot('p', [{ y: [1, 2] }], { height: 200 });</script>`,
    draws: '.scatterlayer path',
  },
  {
    name: 'altair 5',
    contentType: 'application/vnd.vegalite.v5+json',
    text: vegaLite(5),
    draws: '.marks',
  },
  {
    name: 'altair 6',
    contentType: 'application/vnd.vegalite.v6.json',
    text: vegaLite(6),
    draws: '.marks',
  },
  { name: 'altair as HTML', contentType: 'text/html', text: altairHtml, draws: '#vis .marks' },
  {
    name: 'altair with data elsewhere',
    contentType: 'application/vnd.vegalite.v6.json',
    text: vegaLite(6, { data: { url: 'https://data.example.org/cars.json' } }),
    draws: '#figure',
    needs: /needs https:\/\/data\.example\.org\/cars\.json, which is not available offline/,
  },
  { name: 'bokeh', contentType: 'text/html', text: bokeh, draws: 'canvas' },
  {
    name: 'folium',
    contentType: 'text/html',
    text: folium,
    draws: '.leaflet-marker-icon',
    inner: true,
    needs: /needs https:\/\/tile\.openstreetmap\.org\/, which/,
  },
  {
    name: 'tiles that a script loads',
    contentType: 'text/html',
    text: `<div id="tiles"></div><script>for (const at of [1, 2]) {
      const tile = new Image();
      tile.src = 'https://tile.example.org/3/' + at + '/5.png';
      document.getElementById('tiles').append(tile);
    }</script>`,
    draws: '#tiles img',
    needs: /needs https:\/\/tile\.example\.org\/, which/,
  },
  {
    name: 'pyecharts',
    contentType: 'text/html',
    text: `<script>require.config({ paths: { 'echarts': 'https://assets.example.org/echarts.min' } });</script>
      <div id="chart" style="height:40px"></div><script>require(['echarts'], (echarts) => echarts.init());</script>`,
    draws: '#chart',
    needs: /needs https:\/\/assets\.example\.org\/echarts\.min\.js, which/,
  },
  { name: 'pyvis', contentType: 'text/html', text: pyvis, draws: '#net canvas' },
  {
    name: 'pygal',
    contentType: 'image/svg+xml',
    text: `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 300 100" width="300" height="100"><script type="text/javascript" xlink:href="https://kozea.github.io/pygal.js/2.0.x/pygal-tooltips.min.js"/><rect class="bar" width="50" height="80"/></svg>`,
    draws: 'rect.bar',
    needs: /pygal-tooltips/,
  },
  {
    name: 'great_tables',
    contentType: 'text/html',
    text: '<div id="gt" style="overflow-x:auto"><style>#gt table { font-family: serif; background: #fff }</style><table class="gt_table"><tbody><tr><td class="gt_row">Berlin</td></tr></tbody></table></div>',
    draws: 'td.gt_row',
  },
  {
    name: 'an unknown script',
    contentType: 'text/html',
    text: '<p id="here">Chart</p><script src="https://cdn.example.com/chart@3/chart.min.js"></script><script>document.getElementById("here").dataset.after = "1"</script>',
    draws: '#here[data-after="1"]',
    needs: /needs https:\/\/cdn\.example\.com\/chart@3\/chart\.min\.js, which is not available offline/,
  },
];
