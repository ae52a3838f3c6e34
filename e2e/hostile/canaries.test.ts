/**
 * Tests with secrets of recognizable texts (canaries) that no cell of the built server can read the server's keys, and
 * that no answer, frame, export or stored file reveals a secret that cells print.
 */

import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionStateBody } from '../../src-shared/wire/notebookState.ts';
import { connectLive, type LiveClient } from '../support/liveClient.ts';
import { type CellText, writeNotebook } from '../support/notebookFolder.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { rest } from '../support/rest.ts';
import { ordinaryUser, type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

/** Keys of the server, which no cell may be able to read. */
const KEYS = {
  SVC_AI_API_KEY: 'canary-01-ai-key',
  SVC_NOTEBOOK_CREDENTIALS: '{"store":{"key":"canary-02-credential"}}',
  SVC_PROXY_TOKEN: 'canary-03-proxy-token',
  SVC_NOTEBOOK_REMOTE_STORE_HEADERS: '{"x-key":"canary-04-store-header"}',
  SVC_WORKER_TOKEN: 'canary-05-worker-token',
  SVC_WORKER_CONNECT_TOKEN: 'canary-06-connect-token',
  INFISICAL_TOKEN: 'canary-07-infisical',
  INFISICAL_UNIVERSAL_AUTH_CLIENT_SECRET: 'canary-08-identity',
  SVC_S3_SECRET_KEY: 'canary-09-s3-secret',
  SVC_AZURE_ACCOUNT_KEY: 'canary-10-azure-key',
  SVC_TRANSFORM_SIGNING_SECRET: 'canary-11-signing-secret-of-32-characters',
  SVC_CATALOGS: '{"lake":{"password":"canary-12-catalog"}}',
};
/** Secrets of the notebook: its cells have the first two, and no answer may reveal any of them. */
const TYPED = 'canary-13-typed-variable';
const OPTION = 'canary-14-mount-option';
const AUTH = 'canary-15-connection-auth';
const MODEL = 'canary-16-notebook-ai-key';
const ALL = [
  ...Object.values(KEYS).map((text) => /canary-[\w-]+/.exec(text)?.[0] ?? ''),
  ...[TYPED, OPTION, AUTH, MODEL],
];
/** Variables of the user's own programs, which are passed to cells. */
const PASSES = {
  AWS_ACCESS_KEY_ID: 'mine-aws',
  OPENAI_API_KEY: 'mine-openai',
  UV_CANARY: 'mine-uv',
  MY_PASSWORD: 'mine',
};

/** An allowlist that names keys of the server must not give them to cells. */
const ALLOWED = ['AWS_*', 'OPENAI_API_KEY', 'MY_PASSWORD', 'INFISICAL_*', ...Object.keys(KEYS)].join(',');

/** The canaries that a text contains. */
const inText = (text: string): readonly string[] => ALL.filter((canary) => text.includes(canary));

const SPY = `
import os, re
# In two parts, so that the pattern does not match this source.
pattern = re.compile(rb"canary" + rb"-(?:0[1-9]|1[0-2])-[a-z]")
seen = {}
def look(place, data):
    found = sorted({m.decode() for m in pattern.findall(data)})
    if found:
        seen[place] = found
look("own", "\\n".join(k + "=" + v for k, v in os.environ.items()).encode())
pids = [name for name in os.listdir("/proc") if name.isdigit()] if os.path.isdir("/proc/self") else []
for pid in pids:
    for part in ("environ", "cmdline", "auxv"):
        try:
            with open("/proc/%s/%s" % (pid, part), "rb") as file:
                look(pid + "." + part, file.read())
        except OSError:
            pass
memory = "closed"
parent = os.getppid()
chain = []
while parent > 1:
    chain.append(parent)
    with open("/proc/%d/stat" % parent) as file:
        parent = int(file.read().rsplit(")", 1)[1].split()[1])
server = int(os.environ["SERVER_PID"])
try:
    with open("/proc/%d/mem" % server, "rb") as file:
        memory = "open"
except OSError:
    pass
print(seen, memory, server in chain, [name in os.environ for name in ("AWS_ACCESS_KEY_ID", "OPENAI_API_KEY", "UV_CANARY", "MY_PASSWORD")])
`;
const CELLS: readonly CellText[] = [
  { id: 'spy00001', source: SPY },
  { id: 'print001', source: 'import os\nprint(os.environ["API_TOKEN"])\nshort = 1' },
  { id: 'long0001', source: 'import os\nfor i in range(4000):\n    print(i, os.environ["API_TOKEN"])' },
  { id: 'fails001', source: 'import os\nraise ValueError(os.environ["API_TOKEN"])' },
  {
    id: 'crash001',
    source: 'import os, sys\nprint(os.environ["API_TOKEN"], file=sys.stderr, flush=True)\nos.abort()',
  },
];
const TOML = `
[ai]
api_key = "${MODEL}"
[[mounts]]
name = "lake"
uri = "file://./data"
options = { secret = "${OPTION}", region = "eu" }
[connections.db]
driver = "postgresql"
auth = { password = "${AUTH}" }
`;

let root = '';
let server: ServerProcess;
let open: OpenNotebook;
let live: LiveClient;
const answers: string[] = [];
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-canaries-'));
  await chmod(root, 0o777);
  const storageDir = join(root, 'storage');
  // As an ordinary user, because file permissions do not restrict root.
  server = await startServerProcess({
    storageDir,
    ordinaryUser: true,
    env: { ...KEYS, ...PASSES, SVC_NOTEBOOK_HARNESS_ENV_ALLOWLIST: ALLOWED, SVC_LOG_LEVEL: 'DEBUG' },
  });
  const made = await rest<SessionStateBody>(server.url, 'POST', '/v1/notebooks/create', {
    parent_path: storageDir,
    name: 'spied',
    starter_cell: false,
  });
  await rest(server.url, 'POST', `/v1/notebooks/${made.body.session_id}/close`);
  await rm(join(made.body.path, 'notebook.toml'));
  await writeNotebook(made.body.path, { cells: CELLS, toml: TOML });
  await mkdir(join(made.body.path, 'data'));
  if (ordinaryUser !== null) await chmod(join(made.body.path, 'cells'), 0o777);
  open = await openNotebook(server, made.body.path);
  live = await connectLive(server.url, open.sid, '?extensions=1');
  const env = { API_TOKEN: TYPED, SERVER_PID: String(server.pid) };
  answers.push(JSON.stringify(await rest(server.url, 'PUT', `/v1/notebooks/${open.sid}/env`, { env })));
});
afterAll(async () => {
  await live.close();
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

/** Every file below a folder, except environments and the cache of uv. */
async function filesBelow(dir: string): Promise<readonly string[]> {
  const entries = await readdir(dir, { withFileTypes: true, recursive: true });
  return entries
    .filter(
      (entry) =>
        entry.isFile() && !entry.parentPath.includes('/.venv') && !entry.parentPath.includes('.uv-cache'),
    )
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Files and folders that other users have permission to read, write or enter. */
async function openToOthers(folders: readonly string[]): Promise<readonly string[]> {
  const leaks: string[] = [];
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true });
    for (const path of [folder, ...entries.map((name) => join(folder, name))]) {
      const { mode } = await lstat(path);
      if ((mode & 0o077) !== 0) leaks.push(`${path.slice(root.length)} ${(mode & 0o777).toString(8)}`);
    }
  }
  return leaks;
}

describe.runIf(process.platform === 'linux')('[SG-60] canaries', () => {
  it('[SG-71] no cell can read a key of the server from an environment, command line or memory, but cells get the user’s variables', async () => {
    const ran = await open.execute('spy00001');
    expect(ran.stdout).toBe('{} closed True [True, True, True, True]\n');
    // Other processes cannot read the keys from the server process either.
    for (const part of ['environ', 'cmdline']) {
      expect(inText(await readFile(`/proc/${server.pid}/${part}`, 'latin1')), part).toEqual([]);
    }
  });

  it('[SG-72] [SG-64] [SG-61] no answer, frame, export or stored file reveals a secret that cells print', async () => {
    for (const cell of ['print001', 'long0001', 'fails001', 'crash001']) {
      answers.push(
        JSON.stringify(await rest(server.url, 'POST', `/v1/notebooks/${open.sid}/cells/${cell}/execute`)),
      );
    }
    const paths = [
      ...['', '/cells', '/dag', '/connections', '/workers', '/environment', '/ai/status'],
      ...['/x/mounts', '/x/files', '/x/variables', '/x/storage', '/x/log', '/x/history', '/x/settings'],
      ...CELLS.flatMap(({ id }) => [
        `/x/cells/${id}/log`,
        `/x/cells/${id}/log?stream=stderr`,
        `/x/cells/${id}/history`,
      ]),
      ...['ipynb', 'html', 'py', 'zip', 'md', 'bundle'].map((fmt) => `/export?fmt=${fmt}`),
    ];
    for (const path of paths) {
      const base = path === '' ? '/v1/notebooks/sessions' : '/v1/notebooks';
      const answer = await fetch(`${server.url}${base}/${open.sid}${path}`);
      answers.push(Buffer.from(await answer.arrayBuffer()).toString('latin1'));
    }
    expect(answers.flatMap(inText)).toEqual([]);
    expect(JSON.stringify(live.frames)).toContain('[hidden]');
    expect(inText(JSON.stringify(live.frames))).toEqual([]);
    expect(inText(server.stderr())).toEqual([]);
    await open.close();
    const leaks: [string, readonly string[]][] = [];
    for (const path of await filesBelow(join(root, 'storage'))) {
      const canaries = inText(await readFile(path, 'latin1'));
      if (canaries.length > 0) leaks.push([path.slice(open.path.length), canaries]);
    }
    expect(await openToOthers([join(open.path, '.svc')])).toEqual([]);
    // Secrets that the user wrote into notebook.toml stay there.
    expect(leaks).toEqual([['/notebook.toml', [OPTION, MODEL]]]);
    expect(await readFile(join(open.path, 'notebook.toml'), 'utf8')).toContain(`secret = "${OPTION}"`);
  });

  it('[SG-63] one request moves the credential of a mount out of notebook.toml, and the mount keeps its fields', async () => {
    const again = await openNotebook(server, open.path);
    const moved = await rest<{ credential: string }>(
      server.url,
      'POST',
      `/v1/notebooks/${again.sid}/x/mounts/lake/credential`,
    );
    expect(moved).toMatchObject({
      status: 200,
      body: { credential: 'lake', mounts: [{ name: 'lake', options: { region: 'eu' }, credential: 'lake' }] },
    });
    expect(await readFile(join(open.path, 'notebook.toml'), 'utf8')).not.toContain(OPTION);
    const stored = join(root, 'storage/.artifacts/credentials.json');
    expect(JSON.parse(await readFile(stored, 'utf8'))).toEqual({ lake: { secret: OPTION } });
    expect(await openToOthers([join(open.path, '.svc'), join(root, 'storage/.artifacts')])).toEqual([]);
    await again.close();
  });
});
