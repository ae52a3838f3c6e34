/**
 * Tests the Python module `svc` that cells use for the artifact store and data plane of their server: in cells, consoles and
 * `svc run`.
 */

import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlaneTables, writePlaneTables } from '../../src-main/dataPlane/testing/planeWorld.ts';
import { LAUNCH_TOKEN_HEADER } from '../../src-shared/shell/handshake.ts';
import type { ExecutionResult } from '../../src-shared/wire/execution.ts';
import type { ServerPayload } from '../../src-shared/wire/frames/server.ts';
import type { SessionStateBody } from '../../src-shared/wire/notebookState.ts';
import { connectLive } from '../support/liveClient.ts';
import { writeNotebook } from '../support/notebookFolder.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { lendEnvironment } from '../support/preparedEnvironment.ts';
import { rest } from '../support/rest.ts';
import { PROJECT_ROOT, type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { svc } from '../support/svcCommand.ts';

const runProgram = promisify(execFile);

const CLIENT = `
try:
    print(ACTION)
except svc.SvcError as error:
    print(error.status, error)
`;
/** A cell that prints the value of an expression, or the error of the client. */
const printing = (expression: string): string => CLIENT.replace('ACTION', expression);

let root = '';
let server: ServerProcess;
let tables: PlaneTables | null = null;
let notebook: OpenNotebook;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-client-'));
  server = await startServerProcess({
    grants: [root],
    env: {
      SVC_CACHE_DIR: join(root, 'cache'),
      SVC_REGISTRY_PROTECTED_ALIASES: 'prod',
      SVC_LOG_LEVEL: 'DEBUG',
    },
  });
  if (process.env['CELLAR_TEST_SERVICES'] !== undefined) tables = await writePlaneTables();
  notebook = await openNotebook(server, join(root, 'client'), [
    { id: 'cell0001', source: 'x = 1' },
    { id: 'maker001', source: 'made = svc.put({"a": [1]}) is not None' },
    { id: 'reader01', source: 'print(made)' },
    { id: 'pure0001', source: 'print(made)' },
    { id: 'shared01', source: 'def store(data):\n    return svc.put(data)' },
    { id: 'caller01', source: 'print(store({"a": [1]}))' },
  ]);
});
afterAll(async () => {
  await server?.dispose();
  await tables?.remove();
  await rm(root, { recursive: true, force: true });
});

/** The rows that a cell wrote to a file of the notebook's folder. */
async function rowsOf(name: string): Promise<unknown[]> {
  const table = tableFromIPC(await readFile(join(notebook.path, `${name}.arrow`)));
  return table.toArray().map((row: { toJSON(): unknown }) => row.toJSON());
}

async function run(source: string): Promise<string> {
  await notebook.edit('cell0001', source);
  const { stdout, error } = await notebook.execute('cell0001');
  expect(error).toBeNull();
  return stdout.trim();
}

describe('[DP-84] svc in a cell', () => {
  it('stores, names, aliases, tags and resolves', async () => {
    const printed = await run(`
first = svc.put({"a": [1, 2]}, name="team/numbers")
same = svc.put({"a": [1, 2]})
other = svc.put({"a": [3]}, inputs=[first])
print(first == same, first == other)
print(svc.set_alias("team/numbers", "next"), svc.set_alias("team/numbers", "next", first), svc.set_alias("team/numbers", "prod", first))
svc.set_tag(first, "stage", "gold")
print(svc.tags(first), svc.resolve("team/numbers") == first, svc.resolve_alias("team/numbers", "next") == first)
print(svc.aliases("team/numbers") == {"next": first}, svc.resolve("nobody", "none"))
open("first.arrow", "wb").write(svc.get(first).bytes())
try:
    svc.get(other).pandas()
except ModuleNotFoundError as error:
    print(error)
`);
    expect(printed.split('\n')).toEqual([
      'True False',
      'applied unchanged pending',
      "{'stage': 'gold'} True True",
      'True none',
      'pandas() needs the package pandas. Add it to the environment.',
    ]);
    expect(await rowsOf('first')).toEqual([{ a: 1n }, { a: 2n }]);
    expect((await rest(server.url, 'GET', '/v1/names/team/numbers')).status).toBe(200);
  });

  it.runIf(process.env['CELLAR_TEST_SERVICES'] !== undefined)('scans tables and runs queries', async () => {
    const table = JSON.stringify(tables?.uri('orders'));
    const printed = await run(`
rows = svc.materialize(${table}, columns=["id", "price"], filters=[("id", ">=", 3), ("price", "<", 3.0)])
open("rows.arrow", "wb").write(rows.bytes())
again = svc.materialize(${table}, columns=["id", "price"], filters=[("id", ">=", 3), ("price", "<", 3.0)])
print(again.artifact_uri == rows.artifact_uri, again.bytes() == rows.bytes())
old = svc.materialize(${table}, snapshot_id=${tables?.snapshots[0]})
open("old.arrow", "wb").write(old.bytes())
total = svc.materialize([rows], sql="SELECT sum(price) AS total FROM input0", name="team/total")
open("total.arrow", "wb").write(total.bytes())
print(svc.resolve("team/total") == total.artifact_uri)
`);
    expect(printed.split('\n')).toEqual(['True True', 'True']);
    expect(await rowsOf('rows')).toEqual([
      { id: 3n, price: 1.5 },
      { id: 4n, price: 2 },
      { id: 5n, price: 2.5 },
    ]);
    expect(await rowsOf('old')).toHaveLength(10);
    expect(await rowsOf('total')).toEqual([{ total: 6 }]);
  });

  it.each<readonly [string, string, RegExp]>([
    ['an unknown table', 'svc.materialize("/nowhere#ns.nothing")', /^404 ./],
    ['an unknown name', 'svc.resolve("team/nobody")', /^404 .*team\/nobody/],
    ['SQL that fails', 'svc.materialize([], sql="SELECT nothing")', /^None .*nothing/],
    ['an unknown executor', 'svc.materialize([], executor="x@v1")', /^400 .*x@v1/],
    ['an invalid name', 'svc.put(1, name="../x")', /^400 .*not a valid name/],
    [
      'the promotion of an unknown result',
      'svc.promote("svc://artifact/no@v=1")',
      /^404 The notebook has no such result/,
    ],
    [
      'a wrong token',
      'svc._used()._transport._headers.update(authorization="Bearer svc_cell_wrong") or svc.resolve("a")',
      /^401 The token of this client is not valid/,
    ],
  ])('the error explains the problem of %s', async (_what, expression, says) => {
    expect(await run(printing(expression))).toMatch(says);
  });

  it('promotes a result of the notebook', async () => {
    await notebook.edit('maker001', 'made = [1, 2]');
    expect((await notebook.execute('reader01')).stdout).toBe('[1, 2]\n');
    const { artifact_uri } = await notebook.cell('maker001');
    const printed = await run(
      printing(
        `svc.promote(${JSON.stringify(artifact_uri)}, name="team/made", alias="next", tags={"a": "b"})`,
      ),
    );
    expect(printed).toMatch(/^svc:\/\/artifact\//);
    expect(await run(printing('svc.resolve_alias("team/made", "next")'))).toBe(printed);
  });

  it('is available in code of other cells', async () => {
    expect((await notebook.execute('caller01')).stdout).toMatch(/^svc:\/\/artifact\//);
  });
});

describe('[DP-84] svc in a console of a cell', () => {
  it('stores data, and no frame shows its token', async () => {
    const live = await connectLive(server.url, notebook.sid, '?extensions=1');
    const answer = async (action: string, type: Parameters<typeof live.send>[0], payload: object) => {
      const since = live.mark();
      live.send(type, { cell_id: 'shared01', ...payload });
      const where = (result: ServerPayload<'inspect_result'>): boolean => result.action === action;
      return (await live.next('inspect_result', { since, where })).payload;
    };
    try {
      expect((await answer('open', 'inspect_open', {})).ok).toBe(true);
      const stored = await answer('eval', 'inspect_eval', { expr: 'svc.put([1])' });
      expect(stored).toMatchObject({ ok: true, result: expect.stringContaining('svc://artifact/') });
      const headers = await answer('eval', 'inspect_eval', { expr: 'svc._used()._transport._headers' });
      expect(headers).toMatchObject({ ok: true, result: "{'authorization': 'Bearer [hidden]'}" });
    } finally {
      await live.close();
    }
  });
});

describe('[DP-82] svc of the notebook', () => {
  it('is used by code of other cells, whether that cell is above or below', async () => {
    const own = await openNotebook(server, join(root, 'own'), [
      { id: 'code0001', source: 'def times(x):\n    return x * svc' },
      { id: 'gives001', source: 'svc = 5\nprint(times(2))' },
      { id: 'code0002', source: 'def half(x):\n    return svc / x' },
      { id: 'uses0001', source: 'print(times(3), half(2), svc)' },
    ]);
    for (const [cell, printed] of [
      ['gives001', '10\n'],
      ['uses0001', '15 2.5 5\n'],
    ] as const) {
      const { stdout, error } = await own.execute(cell);
      expect([cell, stdout, error]).toEqual([cell, printed, null]);
    }
  });
});

describe('[DP-85] the results of cells that used svc', () => {
  it('are hits by provenance, never by content', async () => {
    const hits = async (): Promise<readonly boolean[]> => {
      const used = await notebook.execute('reader01');
      const pure = await notebook.execute('pure0001');
      expect([used.error, pure.error]).toEqual([null, null]);
      return [used.cache_hit, pure.cache_hit];
    };
    await notebook.edit('reader01', 'print(made, svc.resolve("nobody", "none"))');
    // If the cell above uses no svc, a reader without svc is a hit by content; a reader with svc is not.
    await notebook.edit('maker001', 'made = 1 == 1');
    expect(await hits()).toEqual([false, false]);
    expect(await hits()).toEqual([true, true]);
    await notebook.edit('maker001', 'made = 2 == 2');
    expect(await hits()).toEqual([false, true]);
    // If the cell above uses svc, it may have read other data, even though its value has the same bytes.
    await notebook.edit('maker001', 'made = svc.put({"a": [1]}) is not None');
    expect(await hits()).toEqual([false, false]);
    expect(await hits()).toEqual([true, true]);
    await notebook.edit('maker001', 'made = svc.put({"a": [2]}) is not None');
    expect(await hits()).toEqual([false, false]);
  });
});

/** A cell that prints the status of each route with and without its token, and writes the token to a file. */
const TRIES = `
import os, sys, urllib.error, urllib.request
access = svc._used()._transport
def status(method, path, headers):
    data = None if method == "GET" else b"{}"
    request = urllib.request.Request(access.url + path, data, {"Content-Type": "application/json", **headers}, method=method)
    try:
        return urllib.request.urlopen(request).status
    except urllib.error.HTTPError as error:
        return error.code
token = access._headers["authorization"]
with open("token.txt", "w") as file:
    file.write(token)
for line in open("routes.txt").read().split("\\n"):
    method, path = line.split()
    print(status(method, path, {"Authorization": token}), status(method, path, {}), method, path)
print(any(token[7:] in value for value in os.environ.values()), token, repr(svc))
print(token[7:], file=sys.stderr)
`;
const CLOSED_ROUTES = [
  'GET /v1/notebooks/config',
  'GET /v1/notebooks/sessions',
  'POST /v1/notebooks/open',
  'POST /v1/notebooks/SID/close',
  'PUT /v1/notebooks/SID/cells/works001',
  'PUT /v1/notebooks/SID/env',
  'POST /v1/notebooks/other/artifacts/a/v/1/promote',
  'GET /v1/artifacts',
  'DELETE /v1/names/a',
  'DELETE /v1/names/a/aliases/b',
  'POST /v1/artifacts/gc',
  'POST /v1/artifacts/a/v/1/publish',
  'GET /v1/names/../notebooks/config',
  'GET /v1/names/%2e%2e/notebooks/config',
  'POST /v1/scan',
  'GET /v1/logs',
];

describe('[DP-86] the token of a cell', () => {
  it('opens what the client needs on a server with a launch token, and nothing else', async () => {
    const dir = await writeNotebook(join(root, 'guarded'), {
      cells: [
        {
          id: 'works001',
          source: 'print(svc.resolve("nobody", "none"), len(svc.get(svc.put([1])).bytes()) > 0)',
        },
        { id: 'tries001', source: TRIES },
      ],
    });
    await lendEnvironment(dir);
    const home = join(root, 'home');
    const guarded = await startServerProcess({
      grants: [root],
      args: ['--token'],
      env: { HOME: home, SVC_LOG_LEVEL: 'DEBUG' },
    });
    try {
      const launch = await readFile(join(home, '.svc/run', `token-${guarded.port}`), 'utf8');
      const answers: string[] = [];
      const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
        const answer = await fetch(`${guarded.url}${path}`, {
          method,
          headers: { [LAUNCH_TOKEN_HEADER]: launch.trim(), 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const text = await answer.text();
        answers.push(text);
        return JSON.parse(text) as T;
      };
      const opened = await call<SessionStateBody>('POST', '/v1/notebooks/open', { path: dir });
      const sid = opened.session_id;
      await expect
        .poll(
          async () =>
            (await call<SessionStateBody>('GET', `/v1/notebooks/sessions/${sid}`)).environment.sync_state,
        )
        .not.toBe('pending');
      await writeFile(join(dir, 'routes.txt'), CLOSED_ROUTES.join('\n').replaceAll('SID', sid));
      const works = await call<ExecutionResult>('POST', `/v1/notebooks/${sid}/cells/works001/execute`);
      expect([works.error, works.stdout]).toEqual([null, 'none True\n']);
      const tries = await call<ExecutionResult>('POST', `/v1/notebooks/${sid}/cells/tries001/execute`);
      expect([tries.error, tries.stdout.split('\n').slice(0, -1)]).toEqual([
        null,
        [
          ...CLOSED_ROUTES.map((route) => `403 401 ${route.replaceAll('SID', sid)}`),
          `False Bearer [hidden] <client of ${guarded.url}>`,
        ],
      ]);
      const header = await readFile(join(dir, 'token.txt'), 'utf8');
      expect(header).toMatch(/^Bearer svc_cell_[\w-]{43}$/);
      const status = async (): Promise<number> =>
        (await fetch(`${guarded.url}/v1/names/nobody`, { headers: { authorization: header } })).status;
      expect(await status()).toBe(404);
      for (const fmt of ['ipynb', 'html', 'md', 'zip'])
        answers.push(
          await (
            await fetch(`${guarded.url}/v1/notebooks/${sid}/export?fmt=${fmt}`, {
              headers: { [LAUNCH_TOKEN_HEADER]: launch.trim() },
            })
          ).text(),
        );
      await call('POST', `/v1/notebooks/${sid}/close`);
      expect(await status()).toBe(401);
      const token = header.slice('Bearer '.length);
      const holders = [...answers, guarded.stderr(), guarded.stdout()].filter((text) => text.includes(token));
      for (const entry of await readdir(join(dir, '.svc'), { withFileTypes: true, recursive: true })) {
        const path = join(entry.parentPath, entry.name);
        if (!entry.isFile() || path.includes('/venv')) continue;
        if ((await readFile(path, 'latin1')).includes(token)) holders.push(path);
      }
      expect(holders).toEqual([]);
    } finally {
      await guarded.dispose();
    }
  });
});

describe('[DP-87] svc run', () => {
  it.each<readonly [string, () => Record<string, string>, string]>([
    ['without a server', () => ({}), 'This run has no server'],
    ['with a shared store', () => ({ SVC_NOTEBOOK_REMOTE_STORE_URL: server.url }), 'stored svc://artifact/'],
  ])('%s', async (what, env, says) => {
    const dir = await writeNotebook(join(root, what), {
      cells: [{ id: 'puts0001', source: `print('stored', svc.put([${what.length}], name="shared/data"))` }],
    });
    await lendEnvironment(dir);
    const ran = await svc(['run', dir, '--format', 'json'], { env: env() });
    expect(ran.stdout).toContain(says);
    const name = await rest(server.url, 'GET', '/v1/names/shared/data');
    expect(name.status).toBe(says.startsWith('stored') ? 200 : 404);
  });
});

describe('[DP-88] the package svc-client', () => {
  it.runIf(process.env['SVC_UV'] !== undefined)(
    'installs from its folder, with the source of cells',
    async () => {
      const source = join(PROJECT_ROOT, 'harness/python/svc-client');
      const target = join(root, 'installed');
      // uv contains the build back end, so nothing is downloaded.
      const args = [
        'pip',
        'install',
        '--offline',
        '--no-index',
        '--no-deps',
        '--no-cache',
        '--target',
        target,
      ];
      const python = process.env['CELLAR_TEST_PYTHON'] ?? 'python3';
      await runProgram(process.env['SVC_UV'] ?? 'uv', [...args, '--python', python, source]);
      for (const name of await readdir(join(source, 'src/svc_client'))) {
        if (!name.endsWith('.py')) continue;
        const [installed, given] = [join(target, 'svc_client', name), join(source, 'src/svc_client', name)];
        expect(await readFile(installed, 'utf8')).toBe(await readFile(given, 'utf8'));
      }
      const program =
        'import sys; sys.path.insert(0, sys.argv[1]); from svc_client import Client; print(Client(sys.argv[2]).put([1]))';
      const { stdout } = await runProgram(python, ['-I', '-c', program, target, server.url]);
      expect(stdout).toMatch(/^svc:\/\/artifact\//);
    },
  );
});
