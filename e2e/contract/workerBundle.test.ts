import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { envelope, push, removeFolders } from '../conformance/workerCalls.ts';
import { PROJECT_ROOT } from '../support/serverProcess.ts';
import { startWorkerProcess } from '../support/workerProcess.ts';

const RESOURCES = join(PROJECT_ROOT, 'resources/worker');

describe('[WK-30] a worker of one file', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'cellar-one-file-'));
    const built = spawnSync(process.execPath, [join(PROJECT_ROOT, 'scripts/workerBundle.mjs'), dir], {
      encoding: 'utf8',
    });
    expect(built.stderr + built.stdout).toContain('svc-worker.cjs');
  });
  afterAll(async () => {
    await rm(dir, { recursive: true, force: true });
    await removeFolders();
  });

  it('runs a cell on a bare Node, with nothing but the harness beside it', async () => {
    expect((await readdir(dir)).sort()).toEqual(['harness', 'svc-worker.cjs']);
    const token = 'one-file-token';
    const command = [process.execPath, join(dir, 'svc-worker.cjs')];
    const worker = await startWorkerProcess({ command, env: { SVC_WORKER_TOKEN: token, NODE_PATH: '' } });
    const { bundle } = await push({ url: worker.url, token }, envelope('x = 6 * 7'));
    expect(bundle?.result.variables['x']).toMatchObject({ preview: 42 });
    expect(await worker.stop()).toBe(0);
    expect(worker.stderr()).not.toMatch(/Warning|still shows/);
  });
});

describe('[WK-31] what is given to host one', () => {
  it('the unit is one systemd takes', () => {
    const found = spawnSync(
      'systemd-analyze',
      ['verify', '--man=no', join(RESOURCES, 'svc-worker.service')],
      { encoding: 'utf8' },
    );
    if (found.error !== undefined) return; // no systemd here
    expect(found.stderr.split('\n').filter((line) => line.includes('svc-worker'))).toEqual([]);
  });

  it('the image copies what the bundle makes, and starts it as nobody special', async () => {
    const text = await readFile(join(RESOURCES, 'Dockerfile'), 'utf8');
    expect(text).toContain('COPY dist/worker /opt/svc-worker');
    const lines = text.split('\n');
    const entry: unknown = JSON.parse(
      lines.find((line) => line.startsWith('ENTRYPOINT '))?.slice(11) ?? '[]',
    );
    expect(entry).toEqual(expect.arrayContaining(['--reuid=worker', '/opt/svc-worker/svc-worker.cjs']));
  });
});
