import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tableFromArrays, tableFromIPC, tableToIPC } from 'apache-arrow';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../iceberg/testing/arrowRows.ts';
import { PYTHON } from '../iceberg/testing/pyiceberg.ts';
import { openPlaneWorld, PERSON, type PlaneWorld, sharedPlaneTables } from './testing/planeWorld.ts';

/** A request as the executor received it. */
interface Executed {
  readonly path: string;
  readonly metadata: { readonly text: string } & Readonly<Record<string, unknown>>;
  /** The rows of each input. */
  readonly inputs: Readonly<Record<string, readonly string[]>>;
}
type Reply = (response: ServerResponse) => void;

const DOUBLED = tableToIPC(tableFromArrays({ a: Int32Array.of(2, 4) }), 'stream');
const arrow: Reply = (response) => void response.writeHead(200).end(DOUBLED);

let reply: Reply = arrow;
const executed: Executed[] = [];
const executor = createServer((request, response) => {
  received(request).then(
    (one) => {
      executed.push(one);
      reply(response);
    },
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});

async function received(request: IncomingMessage): Promise<Executed> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  const form = await new Response(Buffer.concat(chunks), { headers }).formData();
  const inputs: Record<string, readonly string[]> = {};
  let text = '';
  for (const [field, file] of form) {
    if (typeof file === 'string') throw new Error(`${field} is not a file`);
    if (field === 'metadata') text = await file.text();
    else inputs[field] = rowsOf(tableFromIPC(new Uint8Array(await file.arrayBuffer())));
  }
  return { path: request.url ?? '', metadata: { text, ...(JSON.parse(text) as object) }, inputs };
}

let url = '';
let world: PlaneWorld;
const worlds: PlaneWorld[] = [];

async function open(
  entry: object = {},
  config: Parameters<typeof openPlaneWorld>[0] = {},
): Promise<PlaneWorld> {
  const registry = [{ ref: 'double*@v1', executor_url: `${url}/`, ...entry }];
  const opened = await openPlaneWorld({ transformsConfig: { enabled: true, registry }, ...config });
  worlds.push(opened);
  return opened;
}

async function putIn({ registry: service }: PlaneWorld, data: object): Promise<string> {
  const registry = await service.open();
  const blob = await registry.receiveJson(data);
  const { row } = await registry.put({ spec: { executor: 'test@v1', params: { data } }, blob }, PERSON.party);
  return `svc://artifact/${row.id}@v=${row.version}`;
}

beforeAll(async () => {
  await new Promise<void>((resolve) => executor.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(executor.address() as AddressInfo).port}`; // it listens to TCP
  world = await open();
});
afterEach(() => {
  reply = arrow;
  executed.length = 0;
});
afterAll(async () => {
  for (const one of worlds) await one.close();
  executor.closeAllConnections();
  executor.close();
});

/** Runs a transform that must fail. @returns its code and message */
async function failure(of: PlaneWorld, inputs: readonly string[] = []): Promise<string> {
  const promise = await of.materialize(inputs, 'double@v1', { nonce: process.hrtime.bigint().toString() });
  const build = await of.ended(promise.build_id);
  expect(build.state).toBe('failed');
  return `${build.errorCode}: ${build.errorMessage}`;
}

describe('an HTTP executor', () => {
  it('[DP-77] runs duckdb_sql@v1 in mode registry if its entry is configured so', async () => {
    const elsewhere = await open({ ref: '*' }, { transformMode: 'registry' });
    const promise = await elsewhere.materialize([], 'duckdb_sql@v1', { sql: 'select 1 as a' });
    await elsewhere.ended(promise.build_id);
    expect(await elsewhere.stored(promise.artifact_uri)).toEqual(['a=2', 'a=4']);
  });

  it('[DP-70] gets the inputs as Arrow streams, and its rows are stored once', async () => {
    const inputs = [await putIn(world, { a: [1, 2] }), await putIn(world, { b: ['x'] })];
    const promise = await world.materialize(inputs, 'double@v1', { by: 2 }, { name: 'doubled' });
    expect(promise).toMatchObject({ hit: false, state: 'pending', stream_url: null });
    expect(await world.ended(promise.build_id)).toMatchObject({ state: 'ready', executorRef: 'double@v1' });
    expect(await world.stored(promise.artifact_uri)).toEqual(['a=2', 'a=4']);
    const { provenanceHash } = await world.version(promise.artifact_uri);
    const [{ path, metadata, inputs: sent } = { path: '', metadata: null, inputs: {} }] = executed;
    expect([path, sent]).toEqual(['/v1/execute', { input0: ['a=1', 'a=2'], input1: ['b="x"'] }]);
    expect(metadata).toMatchObject({
      protocol_version: 'v1',
      build_id: promise.build_id,
      tenant: '',
      principal: null,
      provenance_hash: provenanceHash,
      transform: {
        ref: 'double@v1',
        code_hash: expect.stringMatching(/^[0-9a-f]{16}$/),
        params: { by: 2 },
      },
      inputs: [
        { name: 'input0', format: 'arrow_ipc_stream' },
        { name: 'input1', format: 'arrow_ipc_stream' },
      ],
    });
    const again = await world.materialize(inputs, 'double@v1', { by: 2 });
    expect(again).toMatchObject({ hit: true, artifact_uri: promise.artifact_uri });
    expect(executed).toHaveLength(1);
  });

  it.skipIf(PYTHON === undefined)('[DP-70] gets the rows of a table, from the pinned snapshot', async () => {
    const tables = await sharedPlaneTables();
    const promise = await world.materialize([tables.uri('orders')], 'double@v1', {});
    expect(await world.ended(promise.build_id)).toMatchObject({ state: 'ready' });
    expect(executed[0]?.inputs['input0']?.length).toBeGreaterThan(0);
  });

  it('[DP-71] receives whole numbers beyond the range of a double unchanged, each with its own result', async () => {
    const big = [9_007_199_254_740_993n, 9_007_199_254_740_992n, '9007199254740993'];
    const uris = new Set<string | null>();
    for (const by of big) {
      const promise = await world.materialize([], 'double@v1', { by });
      await world.ended(promise.build_id);
      uris.add(promise.artifact_uri);
    }
    expect(uris.size).toBe(3);
    expect(executed.map(({ metadata: { text } }) => /"by": ("?\d+"?)/.exec(text)?.[1])).toEqual([
      '9007199254740993',
      '9007199254740992',
      '"9007199254740993"',
    ]);
  });

  it('[DP-72] its log and its address, without credentials, are in the record of the build', async () => {
    reply = (response) =>
      void response
        .writeHead(200, { 'X-Svc-Logs': Buffer.from('2 rows doubled — done').toString('base64') })
        .end(DOUBLED);
    const { host } = new URL(url);
    const own = await open({ executor_url: `http://user:hidden@${host}` });
    const promise = await own.materialize([], 'double@v1', {});
    expect(await own.ended(promise.build_id)).toMatchObject({
      state: 'ready',
      logs: '2 rows doubled — done',
      executorUrl: `http://${host}`,
    });
  });

  const cut: Reply = (response) => {
    response.writeHead(200, { 'Content-Length': String(DOUBLED.length) });
    response.write(DOUBLED.subarray(0, DOUBLED.length - 40), () => response.destroy());
  };
  const rows: readonly (readonly [string, Reply, RegExp])[] = [
    [
      'answers an error in JSON',
      (response) => void response.writeHead(500).end('{"detail": "no memory left"}'),
      /^EXECUTOR_HTTP_ERROR: The executor of double@v1 \(http:.*\) failed: it returned 500: no memory left$/,
    ],
    [
      'answers an error in text',
      (response) => void response.writeHead(404).end('gone'),
      /returned 404: gone$/,
    ],
    [
      'redirects',
      (response) => void response.writeHead(302, { Location: 'http://127.0.0.1:9/' }).end(),
      /^EXECUTOR_HTTP_ERROR: .*redirects to another address/,
    ],
    ['answers something else', (response) => void response.end('hello'), /^PROTOCOL_ERROR: .*not an Arrow/],
    ['answers nothing', (response) => void response.end(), /^PROTOCOL_ERROR: .*it has no schema/],
    ['is cut off', cut, /^PROTOCOL_ERROR: .*not an Arrow stream/],
    ['disconnects', (response) => response.destroy(), /^REQUEST_FAILED: .*cannot be reached/],
  ];
  it.each(rows)('[DP-73] that %s fails the build with a reason', async (_what, answer, says) => {
    reply = answer;
    expect(await failure(world)).toMatch(says);
  });

  it('[DP-74] has the limits of its entry', async () => {
    const uri = (of: PlaneWorld) => putIn(of, { a: Array.from({ length: 1_000 }, (_, i) => i) });
    const narrow = await open({ max_input_bytes: 2_000 });
    expect(await failure(narrow, [await uri(narrow)])).toMatch(/^INPUT_TOO_LARGE: .*more than 2,000 bytes/);
    expect(executed).toHaveLength(0);
    const short = await open({ max_output_bytes: 100 });
    expect(await failure(short)).toMatch(/^OUTPUT_TOO_LARGE: .*more than 100 bytes/);
    const hasty = await open({ timeout_seconds: 0.2 });
    reply = () => undefined;
    expect(await failure(hasty)).toMatch(/^TIMEOUT: Running the transform/);
  });
});
