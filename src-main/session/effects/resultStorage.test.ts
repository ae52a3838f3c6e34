import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import { type HarnessResult, isOutputFailure } from '../../../src-shared/wire/harness.ts';
import { loadConfig } from '../../config/loadConfig.ts';
import type { Executor } from '../../exec/executor.ts';
import { createFakeExecutor } from '../../exec/testing/fakeExecutor.ts';
import { NO_UNTRACKED_USES } from '../../language/python/untrackedUses.ts';
import { createLogger } from '../../observe/log.ts';
import type { Session } from '../api.ts';
import { createSessions } from '../open/sessions.ts';
import { quietEnvironments } from '../testing/fakeEnvironment.ts';
import { createWorld, toyAnalysis } from '../testing/testWorld.ts';

const CALLER = { kind: 'caller', identity: 'local' } as const;
const DAY = 86_400_000;
const DUE = 60_000;
const { environment } = createWorld({}).state();

describe('the stored results of a notebook', () => {
  let root = '';
  let dir = '';
  let session: Session;
  let shutdown: () => Promise<void>;
  const executor = createFakeExecutor();
  /** Like the fake, but each value is a file, as the store requires. */
  const filing: Executor = {
    ...executor,
    async run(request, options) {
      const outcome = await executor.run(request, options);
      if (outcome.kind !== 'finished') return outcome;
      const variables: HarnessResult['variables'] = {};
      for (const [name, made] of Object.entries(outcome.result.variables)) {
        if (isOutputFailure(made)) continue;
        const file = `${name}.json`;
        await writeFile(join(request.outputDir, file), JSON.stringify(made.preview));
        variables[name] = { ...made, file };
      }
      return { ...outcome, result: { ...outcome.result, variables } };
    },
  };
  const A = cellId('a');
  const CELLS = { a: 'x = 1', b: "print('x')", c: 'z = 5', d: "print('z')" };

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    root = await mkdtemp(join(tmpdir(), 'storage-'));
    dir = join(root, 'notebook');
    await mkdir(join(dir, 'cells'), { recursive: true });
    const blocks = Object.keys(CELLS).map(
      (id, order) =>
        `[[cells]]\nid = "${id}"\nfile = "cells/${id}.py"\nlanguage = "python"\norder = ${order}\n`,
    );
    await writeFile(join(dir, 'notebook.toml'), `notebook_id = "n"\nname = "N"\n\n${blocks.join('\n')}`);
    for (const [id, text] of Object.entries(CELLS)) await writeFile(join(dir, 'cells', `${id}.py`), text);
    const sessions = createSessions({
      roots: [root],
      config: loadConfig({ cwd: root, env: {}, overrides: {} }),
      log: createLogger({ level: 'ERROR', format: 'json', destination: { write: () => undefined } }),
      analyze: toyAnalysis,
      analyzeModule: () => ({
        parsed: false,
        normalized: '',
        moduleNames: [],
        defines: [],
        unseen: NO_UNTRACKED_USES,
      }),
      executor: filing,
      environments: quietEnvironments(environment),
    });
    shutdown = () => sessions.shutdown();
    session = await sessions.open(dir);
    await runAll();
  });
  afterEach(async () => {
    await shutdown();
    vi.useRealTimers();
    await rm(root, { recursive: true, force: true });
  });

  async function runAll(): Promise<void> {
    const reply = await session.dispatch({ type: 'run_all', mode: 'normal', continueOnError: true }, CALLER);
    expect(reply).toMatchObject({ kind: 'ran_all' });
  }
  async function makeX(source: string): Promise<void> {
    await session.dispatch({ type: 'edit_source', cellId: A, source, force: false }, CALLER);
    await runAll();
  }
  const statuses = () => session.views.cells.all().map(({ id, status }) => `${id} ${status}`);
  const versionsOfX = () => session.views.results.ofCell(A)?.results.map(({ version }) => version);
  const reasons = async () =>
    Object.fromEntries(
      Array.from((await session.views.results.storage.plan()).kept, ([why, { results }]) => [why, results]),
    );

  it('[AS-43] current results stay at any age; versions that nothing needs are deleted', async () => {
    for (const source of ['x = 2', 'x = 3']) await makeX(source);
    expect(versionsOfX()).toEqual([3, 2, 1]);
    vi.setSystemTime(Date.now() + 29 * DAY);
    expect(await session.views.results.storage.sweep()).toMatchObject({ results: 0, bytes: 0 });
    vi.setSystemTime(Date.now() + 2 * DAY);
    const before = statuses();
    expect((await session.views.results.storage.sweep()).results).toBeGreaterThanOrEqual(2);
    expect(versionsOfX()).toEqual([3]);
    expect(statuses()).toEqual(before);
    expect(await reasons()).toEqual({ current: 4 });
    const runs = executor.requests.length;
    await makeX('x = 3');
    expect(executor.requests.length).toBe(runs);
    await makeX('x = 1');
    expect(executor.requests.length).toBe(runs + 2);
  });

  it('[AS-43] a restorable deleted cell keeps its results', async () => {
    const cell = cellId('c');
    await session.dispatch({ type: 'delete_cell', cellId: cell }, CALLER);
    vi.setSystemTime(Date.now() + 90 * DAY);
    await session.views.results.storage.sweep({ maxIdleMs: 0, maxBytes: 0 });
    expect(await reasons()).toMatchObject({ restorable: 1 });
    await session.dispatch({ type: 'restore_cell', cellId: cell }, CALLER);
    expect(session.views.cells.one(cell)).toMatchObject({ status: 'ready' });
  });

  it('[AS-44] a sweep waits for no caller and keeps recently used results; while cells run it is refused', async () => {
    await makeX('x = 2');
    expect(await session.views.results.storage.sweep({ maxIdleMs: 0, maxBytes: 0 })).toMatchObject({
      results: 0,
    });
    expect(await reasons()).toMatchObject({ recent: 2 });
    vi.setSystemTime(Date.now() + DAY);
    await session.dispatch(
      { type: 'edit_source', cellId: A, source: 'time.sleep(60)', force: false },
      CALLER,
    );
    const run = session.dispatch({ type: 'run_cell', cellId: A, mode: 'normal', upstream: 'go' }, CALLER);
    await expect(session.views.results.storage.sweep()).rejects.toMatchObject({ code: 'notebook_busy' });
    await session.dispatch({ type: 'cancel_cell', cellId: A }, CALLER);
    await run;
    await session.views.results.storage.sweep({ maxIdleMs: 0 });
    expect(versionsOfX()).not.toContain(1);
  });

  it('[AS-44] sweeps start automatically, a minute after opening and then every hour', async () => {
    await makeX('x = 2');
    vi.setSystemTime(Date.now() + 31 * DAY);
    expect(session.views.results.storage.lastSweep).toBeNull();
    await vi.advanceTimersByTimeAsync(DUE);
    await expect.poll(() => session.views.results.storage.lastSweep?.results ?? 0).toBeGreaterThan(0);
    expect(versionsOfX()).toEqual([2]);
  });

  it('[AS-46] fetched files that no cell names are deleted with age; named ones and the environment stay', async () => {
    const [named, other] = ['a'.repeat(64), 'b'.repeat(64)];
    for (const sha of [named, other]) {
      await mkdir(join(dir, '.svc/fetch', sha), { recursive: true });
      await writeFile(join(dir, '.svc/fetch', sha, 'x.csv'), 'abc');
    }
    await mkdir(join(dir, '.venv'));
    await writeFile(join(dir, '.venv/pyvenv.cfg'), 'home = /usr');
    await makeX(`# @fetch f http://127.0.0.1:9/x.csv sha256=${named}\nx = 1`);
    const groups = async (request = {}) =>
      (await session.views.results.storage.copies(request)).map(({ kind, copies, bytes, spare }) => [
        kind,
        copies,
        bytes,
        spare.length,
      ]);
    // Less than an hour old: a cell may be about to name it again.
    expect(await groups({ maxIdleMs: 0 })).toEqual([
      ['mount', 0, 0, 0],
      ['fetch', 2, 6, 0],
      ['environment', 1, 11, 0],
    ]);
    vi.setSystemTime(Date.now() + 2 * DAY);
    expect(await session.views.results.storage.sweep()).toMatchObject({ copies: 0 });
    expect((await groups({ maxIdleMs: 0 }))[1]).toEqual(['fetch', 2, 6, 1]);
    expect(await session.views.results.storage.sweep({ maxIdleMs: 0 })).toMatchObject({
      copies: 1,
      copyBytes: 3,
    });
    expect(await readdir(join(dir, '.svc/fetch'))).toEqual([named]);
    expect(await readdir(join(dir, '.venv'))).toEqual(['pyvenv.cfg']);
  });
});
