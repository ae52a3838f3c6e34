/**
 * The built worker (`svc worker`) against the conformance tests of workers: on this machine, in an isolated network, or
 * against another worker that environment variables name.
 */

import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workerHealth } from '../../src-shared/wire/worker/health.ts';
import { pullConformance } from '../conformance/pullContract.ts';
import { manifest } from '../conformance/pullRequest.ts';
import { openSignedPlaces } from '../conformance/signedPlaces.ts';
import { pullRaw, removeFolders, type WorkerUnderTest } from '../conformance/workerCalls.ts';
import { workerConformance } from '../conformance/workerContract.ts';
import { rowsOfRun } from '../support/longRun.ts';
import { type NameServer, startNameServer } from '../support/nameServer.ts';
import { type Namespace, openNamespace, whyNoNamespaces } from '../support/namespace.ts';
import { PROJECT_ROOT } from '../support/serverProcess.ts';
import { startWorkerProcess, type WorkerProcess } from '../support/workerProcess.ts';

/**
 * CELLAR_WORKER_URL (with CELLAR_WORKER_TOKEN) names another worker to test, CELLAR_WORKER_PLACES an address of this
 * machine that it can reach and may fetch from, CELLAR_WORKER_MAX_INPUT_BYTES its limit.
 */
const elsewhere = process.env['CELLAR_WORKER_URL'] ?? null;
const TOKEN = 'a-token-of-the-tests';
const MAX_INPUT = 100_000;
const limits = { SVC_WORKER_TOKEN: TOKEN, SVC_WORKER_MAX_INPUT_BYTES: String(MAX_INPUT) };

if (elsewhere !== null)
  describe('a worker elsewhere', () => {
    const worker = () => ({ url: elsewhere, token: process.env['CELLAR_WORKER_TOKEN'] ?? null });
    workerConformance('pushed', { worker });
    const known = Number(process.env['CELLAR_WORKER_MAX_INPUT_BYTES'] ?? Number.NaN);
    const maxInputBytes = Number.isInteger(known) ? known : null;
    const places = process.env['CELLAR_WORKER_PLACES'] ?? '127.0.0.1';
    pullConformance('pulling', { worker, placesHost: () => places, maxInputBytes });
  });

describe.runIf(elsewhere === null)('a worker on this machine', () => {
  let own: WorkerProcess;
  beforeAll(async () => {
    const env = { ...limits, SVC_WORKER_ALLOWED_HOSTS: '127.0.0.1', SVC_WORKER_MAX_CONCURRENT: '3' };
    own = await startWorkerProcess({ env });
  });
  afterAll(() => own.stop());
  const worker = () => ({ url: own.url, token: TOKEN });
  it('[WK-10] reports that it runs R if R is installed, so that the tests of R are not skipped', async () => {
    const { capabilities } = workerHealth.parse(await (await fetch(`${own.url}/health`)).json());
    const hasR = spawnSync('Rscript', ['--version']).status === 0;
    expect(capabilities.features.languages).toEqual(hasR ? ['python', 'r'] : ['python']);
  });
  workerConformance('pushed', { worker });
  pullConformance('pulling', { worker, placesHost: () => '127.0.0.1', maxInputBytes: MAX_INPUT });
});

/** Its loopback interface is not the one of this machine. It has no R, and two GPU slots. */
const isolated = elsewhere === null ? whyNoNamespaces() : 'another worker is tested';
describe.skipIf(isolated !== null)(
  `a worker in a network of its own${isolated === null ? '' : `: ${isolated}`}`,
  () => {
    let network: Namespace;
    let names: NameServer;
    let own: WorkerProcess;
    beforeAll(async () => {
      network = await openNamespace();
      const { outside } = network;
      // The name resolves to a public address first, then to this machine.
      names = await startNameServer(outside, (name, time) =>
        name === 'rebind.test' ? (time === 1 ? '93.184.216.34' : outside) : null,
      );
      const program = [process.execPath, `${PROJECT_ROOT}/dist/svc.mjs`, 'worker'];
      own = await startWorkerProcess({
        command: [...network.command, ...program],
        args: ['--host', '0.0.0.0', '--gpu-slots', '2'],
        env: { ...limits, SVC_WORKER_ALLOWED_HOSTS: outside, SVC_RSCRIPT: '/nowhere/Rscript' },
      });
    });
    afterAll(async () => {
      await own.stop();
      await names.close();
      await network.dispose();
    });
    const worker = (): WorkerUnderTest => ({
      url: own.url.replace('127.0.0.1', network.inside),
      token: TOKEN,
    });
    // The worker above is tested with both transports; only when pulling does a worker use the network itself.
    for (const transport of rowsOfRun(['pushed', 'pulling'] as const, (one) => one === 'pulling')) {
      if (transport === 'pushed') workerConformance(transport, { worker });
      else
        pullConformance(transport, { worker, placesHost: () => network.outside, maxInputBytes: MAX_INPUT });
    }

    it('[WK-21] refuses a host name that resolves differently between the check and the connection', async () => {
      const places = await openSignedPlaces(network.outside);
      try {
        const { port } = new URL(places.url);
        const inputs = { x: `http://rebind.test:${port}/in` };
        const { status, body } = await pullRaw(worker(), manifest(places.url, 'y = x', { inputs }));
        expect([status, String(body?.['detail'])]).toEqual([
          400,
          expect.stringContaining(
            `rebind.test resolves to ${network.outside}, which is not a public address`,
          ),
        ]);
        expect([names.asked.get('rebind.test'), places.received]).toEqual([2, []]);
      } finally {
        await places.close();
        await removeFolders();
      }
    });
  },
);
