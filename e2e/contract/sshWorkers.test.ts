/**
 * Tests workers that are installed and started by ssh, against a real sshd: cells, cancels, broken connections,
 * failures.
 */

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { createWorkerTokens } from '../../src-main/exec/remote/call/workerTokens.ts';
import { SshFailure } from '../../src-main/exec/remote/ssh/sshTrouble.ts';
import { createSshWorkers, type SshWorkers } from '../../src-main/exec/remote/ssh/sshWorkers.ts';
import { envelope, push } from '../conformance/workerCalls.ts';
import { longTest, rowsOfRun } from '../support/longRun.ts';
import { openNotebook } from '../support/openNotebook.ts';
import { PROJECT_ROOT, startServerProcess } from '../support/serverProcess.ts';
import { smallDisk } from '../support/smallDisk.ts';
import {
  type SshServer,
  type SshServerOptions,
  startSshServer,
  whyNoSshd,
  workersOf,
} from '../support/sshServer.ts';
import { svc } from '../support/svcCommand.ts';

const FILES = {
  program: join(PROJECT_ROOT, 'dist/svc-worker.cjs'),
  harnessDir: join(PROJECT_ROOT, 'harness'),
};
const BOOK = 'a-notebook';
const NODE = dirname(process.execPath);
const FOR_EVER = new AbortController().signal;

const toClose: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close();
});

interface There {
  readonly server: SshServer;
  readonly workers: SshWorkers;
  readonly tokens: ReturnType<typeof createWorkerTokens>;
  connect(request?: {
    remotePort?: number;
    install?: boolean;
    target?: string;
    wanted?: AbortSignal;
  }): ReturnType<SshWorkers['connect']>;
}

/** The host of the tests that change nothing about it: the worker's files are copied to it once. */
let plainHost: Promise<SshServer> | null = null;
afterAll(async () => (await plainHost)?.dispose());

async function hostOf(options: SshServerOptions | null): Promise<SshServer> {
  if (options === null) {
    plainHost ??= startSshServer();
    return plainHost;
  }
  const server = await startSshServer(options);
  toClose.push(() => server.dispose());
  return server;
}

/** @param options of a host of the test's own; null for the shared host */
async function there(
  options: SshServerOptions | null,
  { graceMs = 60_000 }: { readonly graceMs?: number } = {},
): Promise<There> {
  const server = await hostOf(options);
  const tokens = createWorkerTokens({});
  const quick = { random: () => 0, sleep: async () => undefined };
  const program = [join(server.bin, 'ssh')] as const;
  const workers = createSshWorkers({ files: FILES, tokens, program, graceMs, tunnel: quick });
  toClose.push(async () => {
    for (const { name } of await workers.list(BOOK)) {
      await workers.disconnect(BOOK, name, { stopRemote: true });
    }
    await workers.close();
    await noWorkerLeft(server);
  });
  return {
    server,
    workers,
    tokens,
    connect: ({ remotePort = null, install = true, target = server.target, wanted = FOR_EVER } = {}) =>
      workers.connect({
        notebookId: BOOK,
        target,
        name: 'lab',
        remotePort,
        localPort: null,
        install,
        wanted,
      }),
  } as There;
}

/** Checks that no worker process is left behind. */
async function noWorkerLeft({ home }: SshServer): Promise<void> {
  await vi.waitFor(async () => expect(await workersOf(home)).toEqual([]), {
    timeout: 60_000,
    interval: 50,
  });
}

function tokenOf({ tokens }: There, url: string): string {
  return tokens.resolve(BOOK, { name: 'lab', config: { url } }) ?? '';
}

async function whyNot(act: Promise<unknown>): Promise<SshFailure> {
  const failure = await act.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof SshFailure)) throw failure ?? new Error('it went well');
  return failure;
}

describe.skipIf(whyNoSshd !== null)(`workers by ssh (${whyNoSshd ?? 'a real sshd'})`, () => {
  it('[RW-23] a worker is installed, started, reached, runs a cell, and ends on request', async () => {
    const lab = await there(null);
    const record = await lab.connect();
    expect(record).toMatchObject({
      name: 'lab',
      ssh_target: 'lab',
      healthy: true,
      state: 'up',
      problem: null,
    });
    const url = `http://127.0.0.1:${record.local_port}`;
    const { bundle } = await push({ url, token: tokenOf(lab, record.executor_url) }, envelope('x = 6 * 7'));
    expect(bundle?.result.variables['x']).toMatchObject({ preview: 42 });
    // The token is in no argument, no file and no environment that can be read there.
    expect(JSON.stringify(await workersOf(lab.server.home))).not.toContain(tokenOf(lab, record.executor_url));
    const file = await readFile(join(lab.server.home, '.svc/worker-lab.json'), 'utf8');
    expect(file).not.toContain(tokenOf(lab, record.executor_url));
    expect(JSON.parse(file)).toMatchObject({ pid: record.remote_pid, port: record.remote_port });
    expect(await lab.workers.log(BOOK, 'lab')).not.toMatch(/still shows/);
    expect(await lab.workers.disconnect(BOOK, 'lab', { stopRemote: true })).toBe(true);
    await noWorkerLeft(lab.server);
    expect(await lab.workers.list(BOOK)).toEqual([]);
    expect(tokenOf(lab, record.executor_url)).toBe('');
    expect(await readdir(join(lab.server.home, '.svc'))).not.toContain('worker-lab.json');
  });

  it('[RW-23] installed files are not copied again, and a second start replaces the first', async () => {
    const lab = await there(null);
    const first = await lab.connect();
    const [folder = ''] = await readdir(join(lab.server.home, '.svc/worker'));
    expect(folder).toMatch(/^[0-9a-f]{64}$/);
    const second = await lab.connect({ install: false });
    expect(second.remote_pid).not.toBe(first.remote_pid);
    expect(second.healthy).toBe(true);
    expect(await readdir(join(lab.server.home, '.svc/worker'))).toEqual([folder]);
    const left = (await workersOf(lab.server.home)).map(({ pid }) => pid);
    expect(left).not.toContain(first.remote_pid);
  });

  it.each(rowsOfRun([0, 300, 600, 900, 1_200], (ms) => ms % 1_200 === 0))(
    '[RW-34] a start that is cancelled after %i ms leaves no process',
    async (ms) => {
      const lab = await there({});
      const cancellation = new AbortController();
      setTimeout(() => cancellation.abort(new Error('given up')), ms);
      const result = await lab.connect({ wanted: cancellation.signal }).catch((error: unknown) => error);
      // On a fast machine the worker may already have started.
      if (!cancellation.signal.aborted) return expect(result).toMatchObject({ healthy: true });
      expect(result).toEqual(new Error('given up'));
      await noWorkerLeft(lab.server);
      expect(await lab.workers.list(BOOK)).toEqual([]);
    },
  );

  it('[RW-24] a broken connection is restored, to the same worker', async () => {
    const lab = await there(null, { graceMs: 20_000 });
    const { remote_pid, local_port } = await lab.connect();
    lab.server.dropAll();
    await vi.waitFor(async () => {
      const [record] = await lab.workers.list(BOOK);
      expect(record).toMatchObject({ state: 'up', healthy: true, remote_pid, local_port });
    }, 60_000);
    await lab.workers.disconnect(BOOK, 'lab', { stopRemote: true });
  });

  it('[RW-24] an abandoned worker exits by itself', async () => {
    const lab = await there(null, { graceMs: 200 });
    await lab.connect();
    await lab.server.stop();
    await noWorkerLeft(lab.server);
    await lab.server.start();
    await vi.waitFor(async () => {
      const [record] = await lab.workers.list(BOOK);
      expect(record).toMatchObject({ state: 'ended', problem: expect.stringMatching(/has stopped/) });
    }, 60_000);
  });

  // The end of an abandoned worker is reported in the same way.
  longTest('e2e/contract/sshWorkers.test.ts')('[RW-24] a killed worker is reported as ended', async () => {
    const lab = await there(null);
    const { remote_pid } = await lab.connect();
    process.kill(remote_pid, 'SIGKILL');
    await vi.waitFor(async () => {
      const [record] = await lab.workers.list(BOOK);
      expect(record).toMatchObject({
        state: 'ended',
        healthy: false,
        problem: expect.stringMatching(/has stopped/),
      });
    }, 60_000);
  });

  interface Refusal {
    readonly name: string;
    readonly options: SshServerOptions;
    readonly trouble: string;
    readonly words: RegExp;
  }
  const REFUSALS: readonly Refusal[] = [
    {
      name: 'an unknown host key',
      options: { known: false },
      trouble: 'host_key_unknown',
      words: /host key of lab is unknown.*ssh lab/,
    },
    {
      name: 'a rejected key',
      options: { takesKeys: false },
      trouble: 'auth_refused',
      words: /refused the login.*ssh-add/,
    },
    {
      name: 'no Node',
      options: { path: [] },
      trouble: 'no_node',
      words: /Node is not installed on lab\. Install Node 22\.15/,
    },
    {
      name: 'no forwarding',
      options: { settings: ['AllowTcpForwarding no'] },
      trouble: 'tunnel_refused',
      words: /AllowTcpForwarding/,
    },
    {
      name: 'an account without a regular shell',
      options: { settings: ['ForceCommand echo This account is not available'] },
      trouble: 'other',
      words:
        /accepted the login but ran no command\. The account has no regular shell, or allows only certain commands\./,
    },
  ];
  // A rejected key is reported in the same way as an unknown host key, from another line of ssh.
  it.each(rowsOfRun(REFUSALS, ({ trouble }) => trouble !== 'auth_refused'))(
    '[RW-25] $name returns an error message',
    async ({ options, trouble, words }) => {
      const lab = await there(options);
      const failure = await whyNot(lab.connect());
      expect(failure).toMatchObject({ trouble, message: expect.stringMatching(words) });
    },
  );

  // The report of the host is the same as without Node.
  longTest('src-main/exec/remote/ssh/ssh.test.ts')(
    '[RW-25] a Node that is too old is reported with its version',
    async () => {
      const dir = await mkdtemp(join(tmpdir(), 'cellar-old-node-'));
      toClose.push(() => rm(dir, { recursive: true, force: true }));
      await writeFile(join(dir, 'node'), '#!/bin/sh\necho v20.20.2\n', { mode: 0o755 });
      const lab = await there({ path: [dir] });
      const failure = await whyNot(lab.connect());
      expect(failure).toMatchObject({
        trouble: 'old_node',
        message: expect.stringMatching(/20\.20 .*22\.15/),
      });
    },
  );

  it('[RW-25] an unreachable host and a port in use on the host return an error message', async () => {
    const lab = await there(null);
    await lab.server.stop();
    expect(await whyNot(lab.connect())).toMatchObject({ trouble: 'unreachable' });
    await lab.server.start();
    const busy = createServer();
    await new Promise<void>((done) => busy.listen(0, '127.0.0.1', done));
    toClose.push(() => busy.close());
    const address = busy.address();
    const remotePort = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const failure = await whyNot(lab.connect({ remotePort }));
    expect(failure).toMatchObject({
      trouble: 'port_taken',
      message: expect.stringContaining(`Port ${remotePort}`),
    });
    await noWorkerLeft(lab.server);
  });

  it('[RW-25] a full disk of the host leaves no partial files', async (context) => {
    const lab = await there({ path: [NODE, '/usr/bin', '/bin'] });
    const svc = join(lab.server.home, '.svc');
    await mkdir(svc);
    const disk = smallDisk(svc, '1m');
    if (disk === null) return context.skip('a small disk can be made only by root, and not on every machine');
    try {
      const failure = await whyNot(lab.connect());
      expect(failure).toMatchObject({
        trouble: 'disk_full',
        message: expect.stringMatching(/disk of lab is full/),
      });
      expect(await readdir(join(svc, 'worker'))).toEqual([]);
    } finally {
      disk.remove();
    }
  });

  it('[RW-26] add-ssh installs a worker for a running server, a cell runs on it, rm-ssh ends it', async () => {
    const ssh = await startSshServer();
    toClose.push(() => ssh.dispose());
    const PATH = [ssh.bin, process.env['PATH']].join(delimiter);
    const server = await startServerProcess({ env: { PATH } });
    toClose.push(() => server.dispose());
    const dir = join(server.storageDir, 'book');
    const book = await openNotebook(server, dir, [{ id: 'there001', source: 'x = 6 * 7\nx' }]);
    const target = ['--server', server.url, '--session', book.sid];
    const added = await svc(['worker', 'add-ssh', 'lab', ...target]);
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(added.stdout)).toMatchObject({ worker: { name: 'lab', healthy: true } });
    expect((await book.execute('there001')).status).toBe('ready');
    expect(await book.cell('there001')).toMatchObject({ remote_worker: 'lab' });
    expect(await readFile(join(dir, 'notebook.toml'), 'utf8')).toContain('ssh:lab');
    expect(await svc(['worker', 'rm-ssh', 'lab', '--stop-remote', ...target])).toMatchObject({ code: 0 });
    await noWorkerLeft(ssh);
    expect(await readFile(join(dir, 'notebook.toml'), 'utf8')).not.toContain('ssh:lab');
  });

  it('[RW-34] a client that disconnects ends the ssh process started for its request', async () => {
    const bin = await mkdtemp(join(tmpdir(), 'cellar-slow-ssh-'));
    toClose.push(() => rm(bin, { recursive: true, force: true }));
    await writeFile(join(bin, 'ssh'), `#!/bin/sh\necho $$ > ${bin}/pid\nexec sleep 600\n`, { mode: 0o755 });
    const PATH = [bin, process.env['PATH']].join(delimiter);
    const server = await startServerProcess({ env: { PATH } });
    toClose.push(() => server.dispose());
    const { sid } = await openNotebook(server, join(server.storageDir, 'book'), []);
    let asking = 0;
    const client = svc(['worker', 'add-ssh', 'lab', '--server', server.url, '--session', sid], {
      onStart: (pid) => {
        asking = pid;
      },
    });
    const ssh = await vi.waitFor(async () => {
      const pid = Number(await readFile(join(bin, 'pid'), 'utf8'));
      expect(pid).toBeGreaterThan(0);
      return pid;
    }, 60_000);
    process.kill(asking, 'SIGKILL');
    await client;
    await vi.waitFor(() => expect(() => process.kill(ssh, 0)).toThrow('ESRCH'), 60_000);
  });

  it('[RW-25] a missing ssh program is reported', async () => {
    const tokens = createWorkerTokens({});
    const workers = createSshWorkers({ files: FILES, tokens, program: ['/nowhere/ssh'] });
    const request = {
      notebookId: BOOK,
      target: 'lab',
      name: null,
      remotePort: null,
      localPort: null,
      install: true,
      wanted: FOR_EVER,
    };
    expect(await whyNot(workers.connect(request))).toMatchObject({ trouble: 'no_ssh' });
    for (const target of ['-oProxyCommand=touch /tmp/x', 'a b', '', 'x'.repeat(256)]) {
      expect(await whyNot(workers.connect({ ...request, target }))).toMatchObject({ trouble: 'other' });
    }
  });
});
