import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import { loadConfig } from '../../config/loadConfig.ts';
import { createFakeExecutor } from '../../exec/testing/fakeExecutor.ts';
import { NO_UNTRACKED_USES } from '../../language/python/untrackedUses.ts';
import { createLogger } from '../../observe/log.ts';
import type { Session } from '../api.ts';
import type { Reply } from '../state/requests.ts';
import { quietEnvironments } from '../testing/fakeEnvironment.ts';
import { createWorld, toyAnalysis } from '../testing/testWorld.ts';
import { createSessions } from './sessions.ts';

const CALLER = { kind: 'caller', identity: 'local' } as const;
const ADD = { type: 'add_cell', afterId: null, language: 'python' } as const;
const environment = createWorld({}).state().environment;

describe('the sessions of a process', () => {
  let root = '';
  let dir = '';
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'sessions-'));
    dir = join(root, 'notebook');
    await mkdir(join(dir, 'cells'), { recursive: true });
    await mkdir(join(dir, '.svc'));
    await writeFile(join(dir, 'notebook.toml'), 'notebook_id = "n"\nname = "N"\n');
  });
  // A session may still write a file while they are removed.
  afterEach(() => rm(root, { recursive: true, force: true, maxRetries: 10 }));

  const logged: string[] = [];
  /** Sessions whose environments open when `ready` resolves, and whose analysis fails on `broken` text. */
  const sessionsOf = (
    ready: Promise<void>,
    broken: { text: string | null } = { text: null },
    env = {},
    alsoListed: readonly string[] = [],
  ) => {
    const environments = quietEnvironments(environment, ready);
    return createSessions({
      roots: [root, ...alsoListed],
      alsoListed,
      openingWaitMs: 20,
      config: loadConfig({ cwd: root, env, overrides: {} }),
      log: createLogger({
        level: 'DEBUG',
        format: 'json',
        destination: { write: (line) => logged.push(line) },
      }),
      analyze: (language, source) => {
        if (source === broken.text) throw new Error('analysis broke');
        return toyAnalysis(language, source);
      },
      analyzeModule: () => ({
        parsed: false,
        normalized: '',
        moduleNames: [],
        defines: [],
        unseen: NO_UNTRACKED_USES,
      }),
      executor: createFakeExecutor(),
      environments,
    });
  };

  it('[WI-403] a session names the damaged records of its notebook, and keeps their files', async () => {
    await writeFile(join(dir, '.svc/runtime.json'), '{');
    await writeFile(join(dir, '.svc/settings.json'), '[]');
    const sessions = sessionsOf(Promise.resolve());
    const session = await sessions.open(dir);
    const { damaged_notice: words } = session.views.notebook.body();
    expect(words).toContain('.svc/runtime.json is damaged');
    expect(words).toContain('It was renamed to settings.json.bad.');
    expect(await readFile(join(dir, '.svc/runtime.json.bad'), 'utf8')).toBe('{');
    await sessions.shutdown();
    const again = sessionsOf(Promise.resolve());
    expect((await again.open(dir)).views.notebook.body().damaged_notice).toBeUndefined();
    await again.shutdown();
  });

  it('[WI-277] notebooks of an earlier folder are listed with those of the folder in use', async () => {
    const earlier = await mkdtemp(join(tmpdir(), 'earlier-'));
    await mkdir(join(earlier, 'old'));
    await writeFile(join(earlier, 'old', 'notebook.toml'), 'notebook_id = "o"\nname = "Old"\n');
    const sessions = sessionsOf(Promise.resolve(), { text: null }, {}, [earlier]);
    const discovered = await sessions.discover();
    expect(discovered.root).toBe(root);
    expect(discovered.notebooks.map(({ name }) => name).sort()).toEqual(['N', 'Old']);
    await sessions.shutdown();
    await rm(earlier, { recursive: true, force: true });
  });

  it('[LP-37] a shutdown does not wait for a notebook that never opens; one that opens later ends immediately', async () => {
    let open: () => void = () => undefined;
    const sessions = sessionsOf(new Promise((resolve) => (open = resolve)));
    const opening = sessions.open(dir);
    const refused = expect(opening).rejects.toMatchObject({ code: 'draining' });
    await expect.poll(() => sessionsLock(dir)).toBe(true);
    await sessions.shutdown();
    expect(sessions.list()).toEqual([]);
    open();
    await refused;
    expect(sessions.list()).toEqual([]);
    expect(await sessionsLock(dir)).toBe(false);
  });

  it('[NF-35] [SG-49] a folder held by a process of another machine opens read-only and names the lock file', async () => {
    const holder = { pid: 7, host: 'another-machine', startedAt: '', processStart: null, token: 'a' };
    await writeFile(join(dir, '.svc/writer.lock'), JSON.stringify(holder));
    const sessions = sessionsOf(Promise.resolve());
    const session = await sessions.open(dir);
    const says = /open in Cellar on another-machine, .*read-only.*\.svc\/writer\.lock/;
    expect(session.views.notebook.body().folder_problem).toMatch(says);
    const caller = { kind: 'caller', identity: 'local' } as const;
    expect(await session.dispatch({ type: 'rename_notebook', name: 'Mine' }, caller)).toMatchObject({
      kind: 'refused',
      error: { code: 'read_only', message: expect.stringMatching(says) },
    });
    expect(JSON.parse(await readFile(join(dir, '.svc/writer.lock'), 'utf8'))).toEqual(holder);
    // Closed there, opening it again is enough.
    await rm(join(dir, '.svc/writer.lock'));
    expect((await sessions.open(dir)).views.notebook.body().folder_problem).toBeUndefined();
    expect(await sessionsLock(dir)).toBe(true);
    await sessions.shutdown();
  });

  it('[LP-51] opening one more than SVC_NOTEBOOK_MAX_SESSIONS closes the one used least recently', async () => {
    const sessions = sessionsOf(Promise.resolve(), undefined, { SVC_NOTEBOOK_MAX_SESSIONS: '2' });
    const folders = ['a', 'b', 'c', 'd'].map((name) => join(root, name));
    for (const folder of folders) {
      await mkdir(join(folder, '.svc'), { recursive: true });
      await mkdir(join(folder, 'cells'));
      await writeFile(join(folder, 'notebook.toml'), `notebook_id = "${folder}"\nname = "N"\n`);
    }
    const [a = '', b = '', c = '', d = ''] = folders;
    const events: string[] = [];
    sessions.onOpened((session) =>
      session.attach({ send: () => undefined, closed: (reason) => events.push(`${session.path} ${reason}`) }),
    );
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      await sessions.open(a);
      vi.advanceTimersByTime(1);
      await sessions.open(b);
      vi.advanceTimersByTime(1);
      await sessions.open(a);
      vi.advanceTimersByTime(1);
      await sessions.open(c);
      expect(events).toEqual([`${b} session_limit`]);
      vi.advanceTimersByTime(1);
      await Promise.all([sessions.open(b), sessions.open(d)]);
      expect(events).toEqual([`${b} session_limit`, `${a} session_limit`, `${c} session_limit`]);
      expect(
        sessions
          .list()
          .map(({ path }) => path)
          .toSorted(),
      ).toEqual([b, d]);
    } finally {
      vi.useRealTimers();
    }
    await sessions.shutdown();
  });

  describe('[RE-67] opened again', () => {
    async function make(id: string): Promise<void> {
      await mkdir(join(dir, 'cells'), { recursive: true });
      await writeFile(join(dir, 'notebook.toml'), `notebook_id = "${id}"\nname = "N"\n`);
    }
    // The session may write files while they are removed.
    const removed = () => rm(dir, { recursive: true, maxRetries: 10 });
    const rows: readonly (readonly [what: string, deed: () => Promise<void>, isAnother: boolean])[] = [
      ['that is unchanged', async () => undefined, false],
      ['away and back', async () => rename(dir, `${dir}-2`).then(() => rename(`${dir}-2`, dir)), false],
      ['its file rewritten', () => make('n'), false],
      ['deleted and made again', () => removed().then(() => make('m')), true],
      ['deleted and brought back', () => removed().then(() => make('n')), true],
    ];
    it.each(rows)('a folder %s', async (_what, deed, isAnother) => {
      const sessions = sessionsOf(Promise.resolve());
      const first = await sessions.open(dir);
      const events: string[] = [];
      first.attach({ send: () => undefined, closed: (reason) => events.push(reason) });
      const added = await first.dispatch(ADD, CALLER);
      if (added.kind !== 'cell') throw new Error(added.kind);
      // The record of runs is about to be written.
      await first.dispatch({ type: 'delete_cell', cellId: added.cellId }, CALLER);
      await deed();
      const [again, twice] = await Promise.all([sessions.open(dir), sessions.open(dir)]);
      expect(twice).toBe(again);
      expect(again.id === first.id).toBe(!isAnother);
      expect(events).toEqual(isAnother ? ['deleted'] : []);
      expect(sessions.list()).toEqual([again]);
      expect(await readFile(join(dir, 'notebook.toml'), 'utf8')).toContain(`"${again.notebookId}"`);
      expect(await sessionsLock(dir)).toBe(true);
      await sessions.shutdown();
      const remembered = await stat(join(dir, '.svc/runtime.json')).catch(() => null);
      expect(remembered === null).toBe(isAnother);
    });
  });

  const broken: { text: string | null } = { text: null };
  const faults: readonly {
    readonly name: string;
    readonly ask: (session: Session) => Promise<Reply>;
    readonly text: string;
  }[] = [
    { name: 'a change of the files', text: '', ask: (session) => session.dispatch(ADD, CALLER) },
    {
      name: 'an event while another is handled',
      text: 'explode',
      ask: (session) =>
        new Promise((resolve, reject) => {
          let isCalled = false;
          session.attach({
            send: () => {
              const [cell] = session.views.cells.all();
              if (isCalled || cell === undefined) return;
              isCalled = true;
              const edit = {
                type: 'edit_source',
                cellId: cellId(cell.id),
                source: 'explode',
                force: false,
              } as const;
              session.dispatch(edit, CALLER).then(resolve, reject);
            },
            closed: () => undefined,
          });
          session.dispatch({ type: 'join' }, { kind: 'socket', socketId: 's', identity: 'a' });
        }),
    },
  ];
  it.each(faults)(
    '[LP-38] a bug in $name is answered to the caller, and the next request works',
    async ({ text, ask }) => {
      broken.text = null;
      const sessions = sessionsOf(Promise.resolve(), broken);
      const session = await sessions.open(dir);
      expect(await session.dispatch(ADD, CALLER)).toMatchObject({ kind: 'cell' });
      broken.text = text;
      await expect(ask(session)).rejects.toThrow('analysis broke');
      broken.text = null;
      expect(await session.dispatch(ADD, CALLER)).toMatchObject({ kind: 'cell' });
      expect(logged.some((line) => line.includes('analysis broke'))).toBe(true);
      await sessions.shutdown();
    },
  );
});

async function sessionsLock(dir: string): Promise<boolean> {
  return (await stat(join(dir, '.svc/writer.lock')).catch(() => null)) !== null;
}
