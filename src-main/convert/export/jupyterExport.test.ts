import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ArtifactStore } from '../../artifacts/artifact.ts';
import { openMemoryStore } from '../../artifacts/testing/memoryStore.ts';
import { createRedactor, HIDDEN } from '../../lib/redactor.ts';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { convertJupyter } from '../jupyter/convertJupyter.ts';
import { display, exportedCell, exportView } from '../testing/views.ts';
import { allOf } from '../testing/zips.ts';
import { RENDER_DEFAULTS, type RenderOptions } from './blocks.ts';
import { jupyterExport } from './jupyterExport.ts';

let dir = notebookFolder('');
let store: ArtifactStore;
beforeAll(async () => {
  dir = notebookFolder(await mkdtemp(join(tmpdir(), 'cellar-ipynb-')));
  store = await openMemoryStore();
});
afterAll(async () => {
  await store.close();
  await rm(dir, { recursive: true, force: true });
});

type Exported = ReturnType<typeof exportedCell>;

async function exportText(cells: readonly Exported[], options: Partial<RenderOptions> = {}): Promise<string> {
  const view = exportView(dir, store, { cells });
  return (await allOf(jupyterExport(view, { ...RENDER_DEFAULTS, ...options }))).toString('utf8');
}

interface JupyterNotebook {
  readonly cells: readonly {
    readonly id: string;
    readonly cell_type: string;
    readonly source: string;
    readonly metadata: Record<string, unknown>;
    readonly outputs?: readonly Record<string, unknown>[];
  }[];
  readonly metadata: Record<string, unknown>;
  readonly nbformat: number;
  readonly nbformat_minor: number;
}

const exported = async (
  cells: readonly Exported[],
  options?: Partial<RenderOptions>,
): Promise<JupyterNotebook> => JSON.parse(await exportText(cells, options));

const PIXEL = 'iVBORw0KGgoAAAANSUhEUg==';

describe('[TR-90] a notebook as a Jupyter file', () => {
  it('has the format, the kernel and the name', async () => {
    expect(await exported([])).toEqual({
      cells: [],
      metadata: {
        kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' },
        language_info: { name: 'python', file_extension: '.py', mimetype: 'text/x-python' },
        title: 'Sales of May',
      },
      nbformat: 4,
      nbformat_minor: 5,
    });
  });

  it.each<[string, Parameters<typeof exportedCell>[0], Record<string, unknown>]>([
    ['Python', { source: 'x = 1' }, { cell_type: 'code', source: 'x = 1', metadata: {} }],
    ['text', { language: 'markdown', source: '# Hi' }, { cell_type: 'markdown', source: '# Hi' }],
    [
      'SQL',
      { language: 'sql', source: '# @sql connection=a\nselect 1' },
      {
        cell_type: 'code',
        source: '%%sql\n# @sql connection=a\nselect 1',
        metadata: { cellar: { language: 'sql' } },
      },
    ],
    [
      'a prompt, without its response',
      { language: 'prompt', source: 'Say {{ x }}', display_outputs: [display({ preview: 'Hello' })] },
      { cell_type: 'raw', source: 'Say {{ x }}', metadata: { cellar: { language: 'prompt' } } },
    ],
    ['a text that is JSON', { source: '"\\u2028" </script>' }, { source: '"\\u2028" </script>' }],
    ['an id that Jupyter does not allow', { id: 'a/b c' }, { id: 'cell-1' }],
  ])('%s', async (_what, cell, jupyter) => {
    const { cells } = await exported([exportedCell(cell)]);
    expect(cells[0]).toMatchObject(jupyter);
  });

  it('a notebook of R cells only is an R notebook; with Python cells they get magics', async () => {
    const r = exportedCell({ id: 'r1', language: 'r', source: 'x <- 1' });
    const alone = await exported([r]);
    expect(alone.metadata['kernelspec']).toMatchObject({ name: 'ir' });
    expect(alone.cells[0]?.source).toBe('x <- 1');
    const mixed = await exported([r, exportedCell({ id: 'p1', source: 'y = 2' })]);
    expect(mixed.metadata['kernelspec']).toMatchObject({ name: 'python3' });
    expect(mixed.cells[0]?.source).toBe('%%R\nx <- 1');
  });

  it('an inactive variant is left out or exported as a raw cell', async () => {
    const cell = exportedCell({
      source: 'x = 2',
      variant_group: 'g',
      variant_name: 'b',
      variant_active: false,
    });
    expect((await exported([cell])).cells).toEqual([]);
    expect((await exported([cell], { inactiveVariants: true })).cells[0]?.cell_type).toBe('raw');
  });

  it('the app view hides the sources', async () => {
    const cell = exportedCell({ source: 'x', display_outputs: [display({ preview: 1 })] });
    const { cells } = await exported([cell, exportedCell({ id: 'quiet', source: 'y' })], { appView: true });
    expect(cells.map(({ metadata }) => metadata)).toEqual([{ jupyter: { source_hidden: true } }]);
  });

  it.each<[string, Parameters<typeof exportedCell>[0], readonly Record<string, unknown>[]]>([
    [
      'printed output',
      { console_stdout: '0%\r100%\n', console_stderr: '\u001b[31mwarned\u001b[0m' },
      [
        { output_type: 'stream', name: 'stdout', text: '100%\n' },
        { output_type: 'stream', name: 'stderr', text: 'warned' },
      ],
    ],
    [
      'an error',
      { error: 'Traceback (most recent call last):\n  line 1\nValueError: too: long' },
      [
        {
          output_type: 'error',
          ename: 'ValueError',
          evalue: 'too: long',
          traceback: ['Traceback (most recent call last):', '  line 1', 'ValueError: too: long'],
        },
      ],
    ],
    [
      'a table',
      {
        display_outputs: [
          display({
            content_type: 'arrow/ipc',
            columns: ['a', '<b>'],
            rows: 9,
            preview: [
              [1, null],
              ['<x>', 2.5],
            ],
          }),
        ],
      },
      [
        {
          output_type: 'display_data',
          metadata: {},
          data: {
            'text/html':
              '<table><thead><tr><th>a</th><th>&lt;b&gt;</th></tr></thead><tbody><tr><td>1</td><td></td></tr>' +
              '<tr><td>&lt;x&gt;</td><td>2.5</td></tr></tbody></table><p>2 of 9 rows</p>',
            'text/plain': 'a\t<b>\n1\t\n<x>\t2.5',
          },
        },
      ],
    ],
    [
      'a picture',
      {
        display_outputs: [
          display({ content_type: 'image/png', inline_data_url: `data:image/png;base64,${PIXEL}` }),
        ],
      },
      [{ output_type: 'display_data', metadata: {}, data: { 'image/png': PIXEL, 'text/plain': '<figure>' } }],
    ],
    [
      'a value',
      { display_outputs: [display({ preview: { a: [1] } })] },
      [
        {
          output_type: 'display_data',
          metadata: {},
          data: { 'application/json': { a: [1] }, 'text/plain': '{\n  "a": [\n    1\n  ]\n}' },
        },
      ],
    ],
    [
      'a value that only Python reads',
      { display_outputs: [display({ content_type: 'pickle/object', text: 'Model()', preview: null })] },
      [{ output_type: 'display_data', metadata: {}, data: { 'text/plain': 'Model()' } }],
    ],
    [
      'a page whose bytes are no longer stored',
      { display_outputs: [display({ content_type: 'text/html', bytes: 7, artifact_uri: null })] },
      [
        {
          output_type: 'display_data',
          metadata: {},
          data: { 'text/plain': '[A result of type text/html (7 bytes) is not part of the export.]' },
        },
      ],
    ],
  ])('%s', async (_what, cell, outputs) => {
    const { cells } = await exported([exportedCell(cell)]);
    expect(cells[0]?.outputs).toEqual(outputs);
  });
});

it('[TR-90] secret values are hidden, also those that JSON escapes', async () => {
  const secret = 'pass"word\\1';
  const view = exportView(dir, store, {
    cells: [exportedCell({ source: `key = ${secret}`, console_stdout: secret })],
    redactor: createRedactor([secret]),
  });
  const text = (await allOf(jupyterExport(view, RENDER_DEFAULTS))).toString('utf8');
  expect(text).not.toContain('word');
  expect(JSON.parse(text).cells[0].source).toBe(`key = ${HIDDEN}`);
});

describe('[TR-91] back into Cellar', () => {
  it.each<[string, Parameters<typeof exportedCell>[0]]>([
    ['Python', { language: 'python', source: '# @name a\nx = 1' }],
    ['text', { language: 'markdown', source: '# Hi' }],
    ['SQL', { language: 'sql', source: '# @sql connection=mem\nselect %s' }],
    ['a prompt', { language: 'prompt', source: '# @output reply\nSay {{ x }}' }],
    ['R beside Python', { language: 'r', source: 'x <- c(1, 2)' }],
  ])('%s is unchanged after a round trip', async (_what, cell) => {
    const text = await exportText([exportedCell(cell), exportedCell({ id: 'python01', source: 'y = 2' })]);
    const { cells, findings } = convertJupyter(text);
    expect(cells.map(({ language, source }) => ({ language, source }))).toEqual([
      { language: cell.language, source: cell.source },
      { language: 'python', source: 'y = 2' },
    ]);
    expect(findings).toEqual([]);
  });

  it('an edit made in Jupyter is kept', async () => {
    const text = (await exportText([exportedCell({ language: 'sql', source: 'select 1' })])).replace(
      'select 1',
      'select 2',
    );
    expect(convertJupyter(text).cells[0]).toMatchObject({ language: 'sql', source: 'select 2' });
  });

  it('any sources survive a round trip', async () => {
    const source = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .map((text) => text.trim())
      .filter((text) => text !== '' && !text.includes('\0') && !/[\r\u2028\u2029]/.test(text));
    const cells = fc.array(
      fc.record({ language: fc.constantFrom('markdown' as const, 'sql' as const), source }),
      {
        minLength: 1,
        maxLength: 5,
      },
    );
    await fc.assert(
      fc.asyncProperty(cells, async (drawn) => {
        const text = await exportText(drawn.map((cell, at) => exportedCell({ id: `c${at}`, ...cell })));
        const back = convertJupyter(text).cells.map(({ language, source }) => ({ language, source }));
        expect(back).toEqual(drawn);
      }),
    );
  });
});
