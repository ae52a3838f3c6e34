/**
 * The language route with the real language server, over a notebook with pandas: completion, hovers, definitions,
 * renames and diagnostics. One server serves all tests, because starting it takes long.
 */

import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { LanguageAnswer, LanguageQuestion } from '../../src-shared/wire/routes/language.ts';
import { writeNotebook } from '../support/notebookFolder.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

const CELLS = [
  { id: 'load', source: 'import pandas as pd\nimport helpers\ndf = pd.DataFrame({"city": ["a"], "n": [1]})' },
  { id: 'apart', source: 'zebra = 1' },
  { id: 'clean', source: 'df2 = helpers.clean(df)\nlimits = {"low": 1, "high": 9}' },
  { id: 'use', source: 'df2.head(3), limits' },
  { id: 'text', source: '# Title', language: 'markdown' as const },
];
const HELPERS = [
  'import pandas as pd',
  'def clean(frame: pd.DataFrame) -> pd.DataFrame:',
  '    """Drop rows without a value."""',
  '    return frame.dropna()',
].join('\n');

let root = '';
let server: ServerProcess;
let notebook: OpenNotebook;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'cellar-language-')));
  server = await startServerProcess({ grants: [root] });
  const dependencies = ['pandas', 'pyarrow'];
  const dir = await writeNotebook(join(root, 'notebook'), { cells: CELLS, dependencies });
  await writeFile(join(dir, 'helpers.py'), HELPERS);
  notebook = await openNotebook(server, dir);
  await notebook.execute('clean');
  // The language server may have to be downloaded first.
  await vi.waitFor(async () => expect((await ask('use', hover('df2', 1))).state).toBe('ready'), {
    timeout: 150_000,
    interval: 500,
  });
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

async function ask(cell: string, question: LanguageQuestion): Promise<LanguageAnswer> {
  const path = `/v1/notebooks/${notebook.sid}/x/cells/${cell}/language`;
  const { status, body } = await rest<LanguageAnswer>(server.url, 'POST', path, question);
  expect(status).toBe(200);
  return body;
}

/** A position at the end of a one-line text. */
function end(source: string) {
  return { source, position: { line: 0, character: source.length } };
}

function hover(source: string, character: number): LanguageQuestion {
  return { ask: 'hover', source, position: { line: 0, character } };
}

async function labels(source: string): Promise<readonly string[]> {
  const { items = [] } = await ask('use', { ask: 'complete', ...end(source) });
  return items.map(({ label }) => label);
}

it.each<[string, string, readonly string[]]>([
  ['columns of the last run, then attributes of pandas', 'df2.', ['city', 'n', 'groupby', 'merge']],
  ['methods of a call’s result', 'df2.groupby("city").', ['agg', 'mean']],
  ['methods of a column', 'df2["city"].', ['value_counts', 'str']],
  ['methods of a text column', 'df2["city"].str.', ['upper', 'contains']],
  ['columns of a table as keys', 'df2["', ['city', 'n']],
  ['keys of a dictionary', 'limits["', ['low', 'high']],
  ['names of a local module', 'import helpers; helpers.', ['clean']],
  ['names of a standard module', 'import os; os.path.', ['join']],
  ['a builtin', 'prin', ['print']],
  ['keyword arguments', 'df2.sort_values(', ['by=', 'ascending=']],
])('[LS-2] [LS-5] completion has %s', async (_what, source, wanted) => {
  expect(await labels(source)).toEqual(expect.arrayContaining([...wanted]));
});

it('[LS-5] names known from the last run come first', async () => {
  expect((await labels('df2.')).slice(0, 2)).toEqual(['city', 'n']);
});

it('[LS-2] a name of an unrelated cell is not offered', async () => {
  expect(await labels('zeb')).not.toContain('zebra');
});

it('[LS-6] a hover has the documentation and the value of the last run', async () => {
  const value = await ask('use', hover('df2', 1));
  expect([value.markdown, value.value]).toEqual([
    expect.stringContaining('DataFrame'),
    expect.stringContaining('1 row × 2 columns'),
  ]);
  expect((await ask('clean', hover('helpers.clean(df)', 10))).markdown).toContain(
    'Drop rows without a value.',
  );
});

it('[LS-6] a signature marks the current argument', async () => {
  const { signatures } = await ask('use', { ask: 'signature', ...end('df2.head(') });
  expect(signatures?.[0]).toMatchObject({ label: expect.stringContaining('n: int = 5'), active: 0 });
});

it('[LS-8] a definition is a place in a cell, a local module or a library', async () => {
  const define = async (cell: string, source: string, character: number) =>
    (await ask(cell, { ask: 'definition', source, position: { line: 0, character } })).places?.[0];
  expect(await define('use', 'df2', 1)).toMatchObject({ in: 'cell', cell_id: 'clean' });
  expect(await define('clean', 'helpers.clean(df)', 10)).toMatchObject({
    in: 'file',
    path: 'helpers.py',
    local: true,
    first_line: 0,
    text: HELPERS,
    span: { start: { line: 1 } },
  });
  expect(await define('use', 'df2.head', 5)).toMatchObject({ in: 'file', local: false });
});

it('[LS-7] a rename edits every cell that uses the variable, at the places that the references list', async () => {
  const at = { source: 'df2.head(3)', position: { line: 0, character: 1 } };
  const { edits } = await ask('use', { ask: 'rename', ...at, name: 'cleaned' });
  const { places } = await ask('use', { ask: 'references', ...at });
  const start = { line: 0, character: 0 };
  expect(edits?.map(({ cell_id, span, text }) => [cell_id, span.start, text])).toEqual([
    ['clean', start, 'cleaned'],
    ['use', start, 'cleaned'],
  ]);
  expect(places?.map((place) => (place.in === 'cell' ? place.cell_id : place.path))).toEqual([
    'clean',
    'use',
  ]);
});

it.each([
  ['a variable whose new name is taken', 'df2', 1, 'zebra', 'already uses the name'],
  ['a variable whose new name is invalid', 'df2', 1, 'a b', 'is not a name in Python'],
  ['a name of a library', 'df2.head', 5, 'top', 'outside the cells'],
  ['a name of a module of the folder', 'import helpers; helpers.clean', 26, 'wash', 'helpers.py'],
])('[LS-7] %s is not renamed, with a reason', async (_what, source, character, name, reason) => {
  const answer = await ask('use', { ask: 'rename', source, position: { line: 0, character }, name });
  expect([answer.renames, answer.edits, answer.words]).toEqual([null, [], expect.stringContaining(reason)]);
});

it('[LS-9] diagnostics leave out false alarms and problems that the notebook reports itself', async () => {
  const faultsOf = async (source: string) => (await ask('use', { ask: 'diagnostics', source })).faults ?? [];
  expect(await faultsOf('import no_such_package_here')).toMatchObject([{ severity: 'warn' }]);
  expect(await faultsOf('import math\nmath.nothing')).toMatchObject([
    { severity: 'warn', span: { start: { line: 1 } } },
  ]);
  expect(await faultsOf('len()')).toMatchObject([{ code: 'missing-argument' }]);
  for (const source of ['x = (', 'df2.city.mean()', 'df2.head(3)', 'print(df2)\ndisplay(df2)']) {
    expect(await faultsOf(source)).toEqual([]);
  }
});

it('[LS-11] an edited module is read again', async () => {
  await writeFile(join(notebook.path, 'helpers.py'), `${HELPERS}\n\ndef wash(frame):\n    return frame\n`);
  await expect.poll(async () => (await labels('import helpers; helpers.')).includes('wash')).toBe(true);
});

it('[LS-1] [LS-11] each notebook has one server, which ends with it', async () => {
  const other = await openNotebook(server, join(root, 'other'), [{ id: 'one', source: 'x = 1' }]);
  expect(await ask('text', hover('x', 0))).toEqual({ state: 'ready', words: null });
  const path = `/v1/notebooks/${other.sid}/x/cells/one/language`;
  const { body } = await rest<LanguageAnswer>(server.url, 'POST', path, { ask: 'complete', ...end('"".') });
  expect(body.items?.map(({ label }) => label)).toContain('upper');
  expect((await other.close()).status).toBe(200);
  expect((await rest(server.url, 'POST', path, { ask: 'complete', ...end('x') })).status).toBe(404);
});
