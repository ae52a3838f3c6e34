import { expect, test } from 'vitest';
import { type LocalReplacement, replacementFor } from './localReplacements.ts';

/** Addresses as libraries write them. */
const ROWS: readonly (readonly [string, LocalReplacement | null])[] = [
  ['https://cdn.plot.ly/plotly-3.0.1.min.js', 'plotly'],
  ['https://cdn.plot.ly/plotly-2.35.2.min.js', 'plotly'],
  ['https://cdn.plot.ly/plotly-latest.min.js', 'plotly'],
  ['https://cdn.jsdelivr.net/npm/plotly.js-dist-min@2.35.2/plotly.min.js', 'plotly'],
  ['https://cdnjs.cloudflare.com/ajax/libs/plotly.js/3.0.0/plotly.min.js', 'plotly'],
  ['https://unpkg.com/plotly.js@9.0.0/dist/plotly.min.js', null],
  ['https://cdn.plot.ly/un/world_110m.json', 'map world_110m'],
  ['https://cdn.plot.ly/usa_110m.json', 'map usa_110m'],
  ['https://cdn.plot.ly/un/../secret.json', null],
  ['https://assets.pyecharts.org/assets/v6/echarts.min.js', 'echarts'],
  ['https://assets.pyecharts.org/assets/v5/echarts.min.js', 'echarts'],
  ['https://assets.pyecharts.org/assets/echarts.min.js', 'echarts'],
  ['https://assets.pyecharts.org/assets/v6/echarts-gl.min.js', null],
  ['https://assets.pyecharts.org/assets/v6/maps/china.js', null],
  ['https://cdn.jsdelivr.net/npm/echarts@5.4.1/dist/echarts.min.js', 'echarts'],
  ['https://cdnjs.cloudflare.com/ajax/libs/echarts/4.9.0/echarts.min.js', null],
  ['https://cdn.jsdelivr.net/npm/vega@6?noext', 'vega'],
  ['https://cdn.jsdelivr.net/npm/vega@5', 'vega'],
  ['https://cdn.jsdelivr.net/npm/vega@3', null],
  ['https://cdn.jsdelivr.net/npm/vega-lite@6.1.0?noext', 'vegaLite'],
  ['https://cdn.jsdelivr.net/npm//vega-lite@5.20.1?noext', 'vegaLite'],
  ['https://cdn.jsdelivr.net/npm/vega-embed@7?noext', 'vegaEmbed'],
  ['https://unpkg.com/vega-embed@6.26.0/build/vega-embed.min.js', 'vegaEmbed'],
  ['https://cdn.jsdelivr.net/npm/vega-datasets@2/data/cars.json', null],
  ['https://cdn.jsdelivr.net/npm/leaflet@1.9.3/dist/leaflet.js', 'leaflet'],
  ['https://cdn.jsdelivr.net/npm/leaflet@1.9.3/dist/leaflet.css', 'leafletCss'],
  ['https://cdn.jsdelivr.net/npm/leaflet@2.0.0/dist/leaflet.js', null],
  ['https://cdn.jsdelivr.net/npm/leaflet.markercluster@1.5/dist/leaflet.markercluster.js', null],
  [
    'https://cdnjs.cloudflare.com/ajax/libs/Leaflet.awesome-markers/2.0.2/leaflet.awesome-markers.js',
    'nothing',
  ],
  ['https://code.jquery.com/jquery-3.7.1.min.js', 'jquery'],
  ['https://cdnjs.cloudflare.com/ajax/libs/jquery/3.6.0/jquery.min.js', 'jquery'],
  ['https://code.jquery.com/jquery-1.12.4.min.js', null],
  ['https://code.jquery.com/ui/1.13.2/jquery-ui.min.js', null],
  ['https://cdnjs.cloudflare.com/ajax/libs/vis-network/9.1.2/dist/vis-network.min.js', 'visNetwork'],
  ['https://cdnjs.cloudflare.com/ajax/libs/vis-network/9.1.2/dist/dist/vis-network.min.css', 'visCss'],
  ['https://cdn.jsdelivr.net/npm/bootstrap@5.2.2/dist/css/bootstrap.min.css', 'nothing'],
  ['https://cdn.jsdelivr.net/npm/@fortawesome/fontawesome-free@6.2.0/css/all.min.css', 'nothing'],
  ['https://cdn.holoviz.org/panel/1.10.0/dist/css/loading.css', 'nothing'],
  ['https://cdn.holoviz.org/panel/1.10.0/dist/panel.min.js', null],
  ['https://cdn.bokeh.org/bokeh/release/bokeh-3.6.0.min.js', null],
  ['https://cdn.example.com/chart@3/chart.min.js', null],
  ['https://example.com/%E0%A4%A', null],
  ['ftp://cdn.plot.ly/plotly-3.0.1.min.js', null],
  ['not an address', null],
];

test.each(ROWS)('[VA-46] %s', (address, expected) => {
  expect(replacementFor(address)).toBe(expected);
});
