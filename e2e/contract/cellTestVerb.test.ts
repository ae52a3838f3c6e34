/** Tests the command `svc cell test` as a process: exit codes and output, with pytest from a local folder of wheels. */

import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longTest, rowsOfRun } from '../support/longRun.ts';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { onlyWheels, packPytest } from '../support/pytestWheels.ts';
import { PROJECT_ROOT } from '../support/serverProcess.ts';
import { svc } from '../support/svcCommand.ts';

let root = '';
let dir = '';
let env: Readonly<Record<string, string>> = {};
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-test-verb-'));
  await packPytest(join(root, 'wheels'));
  env = onlyWheels(join(root, 'wheels'));
  dir = await writeReadyNotebook(join(root, 'tested'), {
    cells: [
      { id: 'base0001', source: 'n = 2' },
      { id: 'calc0001', source: 'total = n * 2' },
      { id: 'bad00001', source: 'x = 1 / 0' },
      { id: 'words001', source: '# Words', language: 'markdown' },
    ],
  });
});
afterAll(() => rm(root, { recursive: true, force: true }));

const tests = (cell: string, source: string) => writeFile(join(dir, `cells/${cell}.test.py`), source);

describe('svc cell test', () => {
  it('[CL-9] passing tests of one cell: exit 0, counts and cases, after running the cells above', async () => {
    await tests('calc0001', 'def test_total(cell):\n    assert cell.total == 4\n');
    const end = await svc(['cell', 'test', dir, 'calc0001'], { env });
    expect(end.code, end.stderr + end.stdout).toBe(0);
    expect(JSON.parse(end.stdout)).toEqual({
      cell_id: 'calc0001',
      passed: 1,
      failed: 0,
      errored: 0,
      skipped: 0,
      pytest_unavailable: false,
      cases: [{ name: 'test_total', outcome: 'passed', message: '', line: null }],
      auto_installed: ['pytest'],
    });
  });

  it('[CL-9] a failing test: exit 1; without a cell, all cells with tests; human-readable on request', async () => {
    await tests('bad00001', 'def test_x(cell):\n    assert cell.x\n');
    const end = await svc(['cell', 'test', dir, '--format', 'human'], { env });
    expect(end.code, end.stderr).toBe(1);
    expect(end.stdout).toMatch(
      /^calc0001\n {2}passed {3}test_total\nbad00001\n {2}error {4}test_x\n[\s\S]*ZeroDivisionError[\s\S]*\n1 passed, 1 errored\n$/,
    );
    const report = JSON.parse((await svc(['cell', 'test', dir], { env })).stdout);
    expect(report).toMatchObject({ notebook: 'tested', success: false });
    expect(report.cells.map(({ cell_id }: { cell_id: string }) => cell_id)).toEqual(['calc0001', 'bad00001']);
  });

  it('[CL-9] --file replaces the tests first', async () => {
    const source = 'def test_total(cell):\n    assert cell.total == 5\n';
    await writeFile(join(root, 'mine.py'), source);
    const end = await svc(['cell', 'test', dir, 'calc0001', '--file', join(root, 'mine.py')], { env });
    expect(end.code, end.stderr).toBe(1);
    expect(JSON.parse(end.stdout).cases[0]).toMatchObject({ outcome: 'failed', line: 2 });
    expect(await readFile(join(dir, 'cells/calc0001.test.py'), 'utf8')).toBe(source);
  });

  const REFUSED = [
    ['an unknown cell', ['nobody01'], 'Cell not found'],
    ['an invalid cell id', ['../../x'], 'Cell not found'],
    ['a cell without tests', ['base0001'], 'This cell has no tests'],
    ['a markdown cell', ['words001'], 'Only Python cells have tests'],
  ] as const;
  // The session refuses them all in the same way; cellTests.test.ts has the others over REST.
  it.each(rowsOfRun(REFUSED, ([, ids]) => ids[0] === '../../x' || ids[0] === 'base0001'))(
    '[CL-9] %s is exit 1 with a message',
    async (_name, ids, words) => {
      const end = await svc(['cell', 'test', dir, ...ids], { env });
      expect([end.code, JSON.parse(end.stdout).error]).toEqual([1, expect.stringContaining(words)]);
    },
  );

  it.each([
    [['cell'], 'needs a command'],
    [['cell', 'burn', '.'], 'has no command `burn`'],
    [['cell', 'test'], 'svc cell test needs a notebook folder and cell ids'],
    [['cell', 'test', '.', '--file', 'x.py'], '--file needs exactly one cell'],
    [['cell', 'test', '.', 'a', '--file', '/no/such/file'], 'cannot be read'],
    [['cell', 'test', '/no/such/folder'], 'svc: '],
  ])('[CL-6] %j is exit 2 with a message', async (args, words) => {
    const end = await svc(args);
    expect([end.code, end.stdout, end.stderr]).toEqual([2, '', expect.stringContaining(words)]);
  });

  it('[CL-9] pytest that cannot be installed is exit 2 with the reason', async () => {
    const bare = await writeReadyNotebook(join(root, 'bare'), {
      cells: [{ id: 'calc0001', source: 'n = 1' }],
    });
    await writeFile(join(bare, 'cells/calc0001.test.py'), 'def test_n(cell): pass\n');
    const end = await svc(['cell', 'test', bare, 'calc0001'], { env: onlyWheels(join(root, 'nothing')) });
    expect(end.code, end.stderr).toBe(2);
    expect(JSON.parse(end.stdout)).toMatchObject({
      pytest_unavailable: true,
      cases: [],
      problem: expect.stringMatching(/^pytest is not installed in this notebook, and installing it failed: /),
    });
  });

  longTest('e2e/contract/cellTests.test.ts', 'e2e/contract/cellTestVerb.test.ts')(
    '[CL-9] [CT-14] the example of tests passes',
    async () => {
      const example = join(root, 'example');
      await cp(join(PROJECT_ROOT, 'examples/tested-cells'), example, {
        recursive: true,
        filter: (path) => !/[\\/](\.svc|\.venv|uv\.lock)$/.test(path),
      });
      const end = await svc(['cell', 'test', example, '--format', 'human'], { env });
      expect([end.code, end.stdout.trimEnd().split('\n').at(-1)]).toEqual([0, '7 passed']);
    },
  );
});
