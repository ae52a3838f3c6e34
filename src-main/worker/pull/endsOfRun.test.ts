/**
 * A cell that a worker pulls by manifest: if the host for its output or its finalize call has no address, the
 * cell is refused before it runs.
 */

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startTestWorker } from '../testing/testWorker.ts';

it.each(['output', 'finalize'])(
  '[WK-47] the host of %s is looked up before the cell runs',
  async (target) => {
    const dir = mkdtempSync(join(tmpdir(), 'cellar-ends-'));
    const trace = join(dir, 'trace');
    const worker = await startTestWorker(
      { SVC_WORKER_ALLOW_LOCAL_HOSTS: '1' },
      {
        resolve: async (host) => {
          if (host === 'gone.example') throw Object.assign(new Error('no such host'), { code: 'ENOTFOUND' });
          return [{ address: '127.0.0.1', family: 4 }];
        },
      },
    );
    try {
      const urlOf = (name: string) =>
        `http://${name === target ? 'gone' : 'here'}.example/${name}?sig=secret`;
      const params = {
        source: `open(${JSON.stringify(trace)}, "w").close()`,
        timeout_seconds: 60,
        mounts: [],
        env: {},
      };
      const response = await fetch(`${worker.url}/v1/execute-manifest`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          build_id: 'b',
          inputs: [],
          finalize_url: urlOf('finalize'),
          metadata: { executor_ref: 'notebook_cell@v1', params: { ...params, input_specs: {} } },
          output: { url: urlOf('output'), method: 'POST' },
        }),
      });
      const { detail } = (await response.json()) as { detail: string };
      expect([response.status, detail]).toEqual([
        400,
        expect.stringContaining('gone.example has no address'),
      ]);
      expect(detail).not.toContain('secret');
      expect(existsSync(trace)).toBe(false);
    } finally {
      await worker.close();
      rmSync(dir, { recursive: true });
    }
  },
);
