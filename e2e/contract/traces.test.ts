/** Tests the OpenTelemetry spans that a real server and a real worker send to a fake collector. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manifest } from '../conformance/pullRequest.ts';
import { answering, openSignedPlaces } from '../conformance/signedPlaces.ts';
import { openNotebook } from '../support/openNotebook.ts';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { type CollectedSpan, startTraceCollector, type TraceCollector } from '../support/traceCollector.ts';
import { startWorkerProcess, type WorkerProcess } from '../support/workerProcess.ts';

const PARENT = { id: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' };
const SOON = { timeout: 60_000 };
let root = '';
let collector: TraceCollector;
let worker: WorkerProcess;
let server: ServerProcess;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'traces-'));
  collector = await startTraceCollector();
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    // By default spans are sent every five seconds.
    OTEL_BSP_SCHEDULE_DELAY: '100',
  };
  worker = await startWorkerProcess({
    env: { ...env, OTEL_SERVICE_NAME: 'far', SVC_WORKER_ALLOWED_HOSTS: '127.0.0.1' },
  });
  server = await startServerProcess({ storageDir: join(root, 'storage'), grants: [root], env });
});
afterAll(async () => {
  await server?.dispose();
  await worker?.stop();
  collector?.close();
  await rm(root, { recursive: true, force: true });
});

const spansOf = (name: string): readonly CollectedSpan[] =>
  collector.spans().filter((span) => span.name === name);

describe('[RW-32] if a trace collector is configured', () => {
  it.each([
    ['direct', 'x = 1', null],
    ['signed', 'y = 1', null],
    ['direct', 'z = never', "name 'never' is not defined"],
  ])('%s: `%s` is one trace, from the server to its worker', async (transport, source, failure) => {
    const notebook = await openNotebook(server, join(root, `${transport}-${source[0]}`), [
      { id: 'd0000001', source: `# @worker w\n${source}` },
    ]);
    await rest(server.url, 'PUT', `/v1/notebooks/${notebook.sid}/workers`, {
      workers: [{ name: 'w', backend: 'executor', config: { url: `${worker.url}/v1/execute`, transport } }],
    });
    const { remote_build_id: build, status } = await notebook.execute('d0000001');
    expect(status).toBe(failure === null ? 'ready' : 'error');
    const spanOf = (name: string) => spansOf(name).find(({ attributes }) => attributes['build_id'] === build);
    await expect
      .poll(() => [spanOf('notebook.dispatch'), spanOf('worker.execute')], SOON)
      .not.toContain(undefined);
    const [dispatch, execution] = [spanOf('notebook.dispatch'), spanOf('worker.execute')];
    expect([dispatch?.service, execution?.service]).toEqual(['svc', 'far']);
    expect([execution?.traceId, execution?.parentSpanId]).toEqual([dispatch?.traceId, dispatch?.spanId]);
    expect(dispatch).toMatchObject({
      parentSpanId: '',
      failure: null,
      attributes: { notebook_id: expect.any(String), cell_id: 'd0000001', worker: 'w', transport },
    });
    await notebook.close();
  });

  // An intermediate dispatcher forwards its own span in the header.
  it.each([
    ['its manifest', {}, 'b'.repeat(32)],
    [
      'the header before its manifest',
      { traceparent: `00-${'a'.repeat(32)}-${PARENT.span}-01` },
      'a'.repeat(32),
    ],
  ])('a worker takes its trace from %s', async (_by, headers, traceId) => {
    const places = await openSignedPlaces();
    places.on('/upload', answering(204));
    places.on('/finalize', answering(200, '{"state":"ready"}'));
    const build = `nbbuild-${traceId.slice(0, 4)}`;
    const body = JSON.parse(manifest(places.url, 'x = 1', { build_id: build }));
    body.metadata = {
      ...body.metadata,
      build_id: build,
      traceparent: `00-${'b'.repeat(32)}-${PARENT.span}-01`,
    };
    const answer = await fetch(`${worker.url}/v1/execute-manifest`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    expect(answer.status, await answer.text()).toBe(200);
    const execution = () =>
      spansOf('worker.execute').find(({ attributes }) => attributes['build_id'] === build);
    await expect.poll(execution, SOON).toMatchObject({ traceId, parentSpanId: PARENT.span });
    await places.close();
  });

  it('a request is a span of the trace in its header, named by its route', async () => {
    const traceparent = `00-${PARENT.id}-${PARENT.span}-01`;
    await fetch(`${server.url}/v1/notebooks/discover`, { headers: { traceparent, tracestate: 'a=b' } });
    await expect.poll(() => collector.spans().map(({ traceId }) => traceId), SOON).toContain(PARENT.id);
    expect(collector.spans().find(({ traceId }) => traceId === PARENT.id)).toMatchObject({
      service: 'svc',
      name: 'GET /v1/notebooks/discover',
      parentSpanId: PARENT.span,
      traceState: 'a=b',
      failure: null,
    });
  });

  it('a cell that its worker refuses is a failed span with the message', async () => {
    const notebook = await openNotebook(server, join(root, 'nowhere'), [
      { id: 'd0000001', source: '# @worker w\nx = 1' },
    ]);
    await rest(server.url, 'PUT', `/v1/notebooks/${notebook.sid}/workers`, {
      workers: [{ name: 'w', backend: 'executor', config: { url: `${worker.url}/nowhere` } }],
    });
    const { error } = await notebook.execute('d0000001');
    await expect
      .poll(() => spansOf('notebook.dispatch').map(({ failure }) => failure), SOON)
      .toContain(error);
    await notebook.close();
  });
});
