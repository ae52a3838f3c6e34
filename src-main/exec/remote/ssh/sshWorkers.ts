/**
 * Workers on other machines that this program starts over SSH: installs and starts them, opens tunnels to
 * them, checks that the right program answers, and stops them.
 */

import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import type { SshTunnelRecord } from '../../../../src-shared/wire/routes/sshWorkers.ts';
import { sendHttpRequest, textOf } from '../../../lib/http/request.ts';
import { tryParseJson } from '../../../lib/tryParseJson.ts';
import { probeWorker } from '../call/probeWorker.ts';
import type { WorkerTokens } from '../call/workerTokens.ts';
import { workerUrls } from '../call/workerUrls.ts';
import { runSsh, type SshProgram, SYSTEM_SSH } from './runSsh.ts';
import { nameOfTarget, targetProblem } from './sshArguments.ts';
import { readSshError, SshFailure } from './sshTrouble.ts';
import { openTunnel, type SshTunnel, type TunnelOptions } from './sshTunnel.ts';
import { type StartedWorker, startRemoteWorker, verbLine } from './startRemoteWorker.ts';
import { packWorker, type WorkerFiles, type WorkerPack } from './workerPack.ts';

interface SshWorkersOptions {
  readonly files: WorkerFiles;
  readonly tokens: Pick<WorkerTokens, 'set'>;
  readonly program?: SshProgram;
  /** How long a worker keeps running on its machine without a connection. */
  readonly graceMs?: number;
  readonly tunnel?: Pick<TunnelOptions, 'random' | 'sleep'>;
}

export interface ConnectRequest {
  readonly notebookId: string;
  readonly target: string;
  readonly name: string | null;
  readonly remotePort: number | null;
  readonly localPort: number | null;
  readonly install: boolean;
  /** Aborted when the user gives up: then nothing keeps running there, and nothing is recorded here. */
  readonly wanted: AbortSignal;
}

/**
 * The workers that this program started over SSH, with their tunnels; both end with the program
 * (docs/spec/remote-execution.md, 9).
 */
export interface SshWorkers {
  /** @throws SshFailure, or the reason of `wanted` */
  connect(worker: ConnectRequest): Promise<SshTunnelRecord>;
  list(notebookId: string): Promise<readonly SshTunnelRecord[]>;
  /** The newest output of such a worker on its machine. @throws SshFailure */
  log(notebookId: string, name: string): Promise<string | null>;
  /** @returns whether there was such a worker */
  disconnect(notebookId: string, name: string, options: { readonly stopRemote: boolean }): Promise<boolean>;
  /** Closes all tunnels; a worker without a connection ends after its grace period. */
  close(): Promise<void>;
}

interface Known {
  readonly name: string;
  readonly target: string;
  readonly localPort: number;
  readonly started: StartedWorker;
  readonly tunnel: SshTunnel;
  readonly hash: string;
}

const GRACE_MS = 600_000;
const HEALTH_MS = 10_000;
const MESSAGE_MS = 2_000;
const STOP_MS = 30_000;
const MAX_HEALTH = 1024 * 1024;

export function createSshWorkers(options: SshWorkersOptions): SshWorkers {
  const { files, tokens, program = SYSTEM_SSH, graceMs = GRACE_MS } = options;
  const connections = new Map<string, Known>();
  const keyOf = (notebookId: string, name: string): string => `${notebookId}\0${name}`;
  const closing = new AbortController();
  let pack: Promise<WorkerPack> | null = null;
  const packOnce = (): Promise<WorkerPack> => {
    pack ??= packWorker(files).catch((error: unknown) => {
      pack = null;
      throw error;
    });
    return pack;
  };

  async function open(
    target: string,
    { name, localPort, started, launchId, hash, wanted }: Opened,
  ): Promise<SshTunnel> {
    wanted.throwIfAborted();
    const line = verbLine(hash, started.node, ['keep', name, launchId, String(graceMs)]);
    const forward = { localPort, remotePort: started.port };
    const tunnel = await openTunnel({ ...options.tunnel, program, target, line, forward });
    try {
      await checkLaunch(target, { localPort, launchId, tunnel });
      wanted.throwIfAborted();
      return tunnel;
    } catch (error) {
      await tunnel.close();
      throw error;
    }
  }

  async function stopThere(one: Pick<Known, 'name' | 'target' | 'hash' | 'started'>): Promise<void> {
    const line = verbLine(one.hash, one.started.node, ['stop', one.name]);
    await runSsh({ program, target: one.target, line, timeoutMs: STOP_MS, signal: closing.signal });
  }

  async function close(key: string): Promise<Known | null> {
    const one = connections.get(key);
    if (one === undefined) return null;
    connections.delete(key);
    await one.tunnel.close();
    return one;
  }

  return {
    async connect({
      notebookId,
      target,
      name: requestedName,
      remotePort,
      localPort: requestedPort,
      install,
      wanted,
    }) {
      const problem = targetProblem(target);
      if (problem !== null) throw new SshFailure('other', problem);
      const name = requestedName ?? nameOfTarget(target);
      const key = keyOf(notebookId, name);
      await close(key);
      const { hash, ...rest } = await packOnce();
      const launchId = randomBytes(16).toString('base64url').replace(/^-/, '_');
      const token = randomBytes(32).toString('base64url');
      const started = await startRemoteWorker(
        { program, target, signal: closing.signal },
        { name, pack: { hash, ...rest }, install, port: remotePort ?? 0, graceMs, launchId, token, wanted },
      );
      const localPort = requestedPort === null || requestedPort === 0 ? await freePort() : requestedPort;
      const tunnel = await open(target, { name, localPort, started, launchId, hash, wanted }).catch(
        async (error: unknown) => {
          // A worker that cannot be reached is stopped; if that fails too, it ends after its grace period.
          await stopThere({ name, target, hash, started }).catch(() => undefined);
          throw error;
        },
      );
      const one = { name, target, localPort, started, tunnel, hash };
      if (closing.signal.aborted) await tunnel.close();
      else connections.set(key, one);
      tokens.set(notebookId, { name, url: executorUrl(localPort) }, token);
      return recordOf(one);
    },
    list: (notebookId) =>
      Promise.all(
        [...connections].filter(([key]) => key.startsWith(`${notebookId}\0`)).map(([, one]) => recordOf(one)),
      ),
    async log(notebookId, name) {
      const one = connections.get(keyOf(notebookId, name));
      return one === undefined ? null : logOf(program, one);
    },
    async disconnect(notebookId, name, { stopRemote }) {
      const key = keyOf(notebookId, name);
      const one = connections.get(key);
      if (one === undefined) return false;
      if (stopRemote) {
        await stopThere(one);
      }
      await close(key);
      tokens.set(notebookId, { name, url: null }, null);
      return true;
    },
    async close() {
      closing.abort(new Error('the program ends'));
      await Promise.all([...connections.keys()].map(close));
    },
  };
}

/** The worker that a tunnel leads to. */
interface Opened
  extends Pick<Known, 'name' | 'localPort' | 'started' | 'hash'>,
    Pick<ConnectRequest, 'wanted'> {
  readonly launchId: string;
}

/** Checks that the program at the end of the tunnel is the worker that was just started. @throws SshFailure */
async function checkLaunch(
  target: string,
  { localPort, launchId, tunnel }: { localPort: number; launchId: string; tunnel: SshTunnel },
): Promise<void> {
  const actualId = await launchIdAt(localPort).catch(async (error: unknown) => {
    // When a tunnel does not work, ssh prints the reason after the connection is closed.
    await Promise.race([tunnel.spoke(), wait(MESSAGE_MS)]);
    const output = tunnel.messages();
    if (output.trim() !== '') throw readSshError(target, output);
    const reason = error instanceof Error ? error.message : String(error);
    throw new SshFailure('worker_ended', `The worker on ${target} is not responding: ${reason}.`);
  });
  if (actualId === launchId) return;
  throw new SshFailure('not_ours', `A program other than the started worker responds on ${target}.`);
}

const launchIdIn = z.object({ launch_id: z.string() });

async function launchIdAt(port: number): Promise<string | null> {
  const url = workerUrls(executorUrl(port)).health;
  const signal = AbortSignal.timeout(HEALTH_MS);
  const answer = await sendHttpRequest({ method: 'GET', url, idleMs: HEALTH_MS, signal });
  const parsed = launchIdIn.safeParse(tryParseJson(await textOf(answer, MAX_HEALTH)));
  return parsed.success ? parsed.data.launch_id : null;
}

function executorUrl(port: number): string {
  return `http://127.0.0.1:${port}/v1/execute`;
}

async function recordOf({ name, target, localPort, started, tunnel }: Known): Promise<SshTunnelRecord> {
  const state = tunnel.state();
  const url = executorUrl(localPort);
  const { health } = state.kind === 'up' ? await probeWorker(workerUrls(url).health) : { health: null };
  return {
    name,
    ssh_target: target,
    local_port: localPort,
    remote_port: started.port,
    remote_pid: started.pid,
    healthy: health === 'healthy',
    executor_url: url,
    state: state.kind,
    problem: state.kind === 'up' ? null : state.problem.message,
  };
}

const logAnswer = z.object({ text: z.string() });

async function logOf(program: SshProgram, { name, target, hash, started }: Known): Promise<string> {
  const line = verbLine(hash, started.node, ['log', name]);
  const { stdout } = await runSsh({ program, target, line, timeoutMs: STOP_MS });
  const parsed = logAnswer.safeParse(tryParseJson(stdout.trim().split('\n').at(-1) ?? ''));
  return parsed.success ? parsed.data.text : '';
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
