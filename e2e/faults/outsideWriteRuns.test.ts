/**
 * Tests that a run on a real server includes what another program wrote into the notebook right before it, without
 * waiting for the file watcher.
 */

import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CellText } from '../support/notebookFolder.ts';
import { openNotebook } from '../support/openNotebook.ts';
import { plainServer } from '../support/plainServer.ts';
import type { ServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  ({ root, server } = await plainServer('cellar-outside-'));
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

const CELLS: readonly CellText[] = [
  { id: 'first', source: 'x = 1' },
  { id: 'between', source: '# nothing yet' },
  { id: 'last', source: 'print("x is", x)' },
];

/** What another program writes right before a run of `last`, and what `last` prints before and after. */
const WRITES: readonly {
  readonly name: string;
  readonly cells?: readonly CellText[];
  readonly write: (dir: string) => Promise<unknown>;
  readonly before: string;
  readonly after: string;
}[] = [
  {
    name: 'the cell itself',
    write: (dir) => writeFile(join(dir, 'cells/last.py'), 'print("now", x)'),
    before: 'x is 1\n',
    after: 'now 1\n',
  },
  {
    name: 'a cell above, overwritten with the same length',
    write: (dir) => writeFile(join(dir, 'cells/first.py'), 'x = 2'),
    before: 'x is 1\n',
    after: 'x is 2\n',
  },
  {
    name: 'a cell above, whose file is replaced',
    write: async (dir) => {
      await writeFile(join(dir, 'cells/new'), 'x = 3');
      await rename(join(dir, 'cells/new'), join(dir, 'cells/first.py'));
    },
    before: 'x is 1\n',
    after: 'x is 3\n',
  },
  {
    name: 'a cell that becomes upstream',
    write: (dir) => writeFile(join(dir, 'cells/between.py'), 'x = 4'),
    before: 'x is 1\n',
    after: 'x is 4\n',
  },
  {
    name: 'a variable in notebook.toml',
    cells: [{ id: 'last', source: 'import os\nprint(os.environ.get("MODE"))' }],
    write: async (dir) => {
      const path = join(dir, 'notebook.toml');
      const text = await readFile(path, 'utf8');
      await writeFile(path, text.replace('[[cells]]', '[env]\nMODE = "outside"\n\n[[cells]]'));
    },
    before: 'None\n',
    after: 'outside\n',
  },
  {
    name: 'the next step of a run, written by the step before',
    cells: [
      { id: 'first', source: 'x = 1' },
      { id: 'last', source: 'print("x is", x)' },
    ],
    write: (dir) =>
      writeFile(
        join(dir, 'cells/first.py'),
        'open("cells/last.py", "w").write("print(\'written by the step above\', x)")\nx = 5',
      ),
    before: 'x is 1\n',
    after: 'written by the step above 5\n',
  },
];

describe('a run that is requested right after another program wrote', () => {
  for (const [index, { name, cells = CELLS, write, before, after }] of WRITES.entries()) {
    it(`[SO-210] includes ${name}`, async () => {
      const dir = join(root, `write${index}`);
      const notebook = await openNotebook(server, dir, cells);
      expect((await notebook.execute('last')).stdout).toBe(before);
      await write(dir);
      const result = await notebook.execute('last');
      expect([result.status, result.stdout]).toEqual(['ready', after]);
      const cell = await notebook.cell('last');
      expect([cell.status, cell.console_stdout]).toEqual(['ready', after]);
      await notebook.close();
    });
  }
});
