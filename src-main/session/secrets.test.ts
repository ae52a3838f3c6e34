/**
 * Secrets in an open session: values of a (fake) secret manager, masking, settings, trust, and what is never
 * written to the notebook file.
 */

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MASKED } from '../../src-shared/wire/notebookState.ts';
import { loadConfig } from '../config/loadConfig.ts';
import { createFakeExecutor } from '../exec/testing/fakeExecutor.ts';
import { NO_UNTRACKED_USES } from '../language/python/untrackedUses.ts';
import { createLogger } from '../observe/log.ts';
import { createSecretManagers } from '../secrets/secretManagers.ts';
import { FakeProvider } from '../secrets/testing/fakeProvider.ts';
import type { Session, Sessions } from './api.ts';
import { createSessions } from './open/sessions.ts';
import { createTrust, TRUST_ALL } from './open/trust.ts';
import type { SessionRequest } from './state/requests.ts';
import { quietEnvironments } from './testing/fakeEnvironment.ts';
import { createWorld, toyAnalysis } from './testing/testWorld.ts';

const CALLER = { kind: 'caller', identity: 'local' } as const;
const environment = createWorld({}).state().environment;
const MANAGER = '\n[secret_manager]\nprovider = "infisical"\nproject_id = "p"\n';
const REFRESH: SessionRequest = { type: 'refresh_secrets' };

describe('a notebook with a secret manager', () => {
  let root = '';
  let dir = '';
  let sessions: Sessions;
  let manager: FakeProvider;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'session-secrets-'));
    dir = join(root, 'notebook');
    await mkdir(join(dir, 'cells'), { recursive: true });
    manager = new FakeProvider({ DB_URL: 'pg://far-away', API_KEY: 'far-away-key' });
  });
  afterEach(async () => {
    await sessions.shutdown();
    await rm(root, { recursive: true, force: true });
  });

  async function opened(toml: string, trust = TRUST_ALL): Promise<Session> {
    await writeFile(join(dir, 'notebook.toml'), `notebook_id = "n"\nname = "N"\n${toml}`);
    sessions = createSessions({
      roots: [root],
      config: loadConfig({ cwd: root, env: {}, overrides: {} }),
      log: createLogger({ level: 'CRITICAL', format: 'json', destination: { write: () => true } }),
      analyze: toyAnalysis,
      analyzeModule: () => ({
        parsed: false,
        normalized: '',
        moduleNames: [],
        defines: [],
        unseen: NO_UNTRACKED_USES,
      }),
      executor: createFakeExecutor(),
      environments: quietEnvironments(environment),
      secretManagers: createSecretManagers([manager]),
      trust,
    });
    return sessions.open(dir);
  }

  const view = (session: Session) => {
    const { env, env_sources, env_fetch_error, env_fetched_at, secret_manager_config } =
      session.views.notebook.body();
    return { env, env_sources, env_fetch_error, fetched: env_fetched_at !== null, secret_manager_config };
  };
  const CONFIG = { provider: 'infisical', project_id: 'p' };

  it('[SE-5] has its values when it is open, all of them masked', async () => {
    const session = await opened(`[env]\nMODE = "x"\nAPI_KEY = ""\n${MANAGER}`);
    expect(view(session)).toEqual({
      env: { MODE: 'x', API_KEY: MASKED, DB_URL: MASKED },
      env_sources: { MODE: 'manual', API_KEY: 'infisical', DB_URL: 'infisical' },
      env_fetch_error: null,
      fetched: true,
      secret_manager_config: CONFIG,
    });
    expect(session.views.notebook.body().env_fetched_at).toMatch(/^\d{4}-.*Z$/);
    expect(session.views.notebook.redactor().text('my far-away-key at pg://far-away')).toBe(
      'my [hidden] at [hidden]',
    );
  });

  it('[SE-5] opens without them too, with the reason; a refresh fetches them, a later failure keeps them', async () => {
    manager.holds = 'secrets.example returned an error (500). Try again later.';
    const session = await opened(MANAGER);
    expect(view(session)).toMatchObject({ env: {}, env_fetch_error: manager.holds, fetched: false });
    manager.holds = { A: 'value-one' };
    expect(await session.dispatch(REFRESH, CALLER)).toEqual({ kind: 'done' });
    expect(view(session)).toMatchObject({ env: { A: MASKED }, env_fetch_error: null, fetched: true });
    manager.holds = 'It failed.';
    await session.dispatch(REFRESH, CALLER);
    expect(view(session)).toMatchObject({
      env: { A: MASKED },
      env_fetch_error: 'It failed.',
      fetched: true,
    });
    manager.holds = { A: 'value-two', B: 'value-new' };
    await session.dispatch(REFRESH, CALLER);
    // Results still contain previous values, too.
    expect(session.views.notebook.redactor().text('value-one value-two value-new')).toBe(
      '[hidden] [hidden] [hidden]',
    );
  });

  it('[SE-6] changed by a user it is written, fetched again, and removed with its values', async () => {
    const session = await opened('');
    expect(view(session).secret_manager_config).toEqual({});
    const config = { ...CONFIG, environment: 'prod' };
    await session.dispatch({ type: 'change_settings', change: { of: 'secret_manager', config } }, CALLER);
    expect(await readFile(join(dir, 'notebook.toml'), 'utf8')).toContain(
      '[secret_manager]\nprovider = "infisical"\nproject_id = "p"\nenvironment = "prod"\n',
    );
    expect(manager.asked).toEqual([{ projectId: 'p', environment: 'prod', path: '/' }]);
    expect(view(session)).toMatchObject({ env: { DB_URL: MASKED }, secret_manager_config: config });
    // Values of one project are never used for another.
    manager.holds = 'No such project.';
    await session.dispatch(
      { type: 'change_settings', change: { of: 'secret_manager', config: { ...CONFIG, project_id: 'q' } } },
      CALLER,
    );
    expect(view(session)).toMatchObject({ env: {}, env_fetch_error: 'No such project.', fetched: false });
    await session.dispatch(
      { type: 'change_settings', change: { of: 'secret_manager', config: null } },
      CALLER,
    );
    expect(view(session)).toEqual({
      env: {},
      env_sources: {},
      env_fetch_error: null,
      fetched: false,
      secret_manager_config: {},
    });
    expect(await readFile(join(dir, 'notebook.toml'), 'utf8')).not.toContain('secret_manager');
  });

  it('[SE-8] of another host is refused before anything is written or sent', async () => {
    const session = await opened('');
    const config = { ...CONFIG, base_url: 'https://evil.example' };
    const reply = await session.dispatch(
      { type: 'change_settings', change: { of: 'secret_manager', config } },
      CALLER,
    );
    expect(reply).toMatchObject({ kind: 'refused', error: { code: 'bad_request' } });
    expect(await readFile(join(dir, 'notebook.toml'), 'utf8')).not.toContain('evil');
    expect(manager.asked).toEqual([]);
  });

  it('[SE-8] with another host in its file opens, fetches nothing, and reports it', async () => {
    const session = await opened(`${MANAGER}base_url = "https://evil.example"\n`);
    expect(view(session).env_fetch_error).toMatch(/^The address https:\/\/evil\.example\/ is not the one/);
    expect(manager.asked).toEqual([]);
  });

  it('[SE-6] an untrusted notebook fetches nothing, not even on request; a trusted one does', async () => {
    const trust = createTrust({ roots: [], onMade: () => undefined, onRemoved: () => undefined });
    const session = await opened(MANAGER, trust);
    expect(await session.dispatch(REFRESH, CALLER)).toMatchObject({
      kind: 'refused',
      error: { code: 'NOTEBOOK_UNTRUSTED' },
    });
    const config = { ...CONFIG, path: '/app' };
    await session.dispatch({ type: 'change_settings', change: { of: 'secret_manager', config } }, CALLER);
    expect([manager.asked, view(session).env]).toEqual([[], {}]);
    trust.add(dir);
    await sessions.recheckTrust();
    const trusted = sessions.find(session.id) ?? session;
    await expect.poll(() => view(trusted).env).toEqual({ DB_URL: MASKED, API_KEY: MASKED });
  });

  it('[SE-3] variables that a user sets are in memory and masked; their cells show them too', async () => {
    const session = await opened(MANAGER);
    await session.dispatch(
      {
        type: 'change_settings',
        change: { of: 'env', env: { API_KEY: MASKED, MODE: 'y', MY_TOKEN: 'typed-token' } },
      },
      CALLER,
    );
    expect(view(session)).toMatchObject({
      env: { MODE: 'y', MY_TOKEN: MASKED, API_KEY: MASKED, DB_URL: MASKED },
      env_sources: { MODE: 'manual', MY_TOKEN: 'manual', API_KEY: 'infisical', DB_URL: 'infisical' },
    });
    const added = await session.dispatch({ type: 'add_cell', afterId: null, language: 'python' }, CALLER);
    const cellId = added.kind === 'cell' ? added.cellId : null;
    if (cellId === null) throw new Error('no cell was added');
    expect(session.views.cells.one(cellId)?.env).toEqual(view(session).env);
    expect(await readFile(join(dir, 'notebook.toml'), 'utf8')).not.toMatch(/typed-token|far-away/);
  });

  it('[SE-1] a cell lists its own variables, and no text of a connection is sent', async () => {
    const session = await opened(
      `${MANAGER}
[connections.pg]
driver = "postgresql"
auth = { user = "ann", password = "\${PG_PASSWORD}", empty = "" }

[connections.bad]
auth = { password = "in clear text" }

[[cells]]
id = "a"
file = "cells/a.py"
env = { DB_URL = "mine", SECRET_WORD = "hidden", BLANK_KEY = "" }
`,
    );
    const [cell] = session.views.cells.all();
    expect([cell?.env, cell?.env_overrides]).toEqual([
      { DB_URL: 'mine', API_KEY: MASKED, SECRET_WORD: MASKED, BLANK_KEY: '' },
      { DB_URL: 'mine', SECRET_WORD: MASKED, BLANK_KEY: '' },
    ]);
    const { connections, malformed_connections } = session.views.notebook.body();
    expect(connections[0]?.['auth']).toEqual({ user: MASKED, password: `\${PG_PASSWORD}`, empty: '' });
    expect(malformed_connections[0]?.body).toEqual({ auth: { password: MASKED } });
  });
});
