/** The limit SVC_MAX_UPLOAD_BYTES, for artifacts uploaded as a form or as JSON to a real server and registry. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromArrays, tableToIPC } from 'apache-arrow';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRegistryService, type RegistryService } from '../registry/registryService.ts';
import { startTestServer } from './testing/testServer.ts';

let dir = '';
let registry: RegistryService;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'upload-limit-'));
  registry = createRegistryService(
    { dir, protectedAliases: [], zombieSeconds: 3600 },
    {
      intervalSeconds: null,
      limits: { maxIdleDays: null, maxBytes: null, minIdleSeconds: 0 },
      onProblem(error) {
        throw error;
      },
    },
  );
});
afterAll(async () => {
  await registry.close();
  await rm(dir, { recursive: true, force: true });
});

const rows = tableToIPC(tableFromArrays({ a: Float64Array.from({ length: 500 }, (_, i) => i) }));
const transform = { executor: 'test@v1', params: {} };
const asForm = (): RequestInit => {
  const body = new FormData();
  body.append('metadata', JSON.stringify({ inputs: [], transform }));
  body.append('data', new Blob([rows]), 'data');
  return { method: 'PUT', body };
};
const asJson = (): RequestInit => ({
  method: 'PUT',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ inputs: [], transform, data: { a: Array.from({ length: 1000 }, (_, i) => i) } }),
});

it.each([
  ['a form', 1_000_000, 200, asForm],
  ['a form', 2_000, 413, asForm],
  ['JSON', 1_000_000, 200, asJson],
  ['JSON', 2_000, 413, asJson],
])('[DP-103] %s with SVC_MAX_UPLOAD_BYTES=%i answers %i', async (_what, maxUploadBytes, status, request) => {
  const server = await startTestServer({ config: { maxUploadBytes }, app: { registry } });
  try {
    const answer = await server.fetch('/v1/artifacts', request());
    expect([answer.status, await answer.text()]).toEqual([
      status,
      expect.stringMatching(status === 413 ? /2[,.]?000/ : /artifact_uri/),
    ]);
  } finally {
    await server.close();
  }
});
