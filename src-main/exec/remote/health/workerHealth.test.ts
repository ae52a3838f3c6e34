import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Probe, probeWorker } from '../call/probeWorker.ts';
import { createWorkersHealth } from './workerHealth.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

type Answer = { readonly status?: number; readonly body?: unknown } | 'silence';

/** A server with one answer to health checks, and a status for cancel requests. */
async function fakeWorker(
  health: Answer,
  { cancel = 200 }: { readonly cancel?: number } = {},
): Promise<string> {
  const server = createServer((request, response) => {
    if (request.method === 'POST') return void response.writeHead(cancel).end('{}');
    if (health === 'silence') return;
    const { status = 200, body } = health;
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body ?? null));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const GOOD = {
  status: 'healthy',
  capabilities: { transform_refs: ['notebook_cell@v1'], features: { languages: ['python'] } },
};

describe('[RW-6] one health check', () => {
  it.each<readonly [string, Answer, Probe['health'], RegExp | null]>([
    ['a worker', { body: GOOD }, 'healthy', null],
    ['without the cell’s ref', { body: { status: 'healthy' } }, 'unknown', /notebook_cell@v1/],
    [
      'refs of another type',
      { body: { status: 'healthy', capabilities: { transform_refs: 7 } } },
      'unknown',
      /does not support/,
    ],
    ['another status', { body: { status: 'draining' } }, 'unavailable', /"draining"/],
    ['503', { status: 503, body: GOOD }, 'unavailable', /503/],
    ['a page', { body: '<html>' }, 'unavailable', /The health check did not return a valid worker status\./],
    [
      'JSON of another kind',
      { body: [] },
      'unavailable',
      /The health check did not return a valid worker status\./,
    ],
    ['silence', 'silence', 'warming', /may be starting/],
  ])('%s', async (_what, answer, health, error) => {
    const probe = await probeWorker(`${await fakeWorker(answer)}/health`, { timeoutMs: 300 });
    expect(probe.health).toBe(health);
    if (error === null) expect(probe.error).toBeNull();
    else expect(probe.error).toMatch(error);
  });

  it('no server at the address', async () => {
    const probe = await probeWorker('http://127.0.0.1:9/health');
    expect(probe).toMatchObject({ health: 'unavailable', error: expect.stringMatching(/refused/) });
  });

  it('an invalid part of its report does not hide the others', async () => {
    const body = { ...GOOD, version: 7, max_concurrent: null, hardware: { cpus: 4 } };
    const { reported } = await probeWorker(`${await fakeWorker({ body })}/health`);
    expect(reported).toEqual({ max_concurrent: null, hardware: { cpus: 4 }, languages: ['python'] });
  });
});

describe('[RW-6] long values that a worker reports', () => {
  it('are shortened', async () => {
    const long = 'x'.repeat(10_000);
    const { reported } = await probeWorker(
      `${await fakeWorker({ body: { ...GOOD, version: long, hardware: { cpus: 4 } } })}/health`,
    );
    expect(reported?.version).toBe('x'.repeat(100));
    const accelerators = Array.from({ length: 50 }, () => ({ name: long }));
    const listed = await probeWorker(
      `${await fakeWorker({ body: { ...GOOD, hardware: { accelerators } } })}/health`,
    );
    expect(listed.reported?.hardware?.accelerators).toEqual(
      Array.from({ length: 32 }, () => ({ name: 'x'.repeat(100) })),
    );
  });
});

describe('[RW-7] the recorded health of a worker', () => {
  function world(...looks: readonly Probe['health'][]) {
    let at = 1_000_000;
    const remaining = [...looks];
    const probes: string[] = [];
    const health = createWorkersHealth({
      now: () => at,
      probe: async (url) => {
        probes.push(url);
        const next = remaining.shift() ?? 'healthy';
        const isHealthy = next === 'healthy';
        const failure = isHealthy ? null : 'network';
        return { health: next, failure, error: isHealthy ? null : next, durationMs: 3, reported: null };
      },
    });
    return {
      probes,
      look: (refresh: boolean) => health.look(['u'], { refresh }),
      wait: (ms: number) => (at += ms),
    };
  }

  it('an answer is used for five seconds, unless a refresh is requested', async () => {
    const { look, wait, probes } = world();
    await look(false);
    wait(4_999);
    await look(false);
    expect(probes).toHaveLength(1);
    wait(1);
    await look(false);
    expect(probes).toHaveLength(2);
    await look(true);
    expect(probes).toHaveLength(3);
    await Promise.all([look(true), look(true)]);
    expect(probes).toHaveLength(4);
  });

  it('counts checks, and keeps the newest six', async () => {
    const answers = [
      'healthy',
      'unavailable',
      'warming',
      'unknown',
      'unavailable',
      'unavailable',
      'healthy',
    ] as const;
    const { look, wait } = world(...answers);
    for (const _ of answers) {
      wait(10_000);
      await look(true);
    }
    const recorded = (await look(false)).get('u');
    expect(recorded).toMatchObject({
      health: 'healthy',
      last_error: null,
      probe_count: 7,
      healthy_probe_count: 2,
      unavailable_probe_count: 3,
      unknown_probe_count: 2,
      consecutive_failures: 0,
      last_healthy_at: 1_070_000,
      last_unavailable_at: 1_060_000,
      last_unknown_at: 1_040_000,
      last_status_change_at: 1_070_000,
      last_probe_duration_ms: 3,
    });
    expect(recorded?.health_history.map(({ health }) => health)).toEqual([...answers].slice(1).reverse());
  });
});
