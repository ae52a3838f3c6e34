/**
 * The Markdown and HTML exports: what each kind of cell and output becomes in both, and that hostile text
 * stays harmless.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ArtifactStore } from '../../artifacts/artifact.ts';
import { openMemoryStore } from '../../artifacts/testing/memoryStore.ts';
import { artifactUri } from '../../artifacts/uri.ts';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { display, exportedCell, exportView } from '../testing/views.ts';
import { allOf } from '../testing/zips.ts';
import { RENDER_DEFAULTS, type RenderOptions } from './blocks.ts';
import { htmlExport } from './htmlExport.ts';
import { markdownExport } from './markdownExport.ts';
import { safeMarkdown } from './markdownText.ts';

let dir = notebookFolder('');
let store: ArtifactStore;
beforeAll(async () => {
  dir = notebookFolder(await mkdtemp(join(tmpdir(), 'cellar-render-')));
  store = await openMemoryStore();
});
afterAll(async () => {
  await store.close();
  await rm(dir, { recursive: true, force: true });
});

type Exported = ReturnType<typeof exportedCell>;

async function both(cells: readonly Exported[], options: Partial<RenderOptions> = {}) {
  const view = exportView(dir, store, { cells });
  const all = { ...RENDER_DEFAULTS, ...options };
  const [markdown, html] = await Promise.all([
    allOf(markdownExport(view, all)),
    allOf(htmlExport(view, all)),
  ]);
  return { markdown: markdown.toString('utf8'), html: html.toString('utf8') };
}

const ESC = '\u001b';
const table = display({
  content_type: 'arrow/ipc',
  columns: ['a|b', '<i>'],
  rows: 25,
  preview: Array.from({ length: 25 }, (_, i) => [i, '<script>alert(1)</script>']),
});

describe('rendered notebooks', () => {
  const rows: readonly {
    readonly name: string;
    readonly cell: Exported;
    readonly options?: Partial<RenderOptions>;
    readonly markdown: readonly (string | RegExp)[];
    readonly html: readonly (string | RegExp)[];
    readonly never?: readonly string[];
  }[] = [
    {
      name: '[TR-3] the notebook’s name, a cell’s name, its kind and its source',
      cell: exportedCell({ source: 'x = 1 < 2', annotations: { name: 'Load it' } }),
      markdown: ['# Sales of May\n', '## Load it\n\n`python`', '```python\nx = 1 < 2\n```'],
      html: ['<h1>Sales of May</h1>', '<h2>Load it <span class="chip">python</span></h2>', 'x = 1 &lt; 2'],
    },
    {
      name: '[TR-3] variant, worker, loop and mounts next to the name',
      cell: exportedCell({
        variant_group: 'm',
        variant_name: 'lo',
        worker: 'gpu',
        annotations: {
          loop: { max_iter: 5, carry: 's', until_expr: null, start_from_cell: null, start_from_iter: null },
          mounts: [{ name: 'raw', uri: 'file://x', mode: 'ro', pin: null, options: {}, credential: null }],
        },
      }),
      markdown: ['`variant m: lo` `worker gpu` `loop ≤ 5, carries s` `mount raw`'],
      html: ['variant m: lo', 'worker gpu', 'mount raw'],
    },
    {
      name: '[TR-3] [TR-6] printed output and the current error, without terminal control sequences',
      cell: exportedCell({
        console_stdout: `${ESC}[31mred${ESC}[0m \`\`\` x`,
        console_stderr: 'warned',
        error: `${ESC}[1mNameError${ESC}[0m: x`,
      }),
      markdown: ['````text\nred ``` x\n````', '*stderr*', '**Error**\n\n```text\nNameError: x\n```'],
      html: ['<pre class="stdout">red ``` x</pre>', '<pre class="stderr">warned</pre>', 'NameError: x</pre>'],
      never: [ESC],
    },
    {
      name: '[TR-3] of a progress bar only its last state, as in the window',
      cell: exportedCell({
        console_stdout: `0%\r50%\r100%\nabc\b\bX\na\nb${ESC}[1A\rZ\n\n${'x'.repeat(30_000)}`,
        console_stderr: `loading${ESC}[2K\rdone\r\nend`,
      }),
      markdown: [`100%\naXc\nZ\nb\n`, 'x'.repeat(30_000), 'done\nend'],
      html: [`100%\naXc\nZ\nb\n`, 'x'.repeat(30_000), 'done\nend'],
      never: ['50%', 'loading'],
    },
    {
      name: '[TR-3] no console when it is not wanted',
      cell: exportedCell({ console_stdout: 'printed' }),
      options: { console: false },
      markdown: [],
      html: [],
      never: ['printed'],
    },
    {
      name: '[TR-4] a prompt without its answer',
      cell: exportedCell({
        language: 'prompt',
        source: 'Say {{ x }}',
        display_outputs: [display({ preview: 'ANSWERED' })],
        console_stderr: 'ANSWERED too',
      }),
      markdown: ['```text\nSay {{ x }}\n```', 'The response to this prompt is not part of the export.'],
      html: ['Say {{ x }}', 'The response to this prompt is not part of the export.'],
      never: ['ANSWERED'],
    },
    {
      name: '[TR-6] 20 rows of a table and how many there are',
      cell: exportedCell({ display_outputs: [table] }),
      markdown: ['| a\\|b | &lt;i> |', '| 19 |', '*20 of 25 rows*'],
      html: ['<th>a|b</th><th>&lt;i&gt;</th>', '<td>19</td>', '20 of 25 rows'],
      never: ['<td>20</td>', '| 20 |', '<script>alert'],
    },
    {
      name: '[TR-6] JSON as code',
      cell: exportedCell({ display_outputs: [display({ preview: { a: ['</pre><b>'] } })] }),
      markdown: ['```json\n{\n  "a": [\n    "</pre><b>"\n  ]\n}\n```'],
      html: ['&lt;/pre&gt;&lt;b&gt;'],
      never: [],
    },
    {
      name: '[TR-6] a pickle and an HTML display as notes',
      cell: exportedCell({
        display_outputs: [
          display({ content_type: 'pickle/object', preview: '<Model object>' }),
          display({ content_type: 'text/html', preview: '<b onclick=x()>' }),
        ],
      }),
      markdown: ['*&lt;Model object> (pickle/object) is not part of the export.*', 'An HTML display'],
      html: ['&lt;Model object&gt; (pickle/object)', 'An HTML display'],
      never: ['onclick'],
    },
    {
      name: '[VA-51] the description of a figure that is not part of the file',
      cell: exportedCell({
        display_outputs: [
          display({
            content_type: 'application/vnd.plotly.v1+json',
            preview: 'Plotly figure: bar',
            artifact_uri: 'svc://artifact/p@v=1',
          }),
          display({ content_type: 'application/vnd.vegalite.v5+json', preview: '{"data":{"values":[7]}}' }),
          display({ content_type: 'text/html', preview: 'Bokeh figure' }),
        ],
      }),
      markdown: [
        '*Plotly figure: bar is interactive and not part of the export. Open the notebook to see it.*',
        '*A figure is interactive',
        '*Bokeh figure (text/html) is not part of the export.*',
      ],
      html: ['Plotly figure: bar is interactive', 'A figure is interactive', 'Bokeh figure (text/html)'],
      never: ['values'],
    },
    {
      name: '[TR-6] the text form of values that only Python can read',
      cell: exportedCell({
        display_outputs: [
          display({ content_type: 'pickle/object', preview: '<tuple object>', text: "(1, '<b>')\n`x`" }),
        ],
      }),
      markdown: ["(1, '<b>')\n`x`"],
      html: ["(1, '&lt;b&gt;')\n`x`"],
      never: ['tuple object', 'not part of the export'],
    },
    {
      name: '[TR-6] a picture inside the file',
      cell: exportedCell({
        display_outputs: [
          display({ content_type: 'image/png', inline_data_url: 'data:image/png;base64,AAAA' }),
        ],
      }),
      markdown: ['![figure](data:image/png;base64,AAAA)'],
      html: ['<img src="data:image/png;base64,AAAA"'],
    },
    {
      name: '[TR-7] long output is cut, with a note',
      cell: exportedCell({ console_stdout: 'x'.repeat(300) }),
      options: { maxOutputBytes: 100 },
      markdown: [`${'x'.repeat(100)}\n[… 200 bytes omitted …]`],
      html: [`${'x'.repeat(100)}\n[… 200 bytes omitted …]`],
      never: ['x'.repeat(101)],
    },
    {
      name: '[TR-7] 0 means no limit',
      cell: exportedCell({ console_stdout: 'x'.repeat(2_000_000) }),
      options: { maxOutputBytes: 0 },
      markdown: ['x'.repeat(2_000_000)],
      html: ['x'.repeat(2_000_000)],
    },
    {
      name: '[TR-7] a large picture is left out, with a note',
      cell: exportedCell({
        display_outputs: [
          display({
            content_type: 'image/png',
            bytes: 3_000_000,
            inline_data_url: 'data:image/png;base64,AAAA',
          }),
        ],
      }),
      markdown: ['An image of 3000000 bytes was omitted.'],
      html: ['An image of 3000000 bytes was omitted.'],
      never: ['AAAA'],
    },
    {
      name: '[TR-8] no variant that is not chosen',
      cell: exportedCell({ source: 'SECOND', variant_group: 'm', variant_name: 'hi', variant_active: false }),
      markdown: ['# Sales of May'],
      html: ['<h1>'],
      never: ['SECOND'],
    },
    {
      name: '[TR-8] a variant that is not chosen, on request',
      cell: exportedCell({ source: 'SECOND', variant_group: 'm', variant_name: 'hi', variant_active: false }),
      options: { inactiveVariants: true },
      markdown: ['SECOND', '`variant m: hi (not chosen)`'],
      html: ['SECOND'],
    },
    {
      name: '[TR-9] for a cell in the app view, only what it shows',
      cell: exportedCell({
        source: 'SOURCE',
        console_stdout: 'PRINTED',
        error: 'FAILED',
        display_outputs: [display({ preview: 42 })],
      }),
      options: { appView: true },
      markdown: ['```json\n42\n```'],
      html: ['42'],
      never: ['SOURCE', 'PRINTED', 'FAILED'],
    },
    {
      name: '[TR-9] in the app view, nothing of a hidden cell',
      cell: exportedCell({ source: '# @app hide\n1', display_outputs: [display({ preview: 'HIDDEN' })] }),
      options: { appView: true },
      markdown: [],
      html: [],
      never: ['HIDDEN'],
    },
    {
      name: '[TR-9] in the app view no prompt',
      cell: exportedCell({
        language: 'prompt',
        source: 'ASKED',
        display_outputs: [display({ preview: 'SAID' })],
      }),
      options: { appView: true },
      markdown: [],
      html: [],
      never: ['ASKED', 'SAID', 'prompt'],
    },
    {
      name: '[TR-3] controls with their current values',
      cell: exportedCell({
        language: 'widget',
        widget: {
          descriptors: [
            { name: 'alpha', kind: 'slider', params: { min: 0, max: 1 }, default: 0.5 },
            { name: 'kind', kind: 'text', params: {}, default: 'a' },
          ],
          values: { alpha: 0.25 },
        },
      }),
      markdown: ['| alpha | 0.25 |', '| kind | a |'],
      html: ['<td>alpha</td><td>0.25</td>'],
    },
  ];
  for (const { name, cell, options, markdown, html, never = [] } of rows) {
    it(name, async () => {
      const texts = await both([cell], options);
      for (const part of markdown) expect(texts.markdown).toContain(part);
      for (const part of html) expect(texts.html).toContain(part);
      for (const part of never) {
        expect(texts.markdown).not.toContain(part);
        expect(texts.html).not.toContain(part);
      }
    });
  }

  it('[TR-3] begin with the README if there is one, but not in the app view', async () => {
    await writeFile(join(dir, 'README.md'), '# Read me\n');
    try {
      const texts = await both([]);
      expect(texts.markdown).toBe('# Read me\n');
      expect(texts.html).toContain('<h1>Read me</h1>');
      expect((await both([], { appView: true })).markdown).toBe('# Sales of May\n');
    } finally {
      await rm(join(dir, 'README.md'));
    }
  });

  it('[TR-6] read a picture that is too large for a frame from the store', async () => {
    const bytes = Buffer.from('not really a picture');
    const [row] = await store.publish([
      {
        id: 'nb_n1_cell_c_var___display__0',
        provenanceHash: 'p',
        contentKey: null,
        contentType: 'image/png',
        params: {},
        inputVersions: {},
        rowCount: null,
        schemaJson: null,
        blob: { bytes },
      },
    ]);
    const uri = artifactUri(row?.id ?? '', row?.version ?? 0);
    const texts = await both([
      exportedCell({ display_outputs: [display({ content_type: 'image/png', artifact_uri: uri })] }),
    ]);
    expect(texts.html).toContain(`data:image/png;base64,${bytes.toString('base64')}`);
  });
});

/** A program that renders raw HTML, as some sites do, with the output of safeMarkdown. */
const careless = new MarkdownIt({ html: true, linkify: false });
careless.validateLink = () => true;

describe('[TR-5] hostile text', () => {
  const rows: readonly [name: string, text: string][] = [
    ['a script', '<script>alert(1)</script>'],
    ['a script in a line', 'so <script>alert(1)</script>'],
    ['a picture that fails', '<img src=x onerror=alert(1)>'],
    ['a link that runs', '[a](javascript:alert(1))'],
    ['a link that runs, in entities', '[a](&#106;avascript:alert(1))'],
    ['a link that runs, with a tab', '[a](java&Tab;script:alert(1))'],
    ['a link that runs, between brackets', '[a](<javascript:alert(1)>)'],
    ['a definition that runs', '[a]\n\n[a]: javascript:alert(1)'],
    ['a link that contains a page', '[a](data:text/html;base64,PHNjcmlwdD4=)'],
    ['an address that runs', '<javascript:alert(1)>'],
    ['code after an escaped backtick', '\\`<script>alert(1)</script>`'],
    ['code over two blocks', '# `\n<script>alert(1)</script> `'],
    ['code over two cells of a table', '| a | b |\n|---|---|\n| ` | <script>alert(1)</script> ` |'],
    ['an open comment', '<!-- x\n\n<b onclick=x()>'],
    ['a fence that is closed early', '```\n```\n<script>alert(1)</script>\n```'],
  ];
  for (const [name, text] of rows) {
    it(name, async () => {
      const shown = careless.render(safeMarkdown(text));
      expect(shown).not.toMatch(/<(script|img|b |!--)/i);
      expect(shown).not.toMatch(/(href|src)="\s*(java|data:text|vb)/i);
      const { html } = await both([exportedCell({ language: 'markdown', source: text })]);
      expect(html).not.toMatch(/<script|<img|<b |<!-- x/i);
      expect(html).not.toMatch(/(href|src)="\s*(java|data:text|vb)/i);
    });
  }

  it('code and ordinary links are unchanged', () => {
    const text = 'a `<b>` and <https://example.org> and [x](https://example.org)\n\n```\n<b>\n```\n\n    <i>';
    expect(safeMarkdown(text)).toBe(text);
  });

  it('no text creates a tag in a program that renders raw HTML', () => {
    const part = fc.constantFrom(
      ...[
        '<b x>',
        '`',
        '``',
        '\\',
        '|',
        '\n',
        '\n\n',
        '- ',
        '> ',
        '    ',
        '```',
        '~~~',
        '[a](',
        ')',
        '<',
        'b>',
        '&lt;',
        '# ',
      ],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 14 }), (parts) => {
        expect(careless.render(safeMarkdown(parts.join('')))).not.toMatch(/<b[ >]/);
      }),
      { numRuns: process.env['LONG'] === '1' ? 20_000 : 500 },
    );
  });

  it('the page’s policy allows nothing', async () => {
    const { html } = await both([]);
    expect(html).toContain(`content="default-src 'none'; img-src data:;`);
  });
});
