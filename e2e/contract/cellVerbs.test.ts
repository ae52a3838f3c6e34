/**
 * Tests the commands `svc cell` and `svc dep` as processes, on a folder and on a running server: answers, exit codes
 * and wrong usage.
 */

import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOfRun } from '../support/longRun.ts';
import { plainServer } from '../support/plainServer.ts';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { openReady } from '../support/rest.ts';
import type { ServerProcess } from '../support/serverProcess.ts';
import { svc } from '../support/svcCommand.ts';

const CELLS = [
  { id: 'base0001', source: '# @name base\nn = 2' },
  { id: 'calc0001', source: 'total = n * 2\nprint("total", total)\ntotal' },
  { id: 'bad00001', source: 'x = 1 / 0' },
  { id: 'words001', source: '# Words', language: 'markdown' as const },
];

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  ({ root, server } = await plainServer('cellar-verbs-'));
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

const openOnServer = async (dir: string): Promise<string> => (await openReady(server.url, dir)).session_id;

/** The arguments after the target, the exit code, and the expected part of the JSON answer. */
interface Row {
  readonly verb: readonly string[];
  readonly rest?: readonly string[];
  readonly code?: number;
  readonly answer?: unknown;
  /** The command changes nothing; another row tests it, too, or its answer comes from the same session as another's. */
  readonly isRepeated?: true;
}

const LIST = expect.any(Array);
const TEXT = expect.any(String);

/** Matches a view of a cell that has all its fields, these with the given values. */
const VIEW = (known: object) =>
  expect.toSatisfy((view: object) => {
    const { error: _mayBeAbsent, ...all } = view as { error?: string };
    expect(all).toEqual({
      id: TEXT,
      name: TEXT,
      language: TEXT,
      status: TEXT,
      source: TEXT,
      staleness_reasons: LIST,
      defines: LIST,
      references: LIST,
      upstream_ids: LIST,
      downstream_ids: LIST,
      outputs: LIST,
      console_stdout: TEXT,
      console_stderr: TEXT,
      test: null,
      created_by: TEXT,
      updated_by: TEXT,
      controls: [],
      ...known,
    });
    return true;
  });
const OUTPUT = (known: object) => ({
  content_type: TEXT,
  preview: expect.anything(),
  rows: null,
  columns: null,
  artifact_uri: TEXT,
  bytes: expect.any(Number),
  ...known,
});

/** The commands in order: each starts from the state that the one before it left. */
const ROWS: readonly Row[] = [
  { verb: ['cell', 'list'], answer: CELLS.map(({ id }) => VIEW({ id })) },
  {
    isRepeated: true,
    verb: ['cell', 'show'],
    rest: ['base0001'],
    answer: VIEW({ id: 'base0001', name: 'base', source: CELLS[0]?.source, defines: ['n'] }),
  },
  {
    isRepeated: true,
    verb: ['cell', 'show'],
    rest: ['nobody01'],
    code: 1,
    answer: { error: 'Cell not found' },
  },
  {
    isRepeated: true,
    verb: ['cell', 'show'],
    rest: ['--var', 'total'],
    answer: { variable: 'total', defined: true, defined_in: 'calc0001', cell: VIEW({ id: 'calc0001' }) },
  },
  {
    isRepeated: true,
    verb: ['cell', 'show'],
    rest: ['--var', 'nothing'],
    answer: { variable: 'nothing', defined: false, available: ['n', 'total', 'x'] },
  },
  {
    isRepeated: true,
    verb: ['dag'],
    answer: { edges: [{ from_cell_id: 'base0001', to_cell_id: 'calc0001', variable: 'n' }] },
  },
  {
    verb: ['cell', 'run'],
    rest: ['calc0001'],
    answer: {
      cell_id: 'calc0001',
      status: 'ok',
      cache_hit: false,
      execution_method: expect.any(String),
      duration_ms: expect.any(Number),
      stdout: 'total 4\n',
      stderr: '',
    },
  },
  { verb: ['cell', 'run'], rest: ['calc0001'], answer: { cache_hit: true } },
  { verb: ['cell', 'run'], rest: ['calc0001', '--force'], answer: { cache_hit: false } },
  {
    verb: ['cell', 'run'],
    rest: ['bad00001'],
    code: 1,
    answer: { status: 'error', error: expect.stringContaining('division') },
  },
  {
    isRepeated: true,
    verb: ['cell', 'run'],
    rest: ['nobody01'],
    code: 1,
    answer: { error: 'Cell not found' },
  },
  {
    isRepeated: true,
    verb: ['cell', 'show'],
    rest: ['calc0001'],
    answer: VIEW({ outputs: [OUTPUT({ preview: 4 })], console_stdout: 'total 4\n' }),
  },
  {
    isRepeated: true,
    verb: ['status'],
    answer: {
      notebook_id: expect.any(String),
      name: 'Test notebook',
      counts: { ready: 3, error: 1 },
      cells: [
        {
          id: 'base0001',
          name: 'base',
          language: 'python',
          status: 'ready',
          staleness_reasons: [],
          defines: ['n'],
        },
        { name: 'total' },
        { name: 'x' },
        { name: 'words001' },
      ],
    },
  },
  {
    verb: ['cell', 'edit'],
    rest: ['base0001', '-c', '# @name base\nn = 3'],
    answer: VIEW({ id: 'base0001', source: '# @name base\nn = 3', status: 'idle' }),
  },
  {
    verb: ['cell', 'annotate'],
    rest: ['base0001', '--set', 'timeout=9', '--unset', 'name'],
    answer: VIEW({ source: '# @timeout 9\nn = 3', name: 'n' }),
  },
  {
    verb: ['cell', 'add'],
    rest: ['-c', 'm = n + 1\nprint(m)', '--after', 'base0001', '--run', '--author', 'ada'],
    answer: { created_by: 'ada', status: 'ready', outputs: [], run: { status: 'ok', stdout: '4\n' } },
  },
  {
    verb: ['cell', 'mv'],
    rest: ['words001', '--to', '0'],
    answer: [VIEW({ id: 'words001' }), { id: 'base0001' }],
  },
  { verb: ['cell', 'rm'], rest: ['bad00001'], answer: { removed: 'bad00001' } },
  {
    isRepeated: true,
    verb: ['cell', 'rm'],
    rest: ['bad00001'],
    code: 1,
    answer: { error: 'Cell not found' },
  },
];

describe.each(['folder', 'server'] as const)('on a %s', (kind) => {
  it('[CL-10] each command has its exit code and answer', async () => {
    const dir = await writeReadyNotebook(join(root, kind), { cells: CELLS });
    const target = kind === 'folder' ? [dir] : ['--server', server.url, '--session', await openOnServer(dir)];
    // A folder gives the same views as a server, where a command takes a third of the time.
    const rows = kind === 'server' ? ROWS : rowsOfRun(ROWS, ({ isRepeated }) => isRepeated !== true);
    for (const { verb, rest = [], code = 0, answer } of rows) {
      const end = await svc([...verb, ...target, ...rest]);
      const typed = `${verb.join(' ')} ${rest.join(' ')}`;
      expect(end.code, `${typed}: ${end.stderr}${end.stdout}`).toBe(code);
      const actual: unknown = JSON.parse(end.stdout);
      if (Array.isArray(answer)) {
        for (const [at, one] of answer.entries()) expect((actual as unknown[])[at], typed).toMatchObject(one);
      } else expect(actual, typed).toMatchObject(answer as object);
    }
    expect(await readFile(join(dir, 'cells/base0001.py'), 'utf8')).toBe('# @timeout 9\nn = 3');
  });
});

it('[CL-10] saves the display of a cell to a file', async () => {
  const dir = await writeReadyNotebook(join(root, 'shown'), {
    cells: [{ id: 'show0001', source: 'class P:\n  def _repr_png_(self): return b"png"\nP()' }],
  });
  expect((await svc(['cell', 'run', dir, 'show0001'])).code).toBe(0);
  const out = join(root, 'shown.png');
  const saved = await svc(['cell', 'output', dir, 'show0001', '--out', out]);
  expect(JSON.parse(saved.stdout), saved.stderr).toEqual({
    cell_id: 'show0001',
    index: 0,
    path: out,
    content_type: 'image/png',
    bytes: 3,
  });
  const nowhere = await svc(['cell', 'output', dir, 'show0001', '--out', join(out, 'below.png')]);
  expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('cannot be written')]);
  const end = await svc(['cell', 'output', dir, 'show0001', '--out', out, '--format', 'human']);
  expect([end.code, end.stdout], end.stderr).toEqual([0, `${out}: 3 bytes of image/png\n`]);
  expect(await readFile(out, 'utf8')).toBe('png');
});

it('[CL-10] cancels a run that another program started; if the cell is not running, exit 1', async () => {
  const dir = await writeReadyNotebook(join(root, 'slow'), {
    cells: [{ id: 'slow0001', source: 'import time\nprint("here")\ntime.sleep(600)' }],
  });
  const target = ['--server', server.url, '--session', await openOnServer(dir)];
  const running = svc(['cell', 'run', ...target, 'slow0001']);
  for (;;) {
    const { stdout } = await svc(['cell', 'show', ...target, 'slow0001']);
    if (JSON.parse(stdout).status === 'running') break;
  }
  const cancelled = await svc(['cell', 'cancel', ...target, 'slow0001']);
  expect([cancelled.code, JSON.parse(cancelled.stdout)]).toEqual([
    0,
    expect.objectContaining({ cancelled: true }),
  ]);
  expect((await running).code).toBe(1);
  expect((await svc(['cell', 'cancel', ...target, 'slow0001'])).code).toBe(1);
});

/** Wrong usage or set-up: exit code 2, a message on stderr, nothing on stdout. */
const WRONG: readonly (readonly [name: string, args: readonly string[], words: RegExp])[] = [
  ['no target', ['cell', 'list'], /notebook folder/],
  [
    'a server without a session',
    ['status', '--server', 'http://127.0.0.1:1'],
    /--server and --session must be used together/,
  ],
  [
    'a server address without a scheme',
    ['status', '--server', 'localhost', '--session', 's'],
    /address like http/,
  ],
  [
    'an address without a server',
    ['status', '--server', 'http://127.0.0.1:1', '--session', 's'],
    /cannot be reached/,
  ],
  ['a folder without a notebook', ['cell', 'list', tmpdir()], /notebook/i],
  ['an unknown command', ['cell', 'dance', '.'], /has no command `dance`/],
  [
    'both --force and --rerun',
    ['cell', 'run', '.', 'a', '--force', '--rerun'],
    /use either --rerun or --force/,
  ],
  ['no source', ['cell', 'add', '.'], /--file/],
  ['an unknown language', ['cell', 'add', '.', '-c', '1', '--language', 'perl'], /python/],
  ['a missing file', ['cell', 'edit', '.', 'a', '--file', '/nowhere/x.py'], /cannot be read/],
  ['a directive that may occur twice', ['cell', 'annotate', '.', 'a', '--set', 'env=A=1'], /several @env/],
  ['a directive of several parts', ['cell', 'annotate', '.', 'a', '--set', 'loop=3'], /several parts/],
  ['several parts in one value', ['cell', 'annotate', '.', 'a', '--set', 'variant=g a'], /several parts/],
  ['a value of the wrong type', ['cell', 'annotate', '.', 'a', '--set', 'timeout=abc'], /seconds above 0/],
  ['an unknown directive', ['cell', 'annotate', '.', 'a', '--set', 'bogus=1'], /no directive @bogus/],
  ['an invalid position', ['cell', 'mv', '.', 'a', '--to', 'up'], /starting at 0/],
  ['cancel on a folder', ['cell', 'cancel', '.', 'a'], /--server/],
  ['two packages', ['dep', 'add', '.', 'a', 'b'], /one package/],
];
it.each(WRONG)('[CL-6] %s is exit code 2', async (_name, args, words) => {
  const end = await svc(args, { cwd: root });
  expect([end.code, end.stdout]).toEqual([2, '']);
  expect(end.stderr).toMatch(words);
});

it('[CL-10] reads a source from a file', async () => {
  const dir = await writeReadyNotebook(join(root, 'from-file'), {
    cells: [{ id: 'only0001', source: 'a = 1' }],
  });
  await writeFile(join(root, 'new.py'), 'a = 2\n');
  const end = await svc([
    'cell',
    'edit',
    dir,
    'only0001',
    '--file',
    join(root, 'new.py'),
    '--format',
    'human',
  ]);
  expect([end.code, end.stdout], end.stderr).toEqual([0, 'only0001 idle\n']);
  expect(await readFile(join(dir, 'cells/only0001.py'), 'utf8')).toBe('a = 2\n');
});
