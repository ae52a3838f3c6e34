/**
 * The executor `scan@v1` of the data plane on tables that pyiceberg wrote: streams, builds, hits, refusals,
 * limits and restarts.
 */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { tableFromIPC } from 'apache-arrow';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSilentServer } from '../../e2e/support/silentServer.ts';
import { PYTHON } from '../iceberg/testing/pyiceberg.ts';
import { PlaneRefusal } from './planeRefusal.ts';
import {
  openPlaneWorld,
  PERSON,
  type PlaneWorld,
  type SharedTables,
  sharedPlaneTables,
} from './testing/planeWorld.ts';

const OVER_12 = { columns: ['id'], filters: [{ column: 'id', op: '>', value: 12 }] };

describe.skipIf(PYTHON === undefined)('scans', () => {
  let tables: SharedTables;
  let world: PlaneWorld;
  beforeAll(async () => {
    tables = await sharedPlaneTables();
    world = await openPlaneWorld();
  });
  afterAll(async () => {
    await world.close();
  });
  const scan = (params: object, more: Parameters<PlaneWorld['materialize']>[3] = {}, where = world) =>
    where.materialize([tables.uri('orders')], 'scan@v1', params as Record<string, unknown>, more);

  it('[DP-1] a miss promises a stream, the stream builds the artifact, and the next request is a hit', async () => {
    const miss = await scan(OVER_12);
    const id = /^svc:\/\/artifact\/(.+)@v=1$/.exec(miss.artifact_uri ?? '')?.[1];
    expect(miss).toEqual({
      hit: false,
      state: 'building',
      build_spec: null,
      build_id: null,
      artifact_uri: miss.artifact_uri,
      stream_id: id,
      stream_url: `/v1/streams/${id}`,
    });
    expect((await world.version(miss.artifact_uri)).state).toBe('building');
    expect(await world.rows(miss.stream_id)).toEqual(['id=13', 'id=14']);
    expect(await world.version(miss.artifact_uri)).toMatchObject({ state: 'ready', rowCount: 2 });
    expect(await scan(OVER_12)).toEqual({
      hit: true,
      state: 'ready',
      build_spec: null,
      build_id: null,
      stream_id: null,
      artifact_uri: miss.artifact_uri,
      stream_url: `/v1/artifacts/${id}/v/1/data`,
    });
    expect(await scan(OVER_12, { mode: 'artifact' })).toMatchObject({ hit: true, stream_url: null });
    // It may be fetched again, under its own address any number of times.
    expect(await world.rows(miss.stream_id)).toEqual(['id=13', 'id=14']);
  });

  it('[DP-2] mode artifact builds immediately and names the build', async () => {
    const answer = await scan({ columns: ['city'] }, { mode: 'artifact', name: 'team/cities' });
    expect(answer).toMatchObject({ hit: false, state: 'pending', stream_id: null, stream_url: null });
    expect(await world.ended(answer.build_id)).toMatchObject({
      state: 'ready',
      executorRef: 'scan@v1',
      errorCode: null,
    });
    expect(await world.stored(answer.artifact_uri)).toHaveLength(15);
    const registry = await world.registry.open();
    const { artifact_id } = registry.names.get('team/cities', PERSON.party);
    expect(answer.artifact_uri).toContain(artifact_id);
    const { nodes, edges } = registry.lineage(await world.version(answer.artifact_uri), 10, PERSON.party);
    expect(nodes.map(({ type }) => type)).toEqual(['artifact', 'table']);
    expect(edges[0]).toMatchObject({
      from_uri: tables.uri('orders'),
      input_version: `${tables.snapshots.at(-1)}:0`,
    });
  });

  it('[DP-3] refresh builds the next version of the same artifact under a new stream id', async () => {
    const first = await scan({ columns: ['price'] }, { mode: 'artifact' });
    await world.ended(first.build_id);
    const again = await scan({ columns: ['price'] }, { refresh: true });
    expect(again.artifact_uri).toBe(first.artifact_uri?.replace('@v=1', '@v=2'));
    expect(first.artifact_uri).not.toContain(again.stream_id);
    expect(await world.rows(again.stream_id)).toHaveLength(15);
    expect((await world.version(first.artifact_uri)).state).toBe('superseded');
    expect((await world.version(again.artifact_uri)).state).toBe('ready');
  });

  it('[DP-4] the exact snapshot id is part of the identity of a scan', async () => {
    const [first = '', last = ''] = tables.snapshots;
    const old = await scan({ snapshot_id: BigInt(first), columns: ['id'] });
    expect(await world.rows(old.stream_id)).toHaveLength(10);
    const current = await scan({ snapshot_id: BigInt(last), columns: ['id'] });
    expect(await world.rows(current.stream_id)).toHaveLength(15);
    expect((await scan({ columns: ['id'] })).artifact_uri).toBe(current.artifact_uri);
  });

  it('[DP-5] an artifact of another program is scanned again if it was stored with filters, and used otherwise', async () => {
    const registry = await world.registry.open();
    const foreign = async (params: object): Promise<string | null> => {
      // Finds the hash by a build that is never fetched.
      const probe = await scan(params);
      const { provenanceHash } = await world.version(probe.artifact_uri);
      const other = await openPlaneWorld();
      const blob = await (await other.registry.open()).receiveJson({ id: [1, 2, 3] });
      const store = await other.registry.open();
      await store.putByProvenance(
        {
          provenanceHash,
          contentType: 'arrow/ipc',
          details: {},
          artifactId: null,
          rowCount: 3,
          schemaJson: null,
          blob,
        },
        PERSON.party,
      );
      const answer = await scan(params, {}, other);
      const rows = answer.hit ? await other.stored(answer.artifact_uri) : await other.rows(answer.stream_id);
      const replaced = store.readyByProvenance(provenanceHash, PERSON.party);
      await other.close();
      return `${answer.hit} ${rows.length} rows, version ${replaced?.version} of ${replaced?.rowCount}`;
    };
    expect(registry).toBeDefined();
    const filters = [{ column: 'id', op: '<', value: 1 }];
    expect(await foreign({ columns: ['id'], filters })).toBe('false 1 rows, version 2 of 1');
    expect(await foreign({ columns: ['id', 'price'] })).toBe('true 3 rows, version 1 of 3');
  });

  const refused: readonly (readonly [what: string, inputs: () => string[], params: object, says: string])[] =
    [
      ['no input', () => [], {}, '400 scan@v1 reads exactly one table, but the request names 0 inputs.'],
      ['two inputs', () => ['ns.a', 'ns.b'], {}, '400 scan@v1 reads exactly one table'],
      ['an artifact', () => ['svc://artifact/a@v=1'], {}, '400 scan@v1 reads a table'],
      [
        'a URI without a table',
        () => [`${tables.folder}#orders`],
        {},
        "400 Invalid table_id 'orders': expected 'namespace.table' format",
      ],
      ['an unknown table', () => [tables.uri('none')], {}, '404 The catalog has no table ns.none.'],
      [
        'an unknown folder',
        () => ['/nowhere/at/all#ns.t'],
        {},
        '404 There is no warehouse folder /nowhere/at/all.',
      ],
      ['an unknown catalog', () => ['nobody:ns.t'], {}, '404 There is no catalog "nobody".'],
      [
        'a bucket without a catalog',
        () => ['s3://lake/wh#ns.t'],
        {},
        '400 The warehouse s3://lake/wh is in object storage',
      ],
      [
        'an unknown snapshot',
        () => [tables.uri('orders')],
        { snapshot_id: 7 },
        '404 The table has no snapshot 7.',
      ],
      [
        'an unknown column',
        () => [tables.uri('orders')],
        { columns: ['nope'] },
        '400 The table has no column "nope".',
      ],
      [
        'no column',
        () => [tables.uri('orders')],
        { columns: [] },
        '400 The parameters of scan@v1 are not valid (params.columns',
      ],
      [
        'an unknown operator',
        () => [tables.uri('orders')],
        { filters: [{ column: 'id', op: 'in', value: 1 }] },
        '400 The parameters of scan@v1',
      ],
      [
        'a value of another type',
        () => [tables.uri('orders')],
        { filters: [{ column: 'id', op: '=', value: 'x' }] },
        '400 The filter on "id"',
      ],
      [
        'an unknown parameter',
        () => [tables.uri('orders')],
        { colums: ['id'] },
        '400 The parameters of scan@v1',
      ],
      [
        'a snapshot that is not a number',
        () => [tables.uri('orders')],
        { snapshot_id: '7' },
        '400 The parameters of scan@v1',
      ],
    ];
  it.each(refused)('[DP-6] %s is refused', async (_what, inputs, params, says) => {
    const error = await world.materialize(inputs(), 'scan@v1', params as Record<string, unknown>).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(PlaneRefusal);
    const { status, message } = error as PlaneRefusal; // just checked
    expect(`${status} ${message}`.slice(0, says.length)).toBe(says);
  });

  it('[DP-7] a table without a snapshot is scanned each time', async () => {
    const empty = () => world.materialize([tables.uri('empty')], 'scan@v1', {});
    const [one, two] = [await empty(), await empty()];
    expect(await world.rows(one.stream_id)).toEqual([]);
    expect(one.artifact_uri).not.toBe(two.artifact_uri);
    const { inputVersions } = await world.version(one.artifact_uri);
    expect(Object.values(inputVersions)[0]).toMatch(/^empty:[0-9a-f-]{36}:0$/);
  });

  it('[DP-8] concurrent requests for one scan build it once, in any order and mode', async () => {
    let round = 0;
    const request = fc.record({
      which: fc.integer({ min: 0, max: 2 }),
      mode: fc.constantFrom('stream' as const, 'artifact' as const),
      waits: fc.integer({ min: 0, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 2, maxLength: 8 }), async (requests) => {
        round += 1;
        const before = (await world.registry.open()).stats(null).total_versions;
        const uris = await Promise.all(
          requests.map(async ({ which, mode, waits }) => {
            for (let i = 0; i < waits; i += 1) await new Promise((resolve) => setImmediate(resolve));
            // Filters that no other round has.
            const filters = [{ column: 'price', op: '>=', value: which + round / 1000 }];
            const answer = await scan({ filters }, { mode });
            const uri = answer.artifact_uri ?? '';
            if (answer.stream_id !== null) await world.rows(answer.stream_id);
            else if (answer.build_id !== null) await world.ended(answer.build_id);
            return [which, uri] as const;
          }),
        );
        const distinct = new Set(requests.map(({ which }) => which)).size;
        expect(new Set(uris.map(([which, uri]) => `${which} ${uri}`)).size).toBe(distinct);
        const after = (await world.registry.open()).stats(null);
        expect(after.total_versions - before).toBe(distinct);
      }),
      { numRuns: 12 },
    );
  });

  it('[DP-9] limits: files to read, bytes, and the time of a plan', async () => {
    const limited = async (config: Parameters<typeof openPlaneWorld>[0]) => {
      const other = await openPlaneWorld(config);
      const answer = await scan({}, {}, other).then(
        () => 'passed',
        (error: PlaneRefusal) => `${error.status} ${error.message}`,
      );
      await other.close();
      return answer;
    };
    expect(await limited({ maxTasksPerScan: 4 })).toMatch(
      /^400 The scan reads 5 row groups, more than the limit of 4/,
    );
    expect(await limited({ maxTasksPerScan: 5 })).toBe('passed');
    expect(await limited({ maxResponseBytes: 100 })).toMatch(/^413 The scan reads about \d+ bytes/);
  });

  it('[DP-44] settings limit the rows of a batch and the time of a fetch', async () => {
    const batchesOf = async (config: Parameters<typeof openPlaneWorld>[0]) => {
      const other = await openPlaneWorld(config);
      const { stream_id } = await scan({ columns: ['id'] }, {}, other);
      const stream = await other.plane
        .stream(stream_id ?? '', PERSON)
        .catch((error: PlaneRefusal) => error.message);
      const answer =
        typeof stream === 'string'
          ? stream
          : stream.kind === 'stored' &&
            tableFromIPC(readFileSync(stream.path)).batches.map(({ numRows }) => numRows);
      await other.close();
      return answer;
    };
    expect((await batchesOf({})) || []).toHaveLength(5);
    expect((await batchesOf({ batchSize: 2 })) || []).toHaveLength(8);
    expect(await batchesOf({ fetchTimeoutSeconds: 1e-6 })).toMatch(/^Fetching .* took longer than/);
  });

  it('[DP-9] a catalog that does not answer ends the plan in time', async () => {
    const silent = await startSilentServer();
    const other = await openPlaneWorld({
      planTimeoutSeconds: 0.05,
      catalogs: { slow: { type: 'rest', uri: silent.url } },
    });
    await expect(other.materialize(['slow:ns.t'], 'scan@v1', {})).rejects.toMatchObject({
      status: 504,
      message: expect.stringMatching(/^Planning the scan took longer than 0.05 seconds/),
    });
    await other.close();
    silent.close();
  });

  it('[DP-10] a build that fails leaves a failed version with the reason, and the next request retries it', async () => {
    const other = await openPlaneWorld({ scanTimeoutSeconds: 1e-6 });
    const answer = await scan({ columns: ['id'] }, {}, other);
    await expect(other.rows(answer.stream_id)).rejects.toMatchObject({
      status: 500,
      body: { error: 'scan_build_failed', detail: expect.stringContaining('took longer than') },
    });
    expect((await other.version(answer.artifact_uri)).state).toBe('failed');
    const again = await scan({ columns: ['id'] }, { mode: 'artifact' }, other);
    expect(again.artifact_uri).not.toBe(answer.artifact_uri);
    expect(await other.ended(again.build_id)).toMatchObject({ state: 'failed', errorCode: 'TIMEOUT' });
    await other.close();
  });

  it('[DP-11] a stream that no client fetches in time is unknown, and its version failed', async () => {
    const other = await openPlaneWorld({ streamStateTtlSeconds: 0.05 });
    const answer = await scan({ columns: ['id'] }, {}, other);
    await expect
      .poll(async () => (await other.version(answer.artifact_uri)).state, { timeout: 60_000, interval: 10 })
      .toBe('failed');
    await expect(other.rows(answer.stream_id)).rejects.toMatchObject({ status: 404 });
    await other.close();
  });

  it('[DP-12] a stream belongs to its client', async () => {
    const as = (principal: string, isAdmin = false) => ({
      ...PERSON,
      party: { tenant: 'acme', principal, isAdmin },
    });
    const params = { columns: ['id'], filters: [{ column: 'id', op: '<', value: 3 }] };
    const answer = await scan(params, { who: as('ann') });
    await expect(world.rows(answer.stream_id, as('bob'))).rejects.toMatchObject({ status: 404 });
    await expect(world.rows(randomUUID(), as('ann'))).rejects.toMatchObject({ status: 404 });
    // The same build under a stream id of its own.
    const shared = await scan(params, { who: as('bob') });
    expect([shared.artifact_uri, shared.stream_id === answer.stream_id]).toEqual([
      answer.artifact_uri,
      false,
    ]);
    expect(await world.rows(shared.stream_id, as('bob'))).toHaveLength(3);
    expect(await world.rows(answer.stream_id, as('root', true))).toHaveLength(3);
    expect(await world.plane.build('none', as('ann').party)).toBeNull();
  });

  it('[DP-46] a stream of another server that shares the store is redirected to that server', async () => {
    const one = await openPlaneWorld({ nodeAdvertisedUrl: 'http://127.0.0.1:1' });
    const two = await openPlaneWorld({ nodeAdvertisedUrl: 'http://127.0.0.1:2' }, { dir: one.dir });
    const alone = await openPlaneWorld({}, { dir: one.dir });
    const { stream_id } = await scan({ columns: ['id'] }, {}, one);
    await expect(two.rows(stream_id)).rejects.toMatchObject({
      status: 307,
      location: `http://127.0.0.1:1/v1/streams/${stream_id}`,
    });
    await expect(alone.rows(stream_id)).rejects.toMatchObject({ status: 404 });
    await expect(two.rows('nobody')).rejects.toMatchObject({ status: 404 });
    expect(await one.rows(stream_id)).toHaveLength(15);
    for (const world of [alone, two, one]) await world.close();
  });

  it('[DP-13] without a store the rows pass through, once, and nothing else works', async () => {
    const other = await openPlaneWorld({}, { hasStore: false });
    const answer = await scan(OVER_12, {}, other);
    expect(answer).toMatchObject({ hit: false, state: 'building', artifact_uri: null });
    expect(await other.rows(answer.stream_id)).toEqual(['id=13', 'id=14']);
    await expect(other.rows(answer.stream_id)).rejects.toMatchObject({ status: 404 });
    await expect(scan(OVER_12, { mode: 'artifact' }, other)).rejects.toMatchObject({ status: 400 });
    await other.close();
  });

  it('[DP-14] closing fails waiting builds, and refuses new work', async () => {
    const other = await openPlaneWorld();
    const answer = await scan({ columns: ['id'] }, {}, other);
    await other.plane.close();
    expect((await other.version(answer.artifact_uri)).state).toBe('failed');
    await expect(scan({}, {}, other)).rejects.toMatchObject({
      status: 503,
      message: 'Server is shutting down. Not accepting new requests.',
    });
    await other.close();
  });

  it('[DP-15] a killed server leaves no version pending permanently, and no part of one', async () => {
    const other = await openPlaneWorld();
    const registry = await other.registry.open();
    const spec = { executor: 'scan@v1', inputs: ['ns.t'], params: {} };
    const request = {
      provenanceHash: 'f'.repeat(64),
      spec,
      inputVersions: {},
      name: null,
      id: null,
      executorUrl: null,
    };
    const { row, buildId } = registry.builds.begin(request, PERSON.party);
    await registry.receive(Readable.from([Buffer.from('half')]), 10);
    await other.registry.close();
    const { default: Sqlite } = await import('better-sqlite3');
    const database = new Sqlite(`${other.dir}/registry.sqlite`);
    // A process that ended: no other process gets this id soon.
    database
      .prepare("UPDATE artifact_builds SET lease_owner = replace(lease_owner, ?, '-2147483646-')")
      .run(`-${process.pid}-`);
    database.close();
    const next = await openPlaneWorld({}, { dir: other.dir });
    expect(await next.plane.build(buildId, PERSON.party)).toMatchObject({
      state: 'failed',
      errorCode: 'SERVER_SHUTDOWN',
    });
    expect((await next.registry.open()).get(row, PERSON.party).state).toBe('failed');
    await next.close();
    await other.close();
  });
});
