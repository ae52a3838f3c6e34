/**
 * Tests the secret managers of notebooks on a real server with a fake Infisical: fetched values, refusals, and masking.
 */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  answering,
  type InfisicalStandIn,
  STAND_IN_PROJECT,
  silence,
  startInfisicalStandIn,
} from '../../src-main/secrets/testing/infisicalStandIn.ts';
import type { SessionStateBody } from '../../src-shared/wire/notebookState.ts';
import type { EnvAnswer } from '../../src-shared/wire/routes/secrets.ts';
import { connectLive } from '../support/liveClient.ts';
import type { CellText } from '../support/notebookFolder.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { type Answer, rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { svc } from '../support/svcCommand.ts';

const FETCHED = 'fetched-value-0123456789';
const TYPED = 'typed "quoted" value\\ü';
const MASKED = '__svc_masked__';

let root = '';
let server: ServerProcess;
let standIn: InfisicalStandIn;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-secrets-'));
  standIn = await startInfisicalStandIn({ 'dev /': { FAR_AWAY: FETCHED, MODE: 'far' } });
  server = await begin({ timeoutSeconds: 6 });
});

/** @param timeoutSeconds how long the server waits for the manager */
function begin({ timeoutSeconds }: { readonly timeoutSeconds: number }): Promise<ServerProcess> {
  return startServerProcess({
    grants: [root],
    env: {
      INFISICAL_API_URL: `${standIn.url}/api`,
      INFISICAL_TOKEN: standIn.token,
      SVC_NOTEBOOK_SECRET_TIMEOUT_SECONDS: String(timeoutSeconds),
      SVC_LOG_LEVEL: 'DEBUG',
    },
  });
}

afterAll(async () => {
  await server.dispose();
  await standIn.close();
  await rm(root, { recursive: true, force: true });
});
beforeEach(() => {
  standIn.answer = null;
});

const MANAGER = `[secret_manager]\nprovider = "infisical"\nproject_id = "${STAND_IN_PROJECT}"\n`;

async function notebookOf(
  name: string,
  cells: readonly CellText[],
  toml = MANAGER,
  at = server,
): Promise<OpenNotebook> {
  const dir = await writeReadyNotebook(join(root, name), { cells, toml });
  return openNotebook(at, dir);
}

function put<T = EnvAnswer>(open: OpenNotebook, path: string, body: unknown): Promise<Answer<T>> {
  return rest<T>(server.url, 'PUT', `/v1/notebooks/${open.sid}${path}`, body);
}

const refresh = (open: OpenNotebook, at = server) =>
  rest<EnvAnswer>(at.url, 'POST', `/v1/notebooks/${open.sid}/secret-manager/refresh`);

const READS: CellText = {
  id: 'reads001',
  source: 'import os\nprint(os.environ.get("FAR_AWAY", "none")[::-1], os.environ.get("INFISICAL_TOKEN"))',
};
const backwards = (text: string) => [...text].reverse().join('');

describe('a notebook with a secret manager', () => {
  it('[SE-4] [SE-5] [SE-11] has its secrets when it opens; its cells get them, but not the token', async () => {
    const open = await notebookOf('fetched', [READS]);
    expect(open.opened).toMatchObject({
      env: { FAR_AWAY: MASKED, MODE: MASKED },
      env_sources: { FAR_AWAY: 'infisical', MODE: 'infisical' },
      env_fetch_error: null,
      env_fetched_at: expect.stringMatching(/Z$/),
      secret_manager_config: { provider: 'infisical', project_id: STAND_IN_PROJECT },
    });
    expect((await open.execute('reads001')).stdout).toBe(`${backwards(FETCHED)} None\n`);
    const toml = await readFile(join(open.path, 'notebook.toml'), 'utf8');
    expect(toml).not.toContain(FETCHED);
    await open.close();
  });

  it('[SE-5] a rotated value makes its readers stale, and a run uses it', async () => {
    const open = await notebookOf('rotated', [READS]);
    await open.execute('reads001');
    standIn.holds.set('dev /', { FAR_AWAY: 'rotated-value-9876', MODE: 'far' });
    try {
      const answer = await refresh(open);
      expect(answer.body.cells[0]?.status).not.toBe('ready');
      const ran = await open.execute('reads001');
      expect([ran.cache_hit, ran.stdout]).toEqual([false, `${backwards('rotated-value-9876')} None\n`]);
    } finally {
      standIn.holds.set('dev /', { FAR_AWAY: FETCHED, MODE: 'far' });
    }
    await open.close();
  });

  it('[SE-9] whose manager never answers still opens, runs, and shows the reason', async () => {
    standIn.answer = silence;
    // The shorter timeout is waited out twice; a busy machine may need several requests for an answer within it.
    const brief = await begin({ timeoutSeconds: 1 });
    try {
      const open = await notebookOf('silent', [READS], MANAGER, brief);
      expect(open.opened.env_fetch_error).toMatch(/did not respond within 1 s\.$/);
      expect(open.opened.env_fetched_at).toBe(null);
      expect((await open.execute('reads001')).stdout).toBe('enon None\n');
      const again = await refresh(open, brief);
      expect([again.status, again.body.env_fetch_error]).toEqual([200, open.opened.env_fetch_error]);
      standIn.answer = null;
      await expect
        .poll(async () => (await refresh(open, brief)).body)
        .toMatchObject({ env_fetch_error: null, env: { FAR_AWAY: MASKED } });
      await open.close();
    } finally {
      await brief.dispose();
    }
  });

  it.each([
    ['fails', answering(500, FETCHED), /returned an error \(500\)\. Try again later\.$/],
    [
      'redirects',
      answering(307, '', { location: 'http://127.0.0.1:9/' }),
      /redirects to another address \(307\)\. The token is not sent there\.$/,
    ],
  ] as const)(
    '[SE-9] whose manager %s still opens, runs, and shows the reason',
    async (what, answer, words) => {
      standIn.answer = answer;
      const open = await notebookOf(`broken ${what}`, [READS]);
      expect(open.opened.env_fetch_error).toMatch(words);
      expect(open.opened.env_fetched_at).toBe(null);
      expect((await open.execute('reads001')).stdout).toBe('enon None\n');
      const again = await refresh(open);
      expect([again.status, again.body.env_fetch_error]).toEqual([200, open.opened.env_fetch_error]);
      standIn.answer = null;
      expect((await refresh(open)).body).toMatchObject({ env_fetch_error: null, env: { FAR_AWAY: MASKED } });
      await open.close();
    },
  );

  it('[SE-6] [SE-8] can set its manager, refuses another host, and can remove it', async () => {
    const open = await notebookOf('told', [READS], '');
    const config = { provider: 'infisical', project_id: STAND_IN_PROJECT, environment: ' ', path: null };
    const elsewhere = await put<{ detail: string }>(open, '/secret-manager/config', {
      ...config,
      base_url: 'http://127.0.0.1:9',
    });
    expect([elsewhere.status, elsewhere.body.detail]).toEqual([
      400,
      `The address http://127.0.0.1:9/ is not the one this server is configured for (${standIn.url}). Leave it out, or start the server with that address.`,
    ]);
    const answer = await put(open, '/secret-manager/config', { ...config, base_url: standIn.url });
    expect(answer.body).toMatchObject({
      env: { FAR_AWAY: MASKED },
      secret_manager_config: {
        provider: 'infisical',
        project_id: STAND_IN_PROJECT,
        base_url: standIn.url,
      },
    });
    const removal = await put(open, '/secret-manager/config', {
      provider: null,
      project_id: null,
      environment: null,
      path: null,
      base_url: null,
    });
    expect(removal.body).toMatchObject({ env: {}, env_sources: {}, secret_manager_config: {} });
    await open.close();
  });

  it.each([
    ['an invalid name', { env: { 'a b': 'x' } }],
    ['a value of two lines', { env: { A: 'x\ny' } }],
    ['a value that is a number', { env: { A: 1 } }],
  ])('[SE-3] %s is refused', async (what, body) => {
    const open = await notebookOf(`refused ${what}`, [READS], '');
    expect((await put(open, '/env', body)).status).toBe(422);
    await open.close();
  });
});

/** One cell for each way in which text leaves the server; each text contains both values. */
const LEAKY: readonly CellText[] = [
  {
    id: 'prints01',
    source: `import os, sys, time
far, typed = os.environ["FAR_AWAY"], os.environ["MY_TOKEN"]
for part in far:
    sys.stdout.write(part); sys.stdout.flush(); time.sleep(0.01)
print("|", typed, file=sys.stderr)
print(typed)
kept = [far, {"inside": typed}]`,
  },
  { id: 'shows001', source: 'kept' },
  { id: 'text0001', source: 'f"{far} and {typed}"' },
  { id: 'fails001', source: 'raise ValueError(f"with {far} and {typed!r}")' },
  { id: 'reads002', source: 'len(kept)' },
];

/** The spellings of the secret values that the tests search for: plain, in JSON, in a repr, in ASCII. */
const FORMS = [FETCHED, TYPED, 'quoted\\" value', 'quoted" value\\\\', 'value\\\\\\u00fc', 'value\\\\ü'];
const leaksIn = (text: string) => FORMS.filter((form) => text.includes(form));

async function filesBelow(dir: string): Promise<readonly string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describe('[SE-13] secret values of a notebook', () => {
  it('are not in the command line’s output', async () => {
    const dir = await writeReadyNotebook(join(root, 'headless'), {
      cells: [
        { id: 'prints01', source: 'import os\nprint("got", os.environ["FAR_AWAY"])' },
        { id: 'fails001', source: 'raise ValueError(os.environ["FAR_AWAY"])' },
      ],
      toml: MANAGER,
    });
    const env = { INFISICAL_API_URL: standIn.url, INFISICAL_TOKEN: standIn.token };
    for (const format of ['human', 'json']) {
      const end = await svc(['run', dir, '--format', format], { env });
      expect(end.code).toBe(1);
      expect(leaksIn(end.stdout + end.stderr)).toEqual([]);
      expect(end.stdout).toContain('got [hidden]');
      expect(end.stdout).toContain('ValueError: [hidden]');
    }
  });

  it('are in no error answer', async () => {
    const open = await notebookOf('refusing', LEAKY);
    // The messages of both requests below quote what was sent.
    const wrong = await put(open, '/secret-manager/config', { provider: FETCHED, project_id: 'p' });
    expect([wrong.status, leaksIn(JSON.stringify(wrong.body))]).toEqual([400, []]);
    expect(JSON.stringify(wrong.body)).toContain('[hidden]');
    const mode = await open.get(`/x/cells/prints01/log?stream=${encodeURIComponent(FETCHED)}`);
    expect([mode.status, leaksIn(JSON.stringify(mode.body))]).toEqual([422, []]);
    await open.close();
  });

  it('are in no frame, answer, download or log line; stored results contain them', async () => {
    const open = await notebookOf('leaky', LEAKY);
    const set = await put(open, '/env', { env: { MY_TOKEN: TYPED, FAR_AWAY: MASKED, MODE: 'near' } });
    expect(set.body.env_sources).toEqual({ MY_TOKEN: 'manual', FAR_AWAY: 'infisical', MODE: 'manual' });
    const live = await connectLive(server.url, open.sid, '?extensions=1');
    const texts: string[] = [];
    for (const { id } of LEAKY) texts.push(JSON.stringify(await open.execute(id, 'rerun')));
    const base = `/x/cells/prints01`;
    for (const path of [
      '/cells',
      '/x/variables',
      '/x/log',
      `${base}/log?stream=stdout`,
      `${base}/log?stream=stderr`,
      `${base}/results`,
      `${base}/explain`,
      '/cells/shows001/outputs/0/blob',
      '/cells/text0001/outputs/0/blob',
    ]) {
      const { status, body } = await open.get(path);
      expect([path, status]).toEqual([path, 200]);
      texts.push(typeof body === 'string' ? body : JSON.stringify(body));
    }
    const state = await rest<SessionStateBody>(server.url, 'GET', `/v1/notebooks/sessions/${open.sid}`);
    texts.push(JSON.stringify(state.body), ...live.frames.map((frame) => JSON.stringify(frame)));
    for (const text of [...texts, server.stderr()]) expect(leaksIn(text)).toEqual([]);

    const [first] = state.body.cells;
    expect(first).toMatchObject({
      console_stdout: '[hidden][hidden]\n',
      console_stderr: '| [hidden]\n',
      source: LEAKY[0]?.source,
    });
    const printed = live.frames.flatMap((frame) =>
      frame.type === 'cell_console' && frame.payload.stream === 'stdout' ? [frame.payload.text] : [],
    );
    expect(printed.join('')).toBe('[hidden][hidden]\n');
    expect(state.body.cells.find(({ id }) => id === 'fails001')?.error).toMatch(
      /ValueError: with \[hidden\] and '?\[hidden\]/,
    );
    const files = await filesBelow(join(open.path, '.svc/artifacts'));
    const stored = await Promise.all(files.map((file) => readFile(file, 'latin1')));
    expect(stored.some((bytes) => bytes.includes(FETCHED))).toBe(true);
    await live.close();
    await open.close();
  });
});
