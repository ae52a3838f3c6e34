import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppLayout } from '../../../src-shared/wire/appLayout.ts';
import type { ArtifactStore } from '../../artifacts/artifact.ts';
import { openMemoryStore } from '../../artifacts/testing/memoryStore.ts';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { display, exportedCell, exportView } from '../testing/views.ts';
import { allOf } from '../testing/zips.ts';
import { RENDER_DEFAULTS, type RenderOptions } from './blocks.ts';
import { htmlExport } from './htmlExport.ts';

let dir = notebookFolder('');
let store: ArtifactStore;
beforeAll(async () => {
  dir = notebookFolder(await mkdtemp(join(tmpdir(), 'cellar-app-html-')));
  store = await openMemoryStore();
});
afterAll(async () => {
  await store.close();
  await rm(dir, { recursive: true, force: true });
});

const result = (preview: string) => ({ display_outputs: [display({ preview })] });
const CELLS = [
  exportedCell({ id: 'intro', language: 'markdown', source: '# Start <b>' }),
  exportedCell({ id: 'a', source: 'SOURCE_A', ...result('result a') }, { title: 'north & south' }),
  exportedCell({ id: 'end', language: 'markdown', source: '# End' }),
  exportedCell({ id: 'b', source: 'SOURCE_B', ...result('result b') }),
  exportedCell({ id: 'quiet', source: 'SOURCE_Q' }),
  exportedCell({ id: 'asked', language: 'prompt', source: 'SOURCE_P', ...result('answer') }),
];

async function html(
  app: AppLayout,
  { cells = CELLS, ...options }: Partial<RenderOptions> & { cells?: typeof CELLS } = {},
): Promise<string> {
  const view = exportView(dir, store, { cells, app });
  const pieces = htmlExport(view, { ...RENDER_DEFAULTS, appView: true, appLayout: true, ...options });
  return (await allOf(pieces)).toString('utf8');
}

/** The names of the cells, `|` where a slide or a tab begins. */
const outline = (text: string): string =>
  [...text.matchAll(/<(?:article class="cell" aria-label="([^"]*)"|section class="(?:slide|tab)")/g)]
    .map(([, name]) => name ?? '|')
    .join(' ');

describe('[VA-105] the app view as HTML has the layout of notebook.toml', () => {
  const ROWS: readonly {
    readonly name: string;
    readonly app: AppLayout;
    readonly cells?: typeof CELLS;
    readonly outline: string;
    readonly has?: readonly string[];
    readonly never?: readonly string[];
  }[] = [
    {
      name: 'none: a page',
      app: { cells: {} },
      outline: 'Start &lt;b&gt; north &amp; south End b',
      has: ['<h1>Sales of May</h1>', '<title>Sales of May</title>', 'result a'],
      never: ['SOURCE_', 'answer', 'class="slide', 'class="tab', 'class="grid'],
    },
    {
      name: 'title, theme and code',
      app: {
        title: 'A & B',
        theme: 'dark',
        code: true,
        cells: { b: { code: false }, quiet: { code: true } },
      },
      outline: 'Start &lt;b&gt; north &amp; south End b quiet',
      has: ['<h1>A &amp; B</h1>', ':root { color-scheme: dark;', 'SOURCE_A', 'SOURCE_Q'],
      never: ['SOURCE_B', 'prefers-color-scheme', 'SOURCE_P'],
    },
    {
      name: 'slides in their order, joined ones together, ids of no cell ignored',
      app: { layout: 'slides', slides: ['gone', 'end', 'intro', 'end'], cells: { a: { slide: 'join' } } },
      outline: '| End | b | Start &lt;b&gt; north &amp; south',
      has: [
        'aria-label="Slide 2 of 3"',
        '<a class="slide-link" href="#slide-3" aria-label="Next slide">',
        '<a class="slide-link" href="#slide-1" aria-label="Previous slide">',
        'scroll-snap-type',
      ],
      never: ['#slide-0', '#slide-4'],
    },
    {
      name: 'tabs by section and name, in their order',
      app: { layout: 'tabs', tabs: ['End', 'Gone'], cells: { b: { tab: 'Fig <1>' } } },
      outline: '| End | Start &lt;b&gt; north &amp; south | b',
      has: [
        '<input type="radio" name="tab" id="tab-1" checked><label for="tab-1">End</label>',
        '<label for="tab-3">Fig &lt;1&gt;</label>',
      ],
    },
    {
      name: 'a grid, row by row; cells without a place are below it',
      app: { layout: 'grid', cells: { a: { grid: [6, 0, 6, 4] }, b: { grid: [0, 0, 6, 4] } } },
      outline: 'b north &amp; south Start &lt;b&gt; End',
      has: [
        '<article class="cell" aria-label="End" style="grid-column: 1 / -1">',
        'style="grid-area: 1 / 1 / span 4 / span 6"',
        'style="grid-area: 1 / 7 / span 4 / span 6"',
      ],
    },
    {
      name: 'nothing to show',
      app: { layout: 'slides', cells: {} },
      cells: CELLS.slice(4),
      outline: '',
      has: ['This app shows no cells.'],
    },
    {
      name: 'results that are missing, out of date or failed say so',
      app: { cells: { missing: { shown: true } } },
      cells: [
        exportedCell({ id: 'missing', source: '1', status: 'idle' }),
        exportedCell({ id: 'old', source: '2', status: 'stale', ...result('old result') }),
        exportedCell({
          id: 'failed',
          source: '3',
          status: 'error',
          error: 'Traceback: SECRET PLACE\nNameError: <x>\n',
          ...result('earlier'),
        }),
      ],
      outline: 'missing old failed',
      has: [
        'No result yet.',
        'old result',
        'This result is out of date.',
        'could not be created: NameError: &lt;x&gt;',
      ],
      never: ['SECRET PLACE', 'earlier'],
    },
  ];
  for (const row of ROWS) {
    it(row.name, async () => {
      const text = await html(row.app, row.cells === undefined ? {} : { cells: row.cells });
      expect(outline(text)).toBe(row.outline);
      for (const part of row.has ?? []) expect(text).toContain(part);
      for (const part of row.never ?? []) expect(text).not.toContain(part);
      expect(text).not.toMatch(/<script|\son\w+=/i);
    });
  }
});

describe('[VA-106] one function decides which cells an app has, in the window and in exports', () => {
  const outcome = async (app: AppLayout, appLayout: boolean): Promise<string> =>
    html(app, { appLayout, console: false });
  it('a cell that the layout hides is in no export of the app', async () => {
    for (const appLayout of [true, false]) {
      const text = await outcome({ cells: { a: { shown: false } } }, appLayout);
      expect(text).not.toContain('result a');
      expect(text).toContain('result b');
    }
  });
  it('without the layout the app is a page without code, as documented', async () => {
    const text = await outcome({ layout: 'slides', title: 'T', code: true, cells: {} }, false);
    expect(text).toContain('<h1>Sales of May</h1>');
    expect(text).not.toMatch(/SOURCE_|class="slide/);
  });
});
