/**
 * Two built servers that share a third one's artifact store (docs/soundness.md, the team's cache): which results of the
 * first server the second one uses, and that no secret is shared.
 */

import { cp, mkdtemp, readdir, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExecutionResult } from '../../src-shared/wire/execution.ts';
import { connectLive } from '../support/liveClient.ts';
import type { CellText } from '../support/notebookFolder.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

const SECRET = 'a-key-of-the-first-server-7291';
const OUTSIDE = join(tmpdir(), `cellar-team-outside-${process.pid}.txt`);

interface Row {
  readonly cells: readonly CellText[];
  /** Whether the second server uses the stored results of these cells instead of running them. */
  readonly taken: boolean;
  /** What the second server shows; by default what the first one shows. */
  readonly prints?: string;
}

const leaf = (id: string, source: string): readonly CellText[] => [{ id, source }];
const ROWS: Readonly<Record<string, Row>> = {
  'values and a display': {
    cells: [
      { id: 'numbers', source: 'numbers = [1, 2, 3]' },
      { id: 'total', source: "total = sum(numbers)\nprint('summing')" },
      { id: 'shown', source: "print('total', total)\ntotal" },
    ],
    taken: true,
  },
  'a file of the folder': { cells: leaf('file', "print(open('same.txt').read())"), taken: true },
  'a file with other bytes of the same size and time': {
    cells: leaf('differs', "print(open('differs.txt').read())"),
    taken: false,
    prints: 'B\n',
  },
  'a file that the second server lacks': {
    cells: leaf(
      'missing',
      "import os\nprint(open('only-b.txt').read() if os.path.exists('only-b.txt') else 'none')",
    ),
    taken: false,
    prints: 'here\n',
  },
  'a file outside the folder': {
    cells: leaf('outside', `print(open(${JSON.stringify(OUTSIDE)}).read())`),
    taken: false,
  },
  'a variable that differs between the machines': {
    cells: leaf('machine', "import os\nname = 'PLACE'\nprint(os.environ.get(name))"),
    taken: false,
    prints: 'B\n',
  },
  'a variable with the same value on both machines': {
    cells: leaf('common', "import os\nname = 'COMMON'\nprint(os.environ.get(name))"),
    taken: true,
  },
  'all variables': { cells: leaf('everything', 'import os\nprint(len(dict(os.environ)) > 0)'), taken: false },
  'a child process': {
    cells: leaf(
      'child',
      "import subprocess\nprint(subprocess.run(['cat', 'differs.txt'], capture_output=True).stdout)",
    ),
    taken: false,
    prints: "b'B'\n",
  },
  'the folder it runs in': { cells: leaf('folder', 'import os\nprint(len(os.getcwd()))'), taken: false },
  'a path of the folder, read in a way that is not observed': {
    cells: leaf('path', "import os\nprint(getattr(os, 'get' + 'cwd')())"),
    taken: false,
    prints: '$B\n',
  },
  'a secret that it shows': {
    cells: [
      { id: 'leaked', source: "import os\nleaked = 'x' + os.environ.get('API_KEY', '')" },
      { id: 'length', source: 'print(len(leaked))' },
    ],
    taken: false,
    prints: '1\n',
  },
  'a pickle from a store that is not trusted': {
    cells: [
      { id: 'pickled', source: 'import datetime\npickled = datetime.timedelta(days=2)' },
      { id: 'days', source: 'print(pickled.days)' },
    ],
    // The pickle is not used; the stored text of the cell that reads it is (READERS_TAKEN).
    taken: false,
  },
};

let root = '';
let team: ServerProcess;
let notebook: OpenNotebook;
let server: ServerProcess;
const first = new Map<string, ExecutionResult>();
const second = new Map<string, ExecutionResult>();

const cells = Object.values(ROWS).flatMap((row) => row.cells);
const start = (place: string) =>
  startServerProcess({
    grants: [root],
    env: {
      SVC_NOTEBOOK_REMOTE_STORE_URL: team.url,
      SVC_NOTEBOOK_TEAM_CACHE_ENABLED: 'true',
      // Lookups may be slow while other tests run.
      SVC_NOTEBOOK_TEAM_CACHE_LOOKUP_MS: '60000',
      PLACE: place,
      COMMON: 'both',
      SVC_NOTEBOOK_HARNESS_ENV_ALLOWLIST: 'PLACE,COMMON',
    },
  });
const runAll = async (open: OpenNotebook, results: Map<string, ExecutionResult>): Promise<void> => {
  for (const { id } of cells) results.set(id, await open.execute(id));
};

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'cellar-team-')));
  team = await startServerProcess();
  const a = join(root, 'a');
  const b = join(root, 'b');
  await writeFile(OUTSIDE, 'outside');
  const one = await start('A');
  const open = await openNotebook(one, a, cells);
  await writeFile(join(a, 'same.txt'), 'same');
  await writeFile(join(a, 'differs.txt'), 'A');
  // Files keep their times and sizes, as after unpacking an archive.
  await cp(a, b, {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => !path.startsWith(join(a, '.svc')),
  });
  await writeFile(join(b, 'differs.txt'), 'B');
  for (const dir of [a, b]) await utimes(join(dir, 'differs.txt'), 1_700_000_000, 1_700_000_000);
  await writeFile(join(b, 'only-b.txt'), 'here');
  await rest(one.url, 'PUT', `/v1/notebooks/${open.sid}/env`, { env: { API_KEY: SECRET } });
  await runAll(open, first);
  // A stopping server first uploads its remaining results.
  await one.stop();
  server = await start('B');
  notebook = await openNotebook(server, b);
  await runAll(notebook, second);
});

afterAll(async () => {
  await server?.dispose();
  await team?.dispose();
  await rm(root, { recursive: true, force: true });
  await rm(OUTSIDE, { force: true });
});

describe('[RG-11] a second server with the same team’s cache', () => {
  it.each(Object.entries(ROWS))('%s', (_what, { cells: of, taken, prints }) => {
    for (const { id } of of) {
      const [there, here] = [first.get(id), second.get(id)];
      expect([id, there?.status, there?.error]).toEqual([id, 'ready', null]);
      expect([id, here?.status, here?.error]).toEqual([id, 'ready', null]);
      expect([id, here?.from_team_cache, here?.cache_hit]).toEqual([
        id,
        isTaken(id, taken),
        isTaken(id, taken),
      ]);
    }
    const last = of.at(-1)?.id ?? '';
    const printed = prints?.replace('$B', () => join(root, 'b')) ?? first.get(last)?.stdout;
    expect(second.get(last)?.stdout).toBe(printed);
  });

  it('stores the same bytes', () => {
    const ids = ['numbers', 'total', 'shown', 'file', 'common'];
    expect(digestsOf('b', ids)).toEqual(digestsOf('a', ids));
  });

  it('reports what the team’s cache saved', async () => {
    const live = await connectLive(server.url, notebook.sid);
    try {
      live.send('profiling_request', {});
      const { payload } = await live.next('profiling_summary');
      const hits = [...second.values()].filter(({ from_team_cache }) => from_team_cache).length;
      expect(payload).toMatchObject({ team_cache_hits: hits, team_contributors: [], team_promotions: [] });
      expect(hits).toBeGreaterThan(4);
    } finally {
      await live.close();
    }
  });
});

/** Cells whose results are used, although the value that they read is not. */
const READERS_TAKEN = new Set(['days']);
function isTaken(id: string, taken: boolean): boolean {
  return taken || READERS_TAKEN.has(id);
}

it('[RG-12] no secret of the first server reaches the store or the second one', async () => {
  for (const dir of [team.storageDir, join(root, 'b')]) {
    for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || entry.parentPath.includes('.venv')) continue;
      const bytes = await readFile(join(entry.parentPath, entry.name));
      expect([entry.name, bytes.includes(SECRET)]).toEqual([entry.name, false]);
    }
  }
});

function digestsOf(folder: string, ids: readonly string[]): readonly unknown[] {
  const database = new Database(join(root, folder, '.svc/artifacts/artifacts.sqlite'), { readonly: true });
  try {
    const rows = database
      .prepare(
        "SELECT id, content_sha256, content_type FROM artifact_versions WHERE state = 'ready' ORDER BY id",
      )
      .all() as { id: string }[]; // the columns of the query
    return rows.filter(({ id }) => ids.some((cell) => id.includes(`_cell_${cell}_`)));
  } finally {
    database.close();
  }
}
