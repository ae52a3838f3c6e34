/**
 * Tests which cells a change of packages makes stale on the built server: those whose run used a changed package, and
 * no others. Uses real uv and tiny wheels that import each other.
 */

import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createTestIndex,
  indexSettings,
  type TestIndex,
  uvForTests,
} from '../../src-main/environment/testing/testIndex.ts';
import { IS_LONG } from '../support/longRun.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

let root = '';
let index: TestIndex;
let server: ServerProcess;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'cellar-packages-')));
  index = await createTestIndex();
  const optional = 'try:\n    import faster\n    V = "fast"\nexcept ImportError:\n    V = "slow"';
  await index.wheel({ name: 'alpha', version: '1.0', code: optional });
  await index.wheel({ name: 'base', version: '1.0' });
  await index.wheel({ name: 'base', version: '2.0' });
  await index.wheel({
    name: 'beta',
    version: '1.0',
    requires: ['base'],
    code: 'import base\nV = base.VERSION',
  });
  await index.wheel({
    name: 'gamma',
    version: '1.0',
    code: 'def lazy():\n    import alpha\n    return alpha.V',
  });
  await index.wheel({
    name: 'delta',
    version: '1.0',
    code: 'from importlib.metadata import version\nV = version("delta")',
  });
  for (const name of ['faster', 'pear', 'plum']) await index.wheel({ name, version: '1.0' });
  server = await startServerProcess({ grants: [root], env: indexSettings(index) });
});
afterAll(async () => {
  await server.dispose();
  await index.close();
  await rm(root, { recursive: true, force: true });
});

/** [name, code, what it prints with these packages and versions installed]. */
const CELLS: readonly (readonly [string, string, (has: ReadonlyMap<string, string>) => string])[] = [
  ['plain', 'n = 1\nprint(n)', () => '1'],
  ['alpha', 'import alpha\nspeed = alpha.V\nprint(speed)', (has) => (has.has('faster') ? 'fast' : 'slow')],
  ['reader', 'print(speed, n)', (has) => (has.has('faster') ? 'fast 1' : 'slow 1')],
  ['beta', 'import beta\nprint(beta.V)', (has) => has.get('base') ?? ''],
  ['delta', 'import delta\nprint(delta.V)', () => '1.0'],
  ['lazy', 'import gamma\nprint(gamma.lazy())', (has) => (has.has('faster') ? 'fast' : 'slow')],
  [
    'probe',
    'import importlib.util\nprint(importlib.util.find_spec("pear") is not None)',
    (has) => (has.has('pear') ? 'True' : 'False'),
  ],
  [
    'missing',
    'try:\n    import pear\n    print("pear")\nexcept ImportError:\n    print("none")',
    (has) => (has.has('pear') ? 'pear' : 'none'),
  ],
  [
    'metadata',
    'from importlib.metadata import distributions\nprint(*sorted(one.name for one in distributions()))',
    (has) => [...has.keys()].sort().join(' '),
  ],
  [
    'process',
    'import subprocess, sys\nprint(subprocess.run([sys.executable, "-c", "import pear"], capture_output=True).returncode)',
    (has) => (has.has('pear') ? '0' : '1'),
  ],
];
const ids = new Map(CELLS.map(([name], at) => [name, `a000000${at}`]));

/** Cells that depend on the complete lock. */
const WHOLE = ['metadata', 'process'];

/** In order: the package to add or remove, the versions that change, and the cells that must run again. */
const STEPS: readonly {
  readonly ask: string;
  readonly gives: Readonly<Record<string, string | null>>;
  readonly stale: readonly string[];
}[] = [
  { ask: '+plum', gives: { plum: '1.0' }, stale: [] },
  { ask: '+faster', gives: { faster: '1.0' }, stale: ['alpha', 'reader', 'lazy'] },
  { ask: '+base==2.0', gives: { base: '2.0' }, stale: ['beta'] },
  { ask: '+pear', gives: { pear: '1.0' }, stale: ['probe', 'missing'] },
  { ask: '-plum', gives: { plum: null }, stale: [] },
];

function call<T = unknown>({ sid }: OpenNotebook, method: 'POST' | 'DELETE', path: string, body?: unknown) {
  return rest<T>(server.url, method, `/v1/notebooks/${sid}${path}`, body);
}

describe.skipIf(uvForTests() === null || process.platform === 'win32')('a change of the packages', () => {
  test('[SO-301][SO-302] reruns the cells that used it, and answers all others from the store, also after reopening', async () => {
    const cells = CELLS.map(([name, source]) => ({ id: ids.get(name) ?? '', source }));
    let notebook = await openNotebook(server, join(root, 'n'), cells);
    const has = new Map([['base', '1.0']]);
    for (const name of ['alpha', 'base==1.0', 'beta', 'gamma', 'delta']) {
      expect((await call(notebook, 'POST', '/dependencies', { package: name })).status).toBe(200);
      has.set(name.split('=')[0] ?? '', '1.0');
    }
    /** Runs all cells; checks that every result is right and that only the cells `ran` were not cache hits. */
    const play = async (ran: readonly string[]): Promise<void> => {
      const seen: string[] = [];
      for (const [name, , wanted] of CELLS) {
        const result = await notebook.execute(ids.get(name) ?? '');
        expect(result, name).toMatchObject({ status: 'ready', stdout: `${wanted(has)}\n` });
        if (!result.cache_hit) seen.push(name);
      }
      expect(seen).toEqual(CELLS.map(([name]) => name).filter((name) => ran.includes(name)));
    };
    await play(CELLS.map(([name]) => name));
    for (const [step, { ask, gives, stale }] of STEPS.entries()) {
      const name = ask.slice(1);
      const { body } = ask.startsWith('+')
        ? await call<{ stale_cell_ids: string[] }>(notebook, 'POST', '/dependencies', { package: name })
        : await call<{ stale_cell_ids: string[] }>(notebook, 'DELETE', `/dependencies/${name}`);
      for (const [one, version] of Object.entries(gives)) {
        if (version === null) has.delete(one);
        else has.set(one, version);
      }
      const due = [...stale, ...WHOLE];
      expect(body.stale_cell_ids.toSorted(), ask).toEqual(due.map((one) => ids.get(one)).toSorted());
      await play(due);
      // All cells are hits under their new keys. A normal run checks this once, and again after the restart.
      if (IS_LONG || step === 1) await play([]);
    }
    await server.stop();
    server = await startServerProcess({ grants: [root], env: indexSettings(index) });
    notebook = await openNotebook(server, join(root, 'n'));
    await play([]);
  });

  test('[SO-304][SO-305] by another program makes cells stale, and a run first installs the packages of the project files', async () => {
    const source = 'import base\nprint(base.VERSION)';
    const notebook = await openNotebook(server, join(root, 'pulled'), [{ id: 'a0000001', source }]);
    const at = (name: string) => join(notebook.path, name);
    const install = async (name: string) => {
      expect((await call(notebook, 'POST', '/dependencies', { package: name })).status).toBe(200);
      const files = {
        project: await readFile(at('pyproject.toml'), 'utf8'),
        lock: await readFile(at('uv.lock'), 'utf8'),
      };
      return () =>
        Promise.all([writeFile(at('pyproject.toml'), files.project), writeFile(at('uv.lock'), files.lock)]);
    };
    const pullNewer = await install('base==2.0');
    const pullOlder = await install('base==1.0');
    const run = () => notebook.execute('a0000001');
    const now = async () => {
      const { body } = await notebook.get<{ environment: { sync_notice: string | null } }>('/environment');
      const { status, causality } = await notebook.cell('a0000001');
      return { status, cause: causality?.reason ?? null, notice: body.environment.sync_notice };
    };
    expect(await run()).toMatchObject({ status: 'ready', stdout: '1.0\n' });
    // The change is noticed without any request.
    await pullNewer();
    const words = expect.stringMatching(/^Another program changed pyproject\.toml and uv\.lock\. Sync/);
    await expect.poll(now).toEqual({ status: 'idle', cause: 'env', notice: words });
    await pullOlder();
    await expect.poll(now).toEqual({ status: 'ready', cause: null, notice: null });
    // A run that is requested right after the change includes it.
    await pullNewer();
    expect(await run()).toMatchObject({ status: 'ready', stdout: '2.0\n', cache_hit: false });
    expect(await now()).toEqual({ status: 'ready', cause: null, notice: null });
    await pullOlder();
    expect(await run()).toMatchObject({ status: 'ready', stdout: '1.0\n', cache_hit: true });
    // A sync, as offered in the window, includes the change.
    await pullNewer();
    await expect.poll(now).toMatchObject({ cause: 'env', notice: words });
    expect((await call(notebook, 'POST', '/environment/sync')).status).toBe(200);
    expect(await now()).toMatchObject({ notice: null });
    expect(await run()).toMatchObject({ status: 'ready', stdout: '2.0\n', cache_hit: true });
    // An installation that fails is reported, and attempted only once.
    await writeFile(at('uv.lock'), 'no lock');
    expect(await run()).toMatchObject({ status: 'ready', stdout: '2.0\n' });
    expect((await now()).notice).toMatch(/./);
    const jobs = async () =>
      (await notebook.get<{ environment_job_history: unknown[] }>('/environment')).body
        .environment_job_history.length;
    const before = await jobs();
    expect(await run()).toMatchObject({ status: 'ready', stdout: '2.0\n' });
    expect(await jobs()).toBe(before);
  });
});
