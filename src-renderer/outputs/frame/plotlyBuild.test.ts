import { expect, test } from 'vitest';
import { plotlyBuild } from './plotlyBuild.ts';

const TEMPLATE = { data: { scattergl: [{ type: 'scattergl' }], choropleth: [{ type: 'choropleth' }] } };
const trace = (type: string) => ({ data: [{ type }] });

const ROWS: readonly [name: string, figure: unknown, build: string][] = [
  ['a line', trace('scatter'), 'plotlyCartesian'],
  ['a trace without a type', { data: [{ y: [1, 2] }] }, 'plotlyCartesian'],
  ['no trace', { data: [] }, 'plotlyCartesian'],
  [
    'bars in the template of Plotly Express',
    { ...trace('bar'), layout: { template: TEMPLATE } },
    'plotlyCartesian',
  ],
  ['a ternary plot', trace('scatterternary'), 'plotlyCartesian'],
  ['points by WebGL', trace('scattergl'), 'plotly'],
  ['a line and a map', { data: [{ type: 'scatter' }, { type: 'choropleth' }] }, 'plotly'],
  ['a frame with a polar trace', { ...trace('bar'), frames: [{ data: [{ type: 'barpolar' }] }] }, 'plotly'],
  ['an empty scene', { data: [], layout: { scene2: {} } }, 'plotly'],
  ['dates of another calendar', { data: [{ type: 'scatter', xcalendar: 'coptic' }] }, 'plotly'],
  ['a trace that no build has', trace('unknown'), 'plotly'],
  ['a figure that is not an object', null, 'plotlyCartesian'],
];

test.each(ROWS)('[VA-97] %s', (_name, figure, build) => {
  expect(plotlyBuild(JSON.stringify(figure))).toBe(build);
});

test('[VA-97] text that is not JSON is left to the complete build, and so is a long one', () => {
  expect(plotlyBuild('{')).toBe('plotly');
  expect(plotlyBuild(JSON.stringify({ data: [{ y: 'x'.repeat(2_000_001) }] }))).toBe('plotly');
});
