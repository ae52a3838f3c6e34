import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { svc } from '../support/svcCommand.ts';

/** Tests the promotion of a result to the server's store, its readers, and `svc artifact` on that store. */

const SECRET = 'a-key-nobody-may-read-5512';

let root = '';
let server: ServerProcess;
let notebook: OpenNotebook;
const base = () => `/v1/notebooks/${notebook.sid}`;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-promotion-'));
  server = await startServerProcess({ grants: [root], env: { SVC_REGISTRY_PROTECTED_ALIASES: 'prod' } });
  notebook = await openNotebook(server, join(root, 'maker'), [
    { id: 'raw', source: 'raw = [3, 1, 2]' },
    { id: 'tidy', source: 'tidy = sorted(raw)' },
    { id: 'shown', source: 'print(tidy)' },
    { id: 'leaky', source: "import os\nleaky = 'x' + os.environ.get('API_KEY', '')" },
    { id: 'leak_shown', source: 'print(len(leaky))' },
  ]);
  await rest(server.url, 'PUT', `${base()}/env`, { env: { API_KEY: SECRET } });
  for (const id of ['raw', 'tidy', 'shown', 'leaky', 'leak_shown']) {
    expect([id, (await notebook.execute(id)).error]).toEqual([id, null]);
  }
});
afterAll(async () => {
  await server?.dispose();
  await rm(root, { recursive: true, force: true });
});

async function pathOf(cell: string): Promise<string> {
  const { artifact_uri } = await notebook.cell(cell);
  const [, id = '', version = ''] = /artifact\/(.+)@v=(\d+)$/.exec(artifact_uri ?? '') ?? [];
  return `artifacts/${id}/v/${version}`;
}

type Body = Record<string, unknown>;
const promote = async (cell: string, body: Body) =>
  rest<Body>(server.url, 'POST', `${base()}/${await pathOf(cell)}/promote`, body);

describe('[RG-18] a promotion', () => {
  it('has a preview of what it exposes', async () => {
    const { body } = await rest<Body>(server.url, 'GET', `${base()}/x/${await pathOf('tidy')}/promotion`);
    expect(body).toMatchObject({
      store: 'local',
      names: [],
      versions: [
        { cell_id: 'raw', variable: 'raw', content_type: 'json/object', has_source: true, has_secret: false },
        { cell_id: 'tidy', variable: 'tidy', has_secret: false },
      ],
    });
  });

  it('copies the result with its inputs, and names it', async () => {
    const first = await promote('tidy', { name: 'team/tidy', alias: 'next', tags: { stage: 'gold' } });
    expect(first).toMatchObject({
      status: 200,
      body: {
        name: 'team/tidy',
        copied: 2,
        alias: 'next',
        alias_pending: false,
        table: null,
        store: 'local',
      },
    });
    const uri = String(first.body['artifact_uri']);
    const again = await promote('tidy', { name: 'team/tidy', alias: 'prod' });
    expect(again.body).toMatchObject({ artifact_uri: uri, copied: 0, alias_pending: true });
    const name = await rest<Body>(server.url, 'GET', '/v1/names/team/tidy');
    expect(name.body).toMatchObject({ artifact_uri: uri });
    const path = `/v1/artifacts/${uri.slice('svc://artifact/'.length).replace('@v=', '/v/')}`;
    const { body: lineage } = await rest<{ nodes: Body[] }>(server.url, 'GET', `${path}/lineage`);
    expect(lineage.nodes.map(({ source }) => source)).toEqual(
      expect.arrayContaining(['tidy = sorted(raw)', 'raw = [3, 1, 2]']),
    );
    expect(await (await fetch(`${server.url}${path}/data`)).text()).toBe('[1, 2, 3]');
    const { body: list } = await notebook.get<{ cells: Record<string, Body[]> }>('/artifacts');
    expect(list.cells['tidy']).toMatchObject([
      { uri, names: ['team/tidy'], tags: { stage: 'gold', nb_cell: 'tidy' } },
    ]);
  });

  it('of a result with a secret is refused, and copies nothing', async () => {
    const { status, body } = await promote('leaky', { name: 'team/leaky' });
    expect([status, String(body['detail'])]).toEqual([400, expect.stringMatching(/contains a secret/)]);
    expect((await rest(server.url, 'GET', '/v1/names/team/leaky')).status).toBe(404);
  });

  it.each<readonly [string, Body, number]>([
    ['a bad name', { name: 'a//b' }, 400],
    ['an alias without a name', { alias: 'next' }, 400],
    ['a table', { name: 'a', table: 'ns.t' }, 400],
    ['an empty name', { name: ' ' }, 422],
  ])('with %s is refused', async (_what, body, status) => {
    expect((await promote('tidy', body)).status).toBe(status);
  });

  it('of an unknown result is 404', async () => {
    for (const path of ['artifacts/nobody/v/1', `${(await pathOf('tidy')).replace(/\d+$/, '99')}`]) {
      expect((await rest(server.url, 'POST', `${base()}/${path}/promote`, {})).status).toBe(404);
    }
  });

  it('is read by @dataset in another notebook', async () => {
    const reader = await openNotebook(server, join(root, 'reader'), [
      { id: 'reads', source: '# @dataset values team/tidy\nprint(sum(values))' },
      { id: 'alias', source: '# @dataset values team/tidy@next\nprint(values[0])' },
      { id: 'none', source: '# @dataset values team/nothing\nprint(values)' },
    ]);
    expect((await reader.execute('reads')).stdout).toBe('6\n');
    expect((await reader.execute('alias')).stdout).toBe('1\n');
    expect((await reader.execute('none')).error).toMatch(/team\/nothing cannot be read/);
  });
});

describe('[RG-19] svc artifact', () => {
  const artifact = (...args: readonly string[]) =>
    svc(['artifact', ...args, '--artifact-dir', join(server.storageDir, '.artifacts'), '--format', 'json']);
  const answerOf = async (...args: readonly string[]): Promise<Body> => {
    const { code, stdout, stderr } = await artifact(...args);
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout) as Body;
  };

  it('reads the store while the server has it open', async () => {
    expect(await answerOf('show', 'team/tidy')).toMatchObject({
      names: ['team/tidy'],
      tags: { stage: 'gold' },
    });
    const { artifacts } = (await answerOf('list')) as { artifacts: Body[] };
    expect(artifacts.length).toBeGreaterThanOrEqual(2);
    expect(await answerOf('pending')).toMatchObject({ pending: [{ name: 'team/tidy', alias: 'prod' }] });
    const file = join(root, 'tidy.json');
    await answerOf('pull', 'team/tidy@next', '--to', file);
    expect(await readFile(file, 'utf8')).toBe('[1, 2, 3]');
  });

  it('archives, verifies and publishes', async () => {
    const zip = join(root, 'tidy.zip');
    await answerOf('archive', 'team/tidy', '--to', zip);
    expect((await readFile(zip)).subarray(0, 2).toString()).toBe('PK');
    expect(await answerOf('verify')).toMatchObject({ problems: [] });
    const { token } = await answerOf('publish', 'team/tidy', '--title', 'Tidy');
    expect((await fetch(`${server.url}/p/${String(token)}`)).status).toBe(200);
    expect(await answerOf('unpublish', String(token))).toMatchObject({ revoked: true });
  });

  it.each([
    ['show with an unknown reference fails with code 1', ['show', 'nobody'], 1],
    ['show without a reference fails with code 2', ['show'], 2],
    ['list with an unknown state fails with code 2', ['list', '--state', 'x'], 2],
    ['pull to an existing file fails with code 2', ['pull', 'team/tidy', '--to', '/'], 2],
  ] as const)('%s', async (_what, args, code) => {
    const end = await artifact(...args);
    expect([end.code, end.stderr]).toEqual([code, expect.stringMatching(/^svc: /)]);
  });
});
