/**
 * Tests imported Jupyter notebooks on a real server: their outputs before the first run, and the same prints as in a
 * kernel.
 */

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { convertJupyter } from '../../src-main/convert/jupyter/convertJupyter.ts';
import {
  code,
  file,
  PNG,
  shown,
  stream,
  value,
} from '../../src-main/convert/jupyter/testing/jupyterFiles.ts';
import {
  IMPORTED_OUTPUTS_FILE,
  importedOutputsText,
} from '../../src-main/notebook/stored/importedOutputs.ts';
import type { Cell } from '../../src-shared/wire/cell.ts';
import { writeNotebook } from '../support/notebookFolder.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { plainServer } from '../support/plainServer.ts';
import type { ServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  ({ root, server } = await plainServer('cellar-jupyter-'));
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

/** Imports a file and opens the notebook, without packages that would have to be downloaded. */
async function opened(
  name: string,
  text: string,
): Promise<{ notebook: OpenNotebook; ids: readonly string[] }> {
  const { cells, outputs } = convertJupyter(text);
  const dir = await writeNotebook(join(root, name), { cells });
  await mkdir(join(dir, '.svc'));
  await writeFile(join(dir, IMPORTED_OUTPUTS_FILE), importedOutputsText(outputs));
  return { notebook: await openNotebook(server, dir), ids: cells.map(({ id }) => id) };
}

it('[TR-69] outputs of the file are shown until the cell runs, but are not stored as results', async () => {
  const outputs = [
    stream('old\n'),
    stream('warned\n', 'stderr'),
    value({ 'text/plain': '41' }),
    shown({ 'image/png': PNG }),
  ];
  const { notebook, ids } = await opened(
    'outputs',
    file([code('print("new")\n40 + 2', outputs), code('1/0', outputs)]),
  );
  const [first = '', second = ''] = ids;
  const before = notebook.opened.cells[0];
  expect(before).toMatchObject({
    status: 'idle',
    imported: true,
    console_stdout: 'old\n',
    console_stderr: 'warned\n',
    artifact_uris: {},
    cache_hit: false,
    error: null,
    display_outputs: [
      { content_type: 'text/plain', preview: '41', artifact_uri: null },
      { content_type: 'image/png', inline_data_url: `data:image/png;base64,${PNG}` },
    ],
  });
  expect(await notebook.execute(first)).toMatchObject({ status: 'ready', cache_hit: false });
  const after = await notebook.cell(first);
  expect(after).toMatchObject({ status: 'ready', console_stdout: 'new\n', console_stderr: '' });
  expect(after.imported).toBeUndefined();
  expect(after.display_outputs).toMatchObject([{ preview: 42 }]);
  await notebook.execute(second);
  const failed = await notebook.cell(second);
  expect([failed.imported, failed.console_stdout, failed.display_outputs]).toEqual([undefined, '', []]);
  await notebook.close();
  // The run is recorded, so the file's outputs are not shown again.
  const again = await openNotebook(server, notebook.path);
  expect(again.opened.cells.map(({ imported }: Cell) => imported)).toEqual([undefined, undefined]);
  await again.close();
});

it('[TR-70] cells of a Jupyter file print the same as in a kernel', async () => {
  // What each cell prints when a kernel runs them in this order.
  const cells: readonly (readonly [source: string, printed: string])[] = [
    ['import random\nrandom.seed(7)\nN = 2', ''],
    ['% matplotlib inline\nprint(round(random.random(), 6))', '0.323833\n'],
    ['    z = N * 2\n    print(z)', '4\n'],
    ['%%capture out\nprint("hidden")\nk = [1]', ''],
    ['out.show()\nprint(len(out.stdout), k)', 'hidden\n7 [1]\n'],
    ['%%timeit -n 1 -r 1 xs = [1, 2]\ntotal = sum(xs)', ''],
    ['>>> w = z + 1\n>>> print(w)', '5\n'],
    ["get_ipython().run_line_magic('time', 'v = w + 1')\nprint(v)", '6\n'],
    ['import asyncio\nasync def f():\n    return v\nprint(await f())', '6\n'],
    ['if True:\n    ! true\nprint("end");', 'end\n'],
  ];
  const { notebook, ids } = await opened('values', file(cells.map(([source]) => source)));
  const printed: string[] = [];
  for (const id of ids) {
    const run = await notebook.execute(id);
    expect(run.error ?? null, `cell ${ids.indexOf(id) + 1}`).toBeNull();
    printed.push(run.stdout ?? '');
  }
  expect(printed).toEqual(cells.map(([, text]) => text));
  await notebook.close();
});
