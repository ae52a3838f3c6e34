/**
 * The executor `duckdb_sql@v1` of the data plane: queries over artifacts and Iceberg tables, its sandbox,
 * limits and `explain`.
 */

import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PYTHON } from '../../iceberg/testing/pyiceberg.ts';
import type { PlaneRefusal } from '../planeRefusal.ts';
import {
  openPlaneWorld,
  PERSON,
  type PlaneTables,
  type PlaneWorld,
  writePlaneTables,
} from '../testing/planeWorld.ts';

const SQL = 'duckdb_sql@v1';
const never = new AbortController().signal;

/** Stores data and gives the URI of its version. */
async function putIn({ registry: service }: PlaneWorld, data: unknown): Promise<string> {
  const registry = await service.open();
  const blob = await registry.receiveJson(data);
  const spec = { executor: 'test@v1', params: { data } };
  const { row } = await registry.put({ spec, blob }, PERSON.party);
  return `svc://artifact/${row.id}@v=${row.version}`;
}

describe('duckdb_sql@v1', () => {
  let world: PlaneWorld;
  beforeAll(async () => {
    world = await openPlaneWorld();
  });
  afterAll(() => world.close());
  const run = (sql: string, inputs: readonly string[] = []) => world.materialize(inputs, SQL, { sql });
  const put = (data: unknown): Promise<string> => putIn(world, data);

  it('[DP-16] runs a query over its inputs in their order, once', async () => {
    const [one, two] = [await put({ a: [1, 2, 3] }), await put({ a: [10, 20] })];
    const sql = 'SELECT x.a AS left, y.a AS right FROM input0 x JOIN input1 y ON y.a = x.a * 10 ORDER BY 1';
    const answer = await run(sql, [one, two]);
    expect(answer).toMatchObject({ hit: false, state: 'pending', stream_id: null, stream_url: null });
    expect(await world.ended(answer.build_id)).toMatchObject({ state: 'ready', executorRef: SQL });
    expect(await world.stored(answer.artifact_uri)).toEqual(['left=1; right=10', 'left=2; right=20']);
    expect(await run(sql, [one, two])).toMatchObject({
      hit: true,
      state: 'ready',
      artifact_uri: answer.artifact_uri,
    });
    expect((await run(sql, [two, one])).artifact_uri).not.toBe(answer.artifact_uri);
  });

  it('[DP-17] its provenance is the worked example of the specification', async () => {
    const registry = await world.registry.open();
    const blob = await registry.receiveJson({ a: [1] });
    await registry.importVersion(
      {
        id: 'a',
        version: 1,
        provenanceHash: 'e'.repeat(64),
        createdAt: 1,
        state: 'ready',
        blob,
        schemaJson: null,
        rowCount: 1,
        byteSize: null,
        principal: null,
        transformSpec: null,
        inputVersions: {},
        contentSha256: null,
        contentType: null,
        remap: false,
      },
      PERSON.party,
    );
    const answer = await run('select 1', ['svc://artifact/a@v=1']);
    expect((await world.version(answer.artifact_uri)).provenanceHash).toBe(
      '20706db67c5bb06521f889ecb78767a745844585668e6d24ee97f5e5ac12bf49',
    );
  });

  it.each([
    ['SELECT 1 AS a; SELECT 2', /^The text has 2 statements/],
    ['CREATE TABLE t (a INTEGER)', /^The statement is not a query/],
    ['SELECT $1', /^The query has parameters/],
    ['SELECT * FROM input0', /Table with name input0 does not exist/],
    ['selct', /syntax error/],
    ["SELECT * FROM read_text('/etc/hostname')", /file system operations are disabled/],
    ["SELECT * FROM glob('/etc/*')", /file system operations are disabled/],
    ["SELECT 'x'::INTEGER AS a", /Could not convert string 'x'/],
  ])('[DP-18] %s fails with a sentence', async (sql, says) => {
    const answer = await run(sql);
    const build = await world.ended(answer.build_id);
    expect(build).toMatchObject({ state: 'failed', errorCode: 'BUILD_FAILED' });
    expect(build.errorMessage).toMatch(says);
    expect((await world.version(answer.artifact_uri)).state).toBe('failed');
  });

  it.each([
    ['TIMEOUT', { buildRunnerDefaultTimeout: 0.05 }, 'SELECT count(*) FROM range(1000000000000)'],
    ['OUTPUT_TOO_LARGE', { buildRunnerDefaultMaxOutput: 100_000 }, 'SELECT * FROM range(1000000)'],
  ])('[DP-18] a query over a limit fails with %s', async (errorCode, config, sql) => {
    const other = await openPlaneWorld(config);
    const answer = await other.materialize([], SQL, { sql });
    expect(await other.ended(answer.build_id)).toMatchObject({ state: 'failed', errorCode });
    await other.close();
  });

  it.each([
    ['SVC_BUILD_RUNNER_MAX_CONCURRENT', { buildRunnerMaxConcurrent: 1 }, 'other', 'pending'],
    ['SVC_BUILD_RUNNER_MAX_PER_TENANT', { buildRunnerMaxPerTenant: 1 }, 'acme', 'pending'],
    ['SVC_BUILD_RUNNER_MAX_PER_TENANT', { buildRunnerMaxPerTenant: 1 }, 'other', 'building'],
  ])(
    '[DP-45] queries wait for one another: %s, %j, another query of tenant %s is %s',
    async (_name, config, tenant, state) => {
      const other = await openPlaneWorld(config);
      const of = (name: string) => ({ ...PERSON, party: { tenant: name, principal: null, isAdmin: false } });
      const endless = (from: number) => `SELECT count(*) FROM range(${from}, 1000000000000)`;
      const first = await other.materialize([], SQL, { sql: endless(1) }, { who: of('acme') });
      const second = await other.materialize([], SQL, { sql: endless(2) }, { who: of(tenant) });
      const stateOf = async (buildId: string | null, name: string) =>
        (await other.plane.build(buildId ?? '', of(name).party))?.state;
      await expect.poll(() => stateOf(first.build_id, 'acme'), { timeout: 50_000 }).toBe('building');
      await expect.poll(() => stateOf(second.build_id, tenant), { timeout: 50_000 }).toBe(state);
      await other.plane.close();
      expect(await other.ended(first.build_id, of('acme'))).toMatchObject({ errorCode: 'SERVER_SHUTDOWN' });
      expect(await other.ended(second.build_id, of(tenant))).toMatchObject({ state: 'failed' });
      await other.close();
    },
  );

  it('[DP-18] reaches no network and writes no file', async () => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests += 1;
      response.end('a\n1\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // of TCP
    const target = join(world.dir, 'written.csv');
    for (const sql of [
      `SELECT * FROM 'http://127.0.0.1:${port}/x.csv'`,
      `SELECT * FROM read_csv('http://127.0.0.1:${port}/x.csv')`,
      `COPY (SELECT 1 AS a) TO '${target}'`,
      `ATTACH '${target}' AS other`,
      'SET enable_external_access = true',
      "SELECT * FROM query('INSTALL httpfs')",
    ]) {
      const answer = await run(sql);
      expect((await world.ended(answer.build_id)).state, sql).toBe('failed');
    }
    expect([requests, existsSync(target)]).toEqual([0, false]);
    server.close();
  });

  it.each<readonly [string, readonly string[], Record<string, unknown>, string]>([
    [SQL, [], {}, '400 The parameters of duckdb_sql@v1 are not valid.'],
    [SQL, [], { sql: ' ' }, '400 The parameters of duckdb_sql@v1 are not valid.'],
    [SQL, [], { sql: 'SELECT 1', x: 1 }, '400 The parameters of duckdb_sql@v1 are not valid.'],
    [
      SQL,
      ['svc://artifact/none@v=1'],
      { sql: 'SELECT 1' },
      'not_found Input not found: svc://artifact/none@v=1',
    ],
    [
      SQL,
      ['svc://artifact/none'],
      { sql: 'SELECT 1' },
      'invalid The input svc://artifact/none names no version',
    ],
    [SQL, ['svc://name/none'], { sql: 'SELECT 1' }, 'not_found Input not found: svc://name/none'],
    ['other@v1', [], {}, '400 The executor "other@v1" is not known.'],
  ])('[DP-6] %s of %j with %j is refused', async (executor, inputs, params, says) => {
    const error = (await world
      .materialize(inputs, executor, params)
      .catch((reason: unknown) => reason)) as PlaneRefusal & {
      readonly code?: string;
    }; // or a RegistryError
    expect(`${error.status ?? error.code} ${error.message}`.slice(0, says.length)).toBe(says);
  });

  it('[DP-19] explain reports what would be built and why a name is stale, without building', async () => {
    const registry = await world.registry.open();
    const first = await put({ v: [1] });
    const ref = await world.version(first);
    registry.names.set('raw', ref, PERSON.party);
    const request = {
      inputs: ['svc://name/raw'],
      transform: { executor: SQL, params: { sql: 'SELECT v + 1 AS v FROM input0' } },
      name: 'derived',
    };
    const explain = () => world.plane.explain(request, PERSON, never);
    const versions = registry.stats(null).total_versions;
    expect(await explain()).toEqual({
      would_hit: false,
      artifact_uri: null,
      would_build: true,
      is_stale: false,
      stale_reason: null,
      changed_inputs: [],
      resolved_input_versions: { 'svc://name/raw': `${ref.id}@v=1` },
    });
    expect(registry.stats(null).total_versions).toBe(versions);
    const answer = await world.plane.materialize(
      { ...request, mode: 'artifact', refresh: false },
      PERSON,
      never,
    );
    await world.ended(answer.build_id);
    expect(await explain()).toMatchObject({
      would_hit: true,
      artifact_uri: answer.artifact_uri,
      would_build: false,
    });
    const second = await world.version(await put({ v: [2] }));
    registry.names.set('raw', second, PERSON.party);
    expect(await explain()).toMatchObject({
      would_hit: false,
      is_stale: true,
      stale_reason: '1 input changed',
      changed_inputs: [
        { input_uri: 'svc://name/raw', old_version: `${ref.id}@v=1`, new_version: `${second.id}@v=1` },
      ],
    });
    registry.names.remove('raw', PERSON.party);
    expect((await explain()).resolved_input_versions).toEqual({
      'svc://name/raw': '<error: Input not found: svc://name/raw>',
    });
  });
});

describe.skipIf(PYTHON === undefined)('duckdb_sql@v1 over tables', () => {
  let tables: PlaneTables;
  let world: PlaneWorld;
  beforeAll(async () => {
    tables = await writePlaneTables();
    world = await openPlaneWorld();
  });
  afterAll(async () => {
    await world.close();
    await tables.remove();
  });

  it('[DP-16] reads tables and artifacts together, and again once the table has another snapshot', async () => {
    const cities = await putIn(world, { city: ['Kiel', 'Bonn'], code: [1, 2] });
    const sql =
      'SELECT c.code, count(*) AS n, sum(o.price)::DOUBLE AS total FROM input0 o JOIN input1 c USING (city) GROUP BY 1';
    const inputs = [tables.uri('orders'), cities];
    const answer = await world.materialize(inputs, SQL, { sql });
    expect(await world.ended(answer.build_id)).toMatchObject({ state: 'ready', errorMessage: null });
    expect(await world.stored(answer.artifact_uri)).toEqual([
      'code=1; n=4; total=10.5',
      'code=2; n=4; total=15.5',
    ]);
    await tables.append();
    const next = await world.materialize(inputs, SQL, { sql });
    expect(next).toMatchObject({ hit: false });
    await world.ended(next.build_id);
  });
});
