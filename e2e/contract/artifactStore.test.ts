import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { tableFromArrays, tableFromIPC, tableToIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

/** Tests the artifact store of a server over REST (docs/spec/core-services.md). */

let server: ServerProcess;
beforeAll(async () => {
  server = await startServerProcess({ env: { SVC_REGISTRY_PROTECTED_ALIASES: 'prod, live' } });
});
afterAll(() => server.dispose());

type Body = Record<string, unknown>;
type Method = 'GET' | 'PUT' | 'POST' | 'DELETE';
const call = (method: Method, path: string, body?: unknown) => rest<Body>(server.url, method, path, body);

interface Stored {
  readonly uri: string;
  readonly id: string;
  readonly version: number;
  readonly path: string;
}

function storedAt(uri: unknown): Stored {
  const [, id = '', version = ''] = /^svc:\/\/artifact\/(.+)@v=(\d+)$/.exec(String(uri)) ?? [];
  return { uri: String(uri), id, version: Number(version), path: `/v1/artifacts/${id}/v/${version}` };
}

async function put(data: unknown, { inputs = [], name }: { inputs?: readonly string[]; name?: string } = {}) {
  const transform = { executor: 'test@v1', params: { data } };
  const { status, body } = await call('PUT', '/v1/artifacts', { inputs, transform, data, name });
  expect(status, JSON.stringify(body)).toBe(200);
  return { ...storedAt(body['artifact_uri']), hit: body['hit'], name_uri: body['name_uri'] };
}

async function send(method: Method, path: string, parts: Readonly<Record<string, unknown>>) {
  const form = new FormData();
  for (const [name, part] of Object.entries(parts)) {
    if (part instanceof Uint8Array) form.append(name, new Blob([new Uint8Array(part)]), `${name}.arrow`);
    else form.append(name, JSON.stringify(part));
  }
  const response = await fetch(`${server.url}${path}`, { method, body: form });
  return { status: response.status, body: (await response.json()) as Body };
}

const arrow = (...a: readonly number[]) => tableToIPC(tableFromArrays({ a: Float64Array.from(a) }), 'stream');
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

describe('[RG-3] stored data', () => {
  it('is stored once per provenance, and read as an Arrow stream', async () => {
    const first = await put({ a: [1, 2], b: ['x', null] });
    const again = await put({ a: [1, 2], b: ['x', null] });
    expect([first.hit, again.hit, again.uri]).toEqual([false, true, first.uri]);
    const response = await fetch(`${server.url}${first.path}/data`);
    expect(response.headers.get('content-type')).toBe('application/vnd.apache.arrow.stream');
    expect(response.headers.get('x-arrow-row-count')).toBe('2');
    const table = tableFromIPC(new Uint8Array(await response.arrayBuffer()));
    expect(table.toArray().map((row) => row.toJSON())).toEqual([
      { a: 1n, b: 'x' },
      { a: 2n, b: null },
    ]);
    const { body } = await call('GET', first.path);
    expect(body).toMatchObject({
      state: 'ready',
      row_count: 2,
      transform_spec: { executor: 'test@v1' },
      arrow_schema: { fields: [{ name: 'a', type: 'Int64' }, { name: 'b' }] },
    });
  });

  it.each([
    ['a list', [1.5, 2], [{ data: 1.5 }, { data: 2 }]],
    ['lists of different lengths', { a: [1], b: [] }, [{ data: '{"a":[1],"b":[]}' }]],
    ['a text', 'x', [{ data: 'x' }]],
    ['objects', [{ a: 1 }], [{ data: '{"a":1}' }]],
  ])('%s becomes a column', async (_name, data, rows) => {
    const { path } = await put(data);
    const bytes = new Uint8Array(await (await fetch(`${server.url}${path}/data`)).arrayBuffer());
    expect(
      tableFromIPC(bytes)
        .toArray()
        .map((row) => row.toJSON()),
    ).toEqual(rows);
  });

  it('has the provenance that the specification defines', async () => {
    const transform = { executor: 'duckdb_sql@v1', params: { sql: 'select 1' } };
    const id = 'a';
    const imported = await send('POST', '/v1/artifacts/import', {
      metadata: { id, version: 1, provenance_hash: sha256('a'), created_at: 1, state: 'ready' },
      data: arrow(1),
    });
    expect(imported.body).toMatchObject({ artifact_uri: 'svc://artifact/a@v=1', written: true });
    const metadata = { inputs: ['svc://artifact/a@v=1'], transform };
    const { body } = await send('PUT', '/v1/artifacts', { metadata, data: arrow(1) });
    const { provenance_hash } = (await call('GET', storedAt(body['artifact_uri']).path)).body;
    expect(provenance_hash).toBe('20706db67c5bb06521f889ecb78767a745844585668e6d24ee97f5e5ac12bf49');
  });

  it.each([
    ['an input without a version', { inputs: ['svc://artifact/a'] }, 400],
    ['an unknown input', { inputs: ['svc://artifact/nothing@v=1'] }, 404],
    ['a table as input', { inputs: ['file:///warehouse#ns.t'] }, 400],
    ['no transform', { transform: undefined }, 422],
    ['no data', { data: undefined }, 422],
  ])('is refused with %s', async (_name, change, status) => {
    const body = { inputs: [], transform: { executor: 'x', params: {} }, data: [1], ...change };
    expect((await call('PUT', '/v1/artifacts', body)).status).toBe(status);
  });

  it.each([
    ['a form without a boundary', { 'content-type': 'multipart/form-data' }, 'x', 400],
    ['an invalid form', { 'content-type': 'multipart/form-data; boundary=b' }, 'x', 400],
    ['no body', { 'content-type': 'application/json' }, undefined, 422],
    ['a body of invalid JSON', { 'content-type': 'application/json' }, '{', 422],
    ['JSON of another shape', { 'content-type': 'application/json' }, '[null]', 422],
  ])('is refused as %s', async (_name, headers, body, status) => {
    for (const method of ['PUT', 'POST']) {
      const response = await fetch(`${server.url}/v1/artifacts`, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
      });
      expect([method, response.status]).toEqual([method, status]);
    }
  });

  it('is refused when it is not an Arrow stream, and leaves no file', async () => {
    const before = await readdir(join(server.storageDir, '.artifacts/blobs'));
    const metadata = { transform: { executor: 'torn@v1', params: {} } };
    const { status, body } = await send('PUT', '/v1/artifacts', {
      metadata,
      data: arrow(1, 2, 3).slice(0, 100),
    });
    expect([status, body['detail']]).toEqual([400, expect.stringContaining('not an Arrow IPC stream')]);
    expect(await readdir(join(server.storageDir, '.artifacts/blobs'))).toEqual(before);
  });
});

describe('[RG-4] artifacts by provenance', () => {
  const hash = sha256('a cell');
  const path = `/v1/artifacts/by-provenance/${hash}`;

  it('a miss is reported in a header; of two writers the first wins', async () => {
    const miss = await fetch(`${server.url}${path}`);
    expect([miss.status, miss.headers.get('x-svc-provenance-miss')]).toEqual([404, '1']);
    const metadata = {
      content_type: 'arrow/ipc',
      variable_name: 'df',
      build_duration_ms: 12.5,
      artifact_id: 'cell/x',
    };
    expect((await send('PUT', path, { metadata, data: arrow(1) })).status).toBe(400);
    const one = await send('PUT', path, { metadata: { ...metadata, artifact_id: 'nb_df' }, data: arrow(1) });
    expect(one.body).toMatchObject({
      artifact_id: 'nb_df',
      version: 1,
      row_count: 1,
      build_duration_ms: 12.5,
    });
    const two = await send('PUT', path, { metadata: { content_type: 'arrow/ipc' }, data: arrow(2) });
    expect(two.body).toEqual(one.body);
    expect((await call('GET', path)).body).toEqual(one.body);
  });

  it.each([
    ['no data', { metadata: { content_type: 'arrow/ipc' } }],
    ['no content type', { metadata: {}, data: arrow(1) }],
    ['no metadata', { data: arrow(1) }],
  ])('a form with %s is refused', async (_name, parts) => {
    const answer = await send('PUT', `/v1/artifacts/by-provenance/${sha256('refused')}`, parts);
    expect(answer.status).toBe(422);
  });
});

describe('[RG-5] imports', () => {
  const bytes = arrow(7, 8);
  const digest = sha256(bytes);
  const metadata = (more: Body = {}) => ({
    id: 'theirs',
    version: 3,
    provenance_hash: sha256('theirs'),
    created_at: 12.5,
    state: 'ready',
    row_count: 2,
    content_sha256: digest,
    transform_spec: '{"executor": "x@v1", "params": {}}',
    ...more,
  });
  const stage = (name: string, body: Uint8Array) =>
    fetch(`${server.url}/v1/artifacts/import/blobs/${name}`, { method: 'PUT', body: new Uint8Array(body) });

  it('accept staged bytes only if they match their digest', async () => {
    expect((await call('POST', '/v1/artifacts/import', metadata())).status).toBe(404);
    expect((await stage(sha256('other'), bytes)).status).toBe(400);
    const staged = await stage(digest, bytes);
    expect([staged.status, await staged.json()]).toEqual([
      201,
      { content_sha256: digest, byte_size: bytes.length },
    ]);
    const first = await call('POST', '/v1/artifacts/import', metadata());
    expect(first.body).toEqual({
      artifact_uri: 'svc://artifact/theirs@v=3',
      id: 'theirs',
      version: 3,
      written: true,
      remapped: false,
    });
    const data = await fetch(`${server.url}/v1/artifacts/theirs/v/3/data`);
    expect(new Uint8Array(await data.arrayBuffer())).toEqual(new Uint8Array(bytes));
  });

  it('write nothing for existing content; different content is a conflict or gets a new id', async () => {
    const same = await send('POST', '/v1/artifacts/import', { metadata: metadata(), data: bytes });
    expect(same.body).toMatchObject({ written: false, remapped: false });
    const other = arrow(9);
    const changed = { metadata: metadata({ content_sha256: sha256(other) }), data: other };
    expect((await send('POST', '/v1/artifacts/import', changed)).status).toBe(409);
    const remapped = await send('POST', '/v1/artifacts/import?remap=true', changed);
    expect(remapped.body).toMatchObject({
      id: expect.stringMatching(/^theirs@import=[0-9a-f]{8}$/),
      remapped: true,
    });
    const wrong = await send('POST', '/v1/artifacts/import', {
      metadata: metadata({ id: 'wrong' }),
      data: other,
    });
    expect(wrong.status).toBe(400);
  });

  it.each(['../up', 'a/b', 'a\\b', ''])('refuse the id %j', async (id) => {
    const answer = await send('POST', '/v1/artifacts/import', { metadata: metadata({ id }), data: bytes });
    expect(answer.status).toBe(400);
  });
});

describe('[RG-6] names and aliases', () => {
  it('point at versions, with slashes; each change is in the audit log in order', async () => {
    const one = await put({ v: [1] }, { name: 'team/report' });
    const two = await put({ v: [2] });
    expect(one.name_uri).toBe('svc://name/team/report');
    const body = { artifact_id: two.id, version: two.version };
    await call('POST', '/v1/names', { ...body, name: 'team/report' });
    expect((await call('GET', '/v1/names/team/report')).body).toMatchObject({ artifact_uri: two.uri });
    const alias = '/v1/names/team/report/aliases/dev';
    expect((await call('PUT', alias, body)).body).toMatchObject({ status: 'applied', artifact_uri: two.uri });
    expect((await call('PUT', alias, body)).body).toMatchObject({ status: 'unchanged' });
    expect((await call('GET', '/v1/names/team/report/aliases')).body['aliases']).toMatchObject([
      { alias: 'dev' },
    ]);
    const { entries } = (await call('GET', '/v1/registry/audit?name=team/report')).body as {
      entries: Body[];
    };
    expect(entries.map(({ action, to_version }) => [action, to_version])).toEqual([
      ['alias_set', two.version],
      ['name_set', two.version],
      ['name_set', one.version],
    ]);
    const { events, next } = (await call('GET', '/v1/events?since=0')).body as {
      events: Body[];
      next: number;
    };
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, at) => at + 1));
    expect(next).toBe(events.length);
    expect((await call('DELETE', '/v1/names/team/report')).body).toEqual({
      status: 'deleted',
      name: 'team/report',
    });
    expect((await call('GET', alias)).status).toBe(404);
  });

  it('a protected alias waits for approval', async () => {
    const { id, version, uri } = await put({ p: [1] }, { name: 'model' });
    const alias = '/v1/names/model/aliases/prod';
    const body = { artifact_id: id, version };
    expect(await call('PUT', alias, body)).toMatchObject({ status: 202, body: { status: 'pending' } });
    expect((await call('GET', alias)).status).toBe(404);
    expect((await call('GET', '/v1/registry/pending')).body['pending']).toMatchObject([
      { name: 'model', action: 'set' },
    ]);
    const decided = { name: 'model', alias: 'prod' };
    const approved = await call('POST', '/v1/registry/pending/approve', decided);
    expect(approved.body).toMatchObject({ status: 'approved', applied: { action: 'set', artifact_id: id } });
    expect((await call('GET', alias)).body).toMatchObject({ artifact_uri: uri, state: 'ready' });
    expect((await call('POST', '/v1/registry/pending/approve', decided)).status).toBe(404);
    expect((await call('DELETE', alias)).status).toBe(202);
    expect((await call('POST', '/v1/registry/pending/reject', decided)).body).toMatchObject({
      status: 'rejected',
    });
    expect((await call('GET', alias)).status).toBe(200);
    const actions = (await call('GET', '/v1/registry/audit?name=model')).body['entries'] as Body[];
    expect(actions.map(({ action }) => action)).toEqual([
      ...[
        'alias_rejected',
        'alias_request_delete',
        'alias_set',
        'alias_approved',
        'alias_request_set',
        'name_set',
      ],
    ]);
  });

  it('a named version is stale when the name of an input moves to another version', async () => {
    const raw = await put({ raw: [1] }, { name: 'raw' });
    const made = await put({ made: [1] }, { inputs: ['svc://name/raw'], name: 'made' });
    const status = () => call('GET', '/v1/artifacts/names/made/status');
    expect((await status()).body).toMatchObject({
      artifact_uri: made.uri,
      is_stale: false,
      changed_inputs: null,
    });
    const next = await put({ raw: [2] }, { name: 'raw' });
    expect((await status()).body).toMatchObject({
      is_stale: true,
      changed_inputs: [
        {
          input_uri: 'svc://name/raw',
          old_version: `${raw.id}@v=1`,
          new_version: `${next.id}@v=1`,
        },
      ],
    });
    await call('DELETE', '/v1/names/raw');
    expect((await status()).body['changed_inputs']).toMatchObject([{ new_version: '<unavailable>' }]);
  });

  it.each([
    ['aliases', 400],
    ['a//b', 400],
    ['../b', 400],
    ['', 400],
  ])('the name %j is refused', async (name, status) => {
    const { id, version } = await put({ n: [1] });
    expect((await call('POST', '/v1/names', { artifact_id: id, version, name })).status).toBe(status);
  });
});

describe('[RG-7] lineage', () => {
  it('lists the inputs of a version, and the dependents of an input', async () => {
    const a = await put({ l: ['a'] });
    const b = await put({ l: ['b'] }, { inputs: [a.uri] });
    const c = await put({ l: ['c'] }, { inputs: [a.uri, b.uri], name: 'leaf' });
    const { body } = await call('GET', `${c.path}/lineage`);
    const { nodes, edges } = body as { nodes: Body[]; edges: Body[] };
    expect(nodes.map(({ uri }) => uri).sort()).toEqual([a.uri, b.uri, c.uri].sort());
    expect(edges).toHaveLength(3);
    expect(body).toMatchObject({ depth: 2, direct_inputs: [a.uri, b.uri].sort() });
    expect((await call('GET', `${c.path}/lineage?max_depth=1`)).body['edges']).toHaveLength(2);
    expect((await call('GET', `${a.path}/dependents?limit=1`)).body).toMatchObject({
      total_count: 2,
      dependents: [{ artifact_id: c.id, name: 'leaf', transform_ref: 'test@v1' }],
    });
    expect((await call('GET', `${c.path}/lineage?max_depth=0`)).status).toBe(422);
  });
});

describe('[RG-8] tags, pins and collection', () => {
  it('a tag can be resolved, a pin protects its version, and unreferenced versions are collected', async () => {
    const pinned = await put({ g: ['kept'] });
    const used = await put({ g: ['used'] });
    const reader = await put({ g: ['reader'] }, { inputs: [used.uri], name: 'reader' });
    const free = await put({ g: ['free'] });
    await call('PUT', `${pinned.path}/tags`, { key: 'stage', value: 'raw' });
    const tagged = await call('GET', '/v1/registry/artifacts?tag_key=stage&tag_value=raw');
    expect(tagged.body['artifacts']).toMatchObject([{ artifact_id: pinned.id, tags: { stage: 'raw' } }]);
    const pin = await call('POST', `${pinned.path}/pin`, { reason: 'paper' });
    expect(pin.body).toMatchObject({
      artifact_id: pinned.id,
      reason: 'paper',
      pinned_at: expect.any(Number),
    });
    // All versions were used just now, so the minimum idle time protects them.
    const query = 'max_idle_days=0&min_idle_seconds=0';
    const dry = await call('POST', `/v1/artifacts/gc?${query}&dry_run=true`);
    expect(dry.body).toMatchObject({ deleted_count: 0, dry_run: true, collected: [] });
    expect((await call('POST', '/v1/artifacts/gc?max_bytes=-1')).status).toBe(400);
    for (const { path } of [pinned, used, reader, free]) expect((await call('GET', path)).status).toBe(200);
    expect((await call('DELETE', `${pinned.path}/pin?reason=other`)).status).toBe(404);
    expect((await call('DELETE', `${pinned.path}/pin?reason=paper`)).body).toMatchObject({ unpinned: true });
    expect((await call('DELETE', free.path)).body).toEqual({ deleted: true, artifact_uri: free.uri });
    expect((await call('GET', `${free.path}/data`)).status).toBe(404);
  });

  it('the list is filtered, sorted and paged, and the usage has its totals', async () => {
    const { body } = await call('GET', '/v1/artifacts?name_prefix=rea&state=ready&sort=byte_size&order=desc');
    expect(body).toMatchObject({ limit: 100, offset: 0, artifacts: [{ state: 'ready' }] });
    expect((await call('GET', `/v1/artifacts?since=${Date.now() / 1000 + 60}`)).body['artifacts']).toEqual(
      [],
    );
    expect(
      (await call('GET', '/v1/artifacts?since=2020-01-01T00:00:00Z&limit=2')).body['artifacts'],
    ).toHaveLength(2);
    expect((await call('GET', '/v1/artifacts?since=soon')).status).toBe(400);
    expect((await call('GET', '/v1/artifacts?limit=0')).status).toBe(422);
    const usage = (await call('GET', '/v1/artifacts/usage')).body;
    const stats = (await call('GET', '/v1/artifacts/stats')).body;
    expect(usage).toMatchObject(stats);
    expect(stats['ready_versions']).toBeGreaterThan(5);
  });
});

it('[RE-66] a client that disconnects in the middle of a body causes no error in the log', async () => {
  const head =
    'PUT /v1/artifacts HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 99';
  for (let i = 0; i < 20; i += 1) {
    const socket = connect(server.port, '127.0.0.1');
    await new Promise<void>((resolve) => socket.write(`${head}\r\n\r\n{"inputs"`, () => resolve()));
    // Once the server answers another request, it has started to read the body.
    expect((await call('GET', '/health')).status).toBe(200);
    socket.destroy();
  }
  await expect.poll(async () => (await call('GET', '/health')).status).toBe(200);
  expect(server.stderr()).not.toContain('request failed');
});
