/**
 * The core data plane over HTTP, against the built server: queries, builds, Arrow streams, Iceberg scans and their
 * cache, as a client sees them.
 */

import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rest } from '../support/rest.ts';
import { PROJECT_ROOT, type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

const PYTHON = process.env['CELLAR_TEST_SERVICES'];
const run = promisify(execFile);
const POLL = { timeout: 60_000, interval: 20 };

interface Materialized {
  readonly hit: boolean;
  readonly artifact_uri: string;
  readonly state: string;
  readonly build_id: string | null;
  readonly stream_url: string | null;
}

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-plane-'));
  server = await startServerProcess({
    env: { SVC_CACHE_DIR: join(root, 'cache'), SVC_PER_CLIENT_INTERACTIVE: '0', SVC_PER_CLIENT_BULK: '0' },
  });
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

const post = <T>(path: string, body: unknown, { url } = server) => rest<T>(url, 'POST', path, body);
const pathOf = (uri: string): string => {
  const [, id = '', version = ''] = /^svc:\/\/artifact\/(.+)@v=(\d+)$/.exec(uri) ?? [];
  return `/v1/artifacts/${id}/v/${version}`;
};
const stateOf = async (uri: string, { url } = server): Promise<string> =>
  (await rest<{ state: string }>(url, 'GET', pathOf(uri))).body.state;
const query = (sql: string) => ({ inputs: [], transform: { executor: 'duckdb_sql@v1', params: { sql } } });

describe('transforms', () => {
  it('[DP-50] a query is built, named, read back, and a hit the next time', async () => {
    const body = { ...query('SELECT 42 AS answer'), name: 'team/answer' };
    const { status, body: build } = await post<Materialized>('/v1/artifacts/materialize', body);
    expect([status, build]).toEqual([
      200,
      {
        hit: false,
        state: 'pending',
        build_spec: null,
        stream_id: null,
        stream_url: null,
        artifact_uri: build.artifact_uri,
        build_id: build.build_id,
      },
    ]);
    for (const path of ['/v1/builds/', '/v1/artifacts/builds/']) {
      await expect
        .poll(
          async () => (await rest<{ state: string }>(server.url, 'GET', path + build.build_id)).body.state,
          POLL,
        )
        .toBe('ready');
    }
    const data = await fetch(`${server.url}${pathOf(build.artifact_uri)}/data`);
    expect(
      tableFromIPC(Buffer.from(await data.arrayBuffer()))
        .get(0)
        ?.toJSON(),
    ).toEqual({ answer: 42 });
    const name = await rest<{ artifact_uri: string }>(server.url, 'GET', '/v1/names/team/answer');
    expect(name.body.artifact_uri).toBe(build.artifact_uri);
    expect((await post<Materialized>('/v1/materialize', query('SELECT 42 AS answer'))).body).toMatchObject({
      hit: true,
      state: 'ready',
      artifact_uri: build.artifact_uri,
      build_id: null,
    });
  });

  it.each<readonly [string, string, object, number, unknown]>([
    [
      'an unknown executor',
      '/v1/materialize',
      { inputs: [], transform: { executor: 'x@v1' } },
      400,
      { detail: { error: 'transform_unknown', message: expect.any(String) } },
    ],
    [
      'a scan on the route of transforms',
      '/v1/artifacts/materialize',
      { inputs: ['ns.t'], transform: { executor: 'scan@v1' } },
      400,
      { detail: expect.stringContaining('POST /v1/materialize') },
    ],
    [
      'an unknown mode',
      '/v1/materialize',
      { ...query('SELECT 1'), mode: 'sideways' },
      422,
      expect.anything(),
    ],
    [
      'an invalid name',
      '/v1/materialize',
      { ...query('SELECT 1'), name: '../x' },
      400,
      { detail: expect.stringContaining('not a valid name') },
    ],
    [
      'an unknown artifact',
      '/v1/materialize',
      { ...query('SELECT 1'), inputs: ['svc://artifact/no@v=1'] },
      404,
      { detail: 'Input not found: svc://artifact/no@v=1' },
    ],
    [
      'an integer beyond 2^53 in a field other than the snapshot id',
      '/v1/materialize',
      { inputs: 1 },
      422,
      expect.anything(),
    ],
  ])('[DP-51] %s is refused', async (_what, path, body, status, says) => {
    const answer = await post<unknown>(path, body);
    expect([answer.status, answer.body]).toEqual([status, says]);
  });

  it('[DP-51] an unknown stream and an unknown build are 404', async () => {
    expect((await rest(server.url, 'GET', '/v1/streams/nobody')).status).toBe(404);
    expect((await rest(server.url, 'GET', '/v1/builds/nobody')).status).toBe(404);
  });

  it('[DP-52] a build whose server was killed has failed and leaves no bytes', async () => {
    const first = await startServerProcess({ storageDir: join(root, 'killed') });
    const pending = await post<Materialized>(
      '/v1/materialize',
      query("SELECT a.range, repeat('x', 100) AS text FROM range(30000) a, range(30000) b"),
      first,
    );
    const blobs = join(first.storageDir, '.artifacts/blobs');
    await expect
      .poll(() => readdirSync(blobs).filter((name) => name.startsWith('.incoming')).length, POLL)
      .toBe(1);
    await first.stop('SIGKILL');
    const second = await startServerProcess({ storageDir: join(root, 'killed') });
    try {
      const build = await rest<object>(second.url, 'GET', `/v1/builds/${pending.body.build_id}`);
      // The store opens with the first request that needs it.
      expect(build.body).toMatchObject({ state: 'failed', error_code: 'SERVER_SHUTDOWN' });
      expect(await stateOf(pending.body.artifact_uri, second)).toBe('failed');
      expect(readdirSync(blobs)).toEqual([]);
    } finally {
      await second.stop();
    }
  });
});

describe.skipIf(PYTHON === undefined)('scans', () => {
  const program = join(PROJECT_ROOT, 'e2e/services/plane_tables.py');
  let folder = '';
  let snapshots: readonly string[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cellar-plane-tables-'));
    const { stdout } = await run(PYTHON ?? '', ['-I', program, folder]);
    snapshots = (JSON.parse(stdout) as { snapshots: readonly string[] }).snapshots; // written by that script
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const scan = (params: object, more: object = {}) => ({
    inputs: [`${folder}#ns.orders`],
    transform: { executor: 'scan@v1', params },
    ...more,
  });
  const fetchRows = async (url: string | null) => {
    const response = await fetch(`${server.url}${url}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    return { response, table: tableFromIPC(bytes) };
  };

  it('[DP-53] a stream is Arrow, with headers for the number of rows and the artifact that answers', async () => {
    const { body } = await post<Materialized>('/v1/materialize', scan({ columns: ['id', 'city'] }));
    expect(body.state).toBe('building');
    const { response, table } = await fetchRows(body.stream_url);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/vnd.apache.arrow.stream',
      'x-arrow-row-count': '15',
      'x-svc-artifact-uri': body.artifact_uri,
    });
    expect([table.numRows, table.schema.names]).toEqual([15, ['id', 'city']]);
    const hit = await post<Materialized>('/v1/materialize', scan({ columns: ['id', 'city'] }));
    expect(hit.body).toMatchObject({ hit: true, stream_url: `${pathOf(body.artifact_uri)}/data` });
    expect((await fetchRows(hit.body.stream_url)).table.numRows).toBe(15);
  });

  it('[DP-54] a snapshot id keeps its 63 bits in transit', async () => {
    const [first = ''] = snapshots;
    // pyiceberg picks it at random: about one id in 1,024 is small enough to be exact as a JavaScript number.
    expect(BigInt(first)).toBeGreaterThan(0n);
    // The id is sent as a JSON integer, which JSON.stringify cannot write at this size.
    const text = JSON.stringify(scan({ columns: ['id'], snapshot_id: 'ID' })).replace('"ID"', first);
    const answer = await fetch(`${server.url}/v1/materialize`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: text,
    });
    const body = (await answer.json()) as Materialized;
    expect(answer.status, JSON.stringify(body)).toBe(200);
    expect((await fetchRows(body.stream_url)).table.numRows).toBe(10);
    const { input_versions } = (
      await rest<{ input_versions: Record<string, string> }>(server.url, 'GET', pathOf(body.artifact_uri))
    ).body;
    expect(Object.values(input_versions)).toEqual([`${first}:0`]);
  });

  it('[DP-59] a scan that is not stored returns its rows directly, with a 63-bit snapshot id', async () => {
    const table = `${folder}#ns.orders`;
    const text = JSON.stringify({ table, columns: ['id'], snapshot_id: 'ID' }).replace(
      '"ID"',
      snapshots[0] ?? '',
    );
    const answer = await fetch(`${server.url}/v1/scan`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: text,
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'application/vnd.apache.arrow.stream',
    ]);
    expect(answer.headers.get('x-svc-artifact-uri')).toBeNull();
    expect(tableFromIPC(Buffer.from(await answer.arrayBuffer())).numRows).toBe(10);
    const missing = await post<object>('/v1/scan', { table, columns: ['none'] });
    expect([missing.status, missing.body]).toEqual([400, { detail: expect.stringContaining('none') }]);
  });

  it('[DP-55] a client that leaves does not stop the build of a stored stream', async () => {
    await run(PYTHON ?? '', ['-I', program, folder, 'large']);
    const large = { inputs: [`${folder}#ns.large`], transform: { executor: 'scan@v1', params: {} } };
    const { body } = await post<Materialized>('/v1/materialize', large);
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`GET ${body.stream_url} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    // Wait until a row group is being fetched, or the build has already ended.
    const cache = join(root, 'cache/v4');
    const hasStarted = async (): Promise<boolean> =>
      readdirSync(cache, { recursive: true, encoding: 'utf8' }).some((name) => name.endsWith('.tmp')) ||
      (await stateOf(body.artifact_uri)) === 'ready';
    await expect.poll(hasStarted, { ...POLL, interval: 1 }).toBe(true);
    socket.destroy();
    await expect.poll(() => stateOf(body.artifact_uri), POLL).toBe('ready');
  });

  it('[DP-56] the routes of the cache show what a scan left, and clearing empties it', async () => {
    const get = <T>(path: string) => rest<T>(server.url, 'GET', path);
    await post('/v1/cache/clear', undefined);
    const warm = await post<object>('/v1/cache/warm', { tables: [`${folder}#ns.orders`], columns: ['id'] });
    expect(warm.body).toMatchObject({
      tables_warmed: 1,
      row_groups_cached: 5,
      row_groups_skipped: 0,
      errors: [],
    });
    expect((await get<object>('/v1/cache/stats')).body).toMatchObject({
      total_entries: 5,
      entries_by_table: { 'svc.ns.orders': 5 },
      entries_by_snapshot: { [`svc.ns.orders:${snapshots.at(-1)}`]: 5 },
    });
    expect((await get<{ entries: unknown[] }>('/v1/cache/entries')).body.entries).toHaveLength(5);
    expect((await get<object>('/v1/cache/histogram')).body).toMatchObject({
      lifetime: { hits: 0, misses: 5 },
    });
    const inspected = await get<{ entries: { file_exists: boolean }[] }>('/v1/debug/cache/inspect?limit=2');
    expect(inspected.body).toMatchObject({ cache_version: 'v4', total_matched: 5, truncated: true });
    expect(inspected.body.entries.map(({ file_exists }) => file_exists)).toEqual([true, true]);
    const job = await post<{ job_id: string }>('/v1/cache/warm/async', {
      tables: [`${folder}#ns.orders`],
      columns: ['id'],
    });
    const status = async () =>
      (await get<{ status: string }>(`/v1/cache/warm/jobs/${job.body.job_id}`)).body.status;
    await expect.poll(status, POLL).toBe('completed');
    expect((await rest(server.url, 'DELETE', `/v1/cache/warm/jobs/${job.body.job_id}`)).body).toEqual({
      detail: 'Job not found or already completed',
    });
    const metadata = await get<{ parquet_cache: { size: number } }>('/v1/metadata/stats');
    expect(metadata.body.parquet_cache.size).toBeGreaterThanOrEqual(2);
    expect((await post<object>('/v1/metadata/cleanup', undefined)).body).toEqual({
      status: 'completed',
      stale_entries_removed: 0,
    });
    expect((await post<object>('/v1/cache/clear', undefined)).body).toEqual({ status: 'cleared' });
    expect((await get<object>('/v1/cache/stats')).body).toMatchObject({
      total_entries: 0,
      oldest_entry: null,
    });
    expect((await get<object>('/v1/config/timeouts')).body).toEqual({
      planning: 30,
      scanning: 300,
      fetching: 60,
      s3: { connect: 10, request: 30 },
      qos_queue: { interactive: 10, bulk: 30 },
    });
  });

  it('[DP-57] a build refused because the day’s byte budget is used up is JSON with Retry-After', async () => {
    const busy = await startServerProcess({
      env: { SVC_BUILD_QOS_BYTES_PER_DAY: '1', SVC_CACHE_DIR: join(root, 'busy') },
    });
    try {
      const build = await post<Materialized>('/v1/materialize', scan({}, { mode: 'artifact' }), busy);
      await expect.poll(() => stateOf(build.body.artifact_uri, busy), POLL).toBe('ready');
      const ask = () =>
        fetch(`${busy.url}/v1/materialize`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(scan({ columns: ['id'] }, { mode: 'artifact' })),
        });
      await expect.poll(async () => (await ask()).status, POLL).toBe(429);
      const refused = await ask();
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await refused.json()).toMatchObject({
        error: 'quota_exceeded',
        tenant_id: '_default',
        limit_bytes: 1,
      });
      const listed = await rest<{ artifacts: unknown[] }>(busy.url, 'GET', '/v1/artifacts?state=failed');
      expect(listed.body.artifacts.length).toBeGreaterThan(0);
    } finally {
      await busy.dispose();
    }
  });
});
