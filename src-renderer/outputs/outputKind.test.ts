import { expect, test } from 'vitest';
import { sampleOutput } from '../../src-shared/wire/testing/sampleNotebook.ts';
import { outputFileName, outputKind } from './outputKind.ts';

/** Content type, how it is shown, and the extension of its file. */
const ROWS = [
  ['application/vnd.plotly.v1+json', 'figure', 'json'],
  ['application/vnd.vegalite.v4+json', 'figure', 'json'],
  ['application/vnd.vegalite.v5+json', 'figure', 'json'],
  ['application/vnd.vegalite.v6+json', 'figure', 'json'],
  ['application/vnd.vegalite.v6.json', 'figure', 'json'],
  ['application/vnd.vega.v5+json', 'figure', 'json'],
  ['application/vnd.vegalite.v6+json; x', 'other', 'txt'],
  ['application/vnd.jupyter.widget-view+json', 'widget', 'json'],
  ['application/vnd.bokehjs_exec.v0+json', 'other', 'json'],
  ['text/html', 'html', 'html'],
  ['image/svg+xml', 'svg', 'svg'],
  ['text/latex', 'latex', 'tex'],
  ['constructor', 'other', 'txt'],
] as const;

test.each(ROWS)('[VA-46] %s is shown as %s', (content_type, kind, ending) => {
  const output = sampleOutput({ content_type });
  expect(outputKind(output)).toBe(kind);
  expect(outputFileName(output, { cellId: 'a', index: 0 })).toBe(`a.${ending}`);
});
