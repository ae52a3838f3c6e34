/**
 * Tests that a cell on a real worker can see none of the worker's secrets, and that the worker refuses wrong settings.
 */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { envelope, push, removeFolders } from '../conformance/workerCalls.ts';
import { PROJECT_ROOT } from '../support/serverProcess.ts';
import { startWorkerProcess, type WorkerProcess } from '../support/workerProcess.ts';

const SECRETS = {
  SVC_WORKER_TOKEN: 'worker-token-7f3a',
  SVC_WORKER_CONNECT_TOKEN: 'connect-token-91bc',
  SVC_NOTEBOOK_CREDENTIALS: '{"store":{"key":"credential-22d0"}}',
  SVC_NOTEBOOK_MOUNT_CREDENTIALS: '{"s3":"store"}',
  SVC_PROXY_TOKEN: 'proxy-token-5e5e',
  SVC_NOTEBOOK_REMOTE_STORE_HEADERS: '{"x":"header-secret-41"}',
};

/** Reads the environment and command line of every process of this user, including those above the cell. */
const LOOK = `
import os
seen = {"own": "\\n".join(f"{k}={v}" for k, v in os.environ.items())}
for name in os.listdir("/proc"):
    if name.isdigit():
        for part in ("environ", "cmdline"):
            try:
                with open(f"/proc/{name}/{part}", "rb") as file:
                    seen[f"{name}.{part}"] = file.read().decode("latin1")
            except OSError:
                pass
found = sorted({name for name, text in seen.items() for secret in WORDS if secret in text})
kept = [os.environ.get("SVC_PLAIN"), os.environ.get("GREETING")]
count = len(seen)
`;

describe.runIf(process.platform === 'linux')('[WK-25] what a cell can see of the worker', () => {
  let worker: WorkerProcess;
  beforeAll(async () => {
    const env = { ...SECRETS, SVC_PLAIN: 'plain', GREETING: 'hello' };
    // A shell that exits starts the worker, so that no parent process of the worker has the token in its environment.
    worker = await startWorkerProcess({ env });
  });
  afterAll(async () => {
    await worker.stop();
    await removeFolders();
  });

  it('includes the plain variables, but no secret in the environment or command line of any process', async () => {
    // The secrets are split in two, so that the source of the cell itself does not match.
    const words = ['token-7f3a', 'token-91bc', 'credential-22d0', 'token-5e5e', 'secret-41'].map((word) => [
      word.slice(0, 6),
      word.slice(6),
    ]);
    const source = `WORDS = [a + b for a, b in ${JSON.stringify(words)}]\n${LOOK}`;
    const at = { url: worker.url, token: SECRETS.SVC_WORKER_TOKEN };
    const { status, bundle } = await push(at, envelope(source));
    expect(status).toBe(200);
    expect(bundle?.result).toMatchObject({ success: true });
    const { found, kept, count } = bundle?.result.variables ?? {};
    expect(count).toMatchObject({ preview: expect.any(Number) });
    expect(found).toMatchObject({ preview: [] });
    expect(kept).toMatchObject({ preview: ['plain', 'hello'] });
    expect(worker.stderr()).not.toContain('still shows');
  });
});

describe('[WK-28] the settings of a worker', () => {
  const svc = (args: readonly string[], env: Record<string, string> = {}) => {
    const end = spawnSync(process.execPath, [join(PROJECT_ROOT, 'dist/svc.mjs'), 'worker', ...args], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
      timeout: 120_000,
    });
    return [end.status, end.stderr.trim().split('\n').at(-1)];
  };
  it.each([
    [['--max-concurrent', '0'], {}, /--max-concurrent/],
    [['--gpu-slots', 'two'], {}, /--gpu-slots/],
    [['--port', '70000'], {}, /--port/],
    [['--connect', 'http://relay.example'], {}, /--connect/],
    [['--log-level', 'loud'], {}, /--log-level/],
    [['extra'], {}, /extra/],
    [['--port', '0'], { SVC_WORKER_MAX_CONCURRENT: '0' }, /SVC_WORKER_MAX_CONCURRENT/],
    [['--port', '0'], { SVC_WORKER_GPU_SLOTS: 'many' }, /SVC_WORKER_GPU_SLOTS/],
    [['--port', '0'], { SVC_NOTEBOOK_CREDENTIALS: '[1]' }, /SVC_NOTEBOOK_CREDENTIALS/],
  ] as const)('%j %j: exit 2 with a message', (args, env, words) => {
    expect(svc(args, env)).toEqual([2, expect.stringMatching(words)]);
  });

  it('with a port in use: exit 1; after a requested stop: exit 0', async () => {
    const first = await startWorkerProcess({});
    expect(svc(['--port', new URL(first.url).port])).toEqual([1, expect.stringContaining('cannot listen')]);
    expect(await first.stop()).toBe(0);
  });
});
