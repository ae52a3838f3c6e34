import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import type { SshTunnelRecord } from '../../../../src-shared/wire/routes/sshWorkers.ts';
import { probeWorker } from '../call/probeWorker.ts';
import { ask, parsedJson, textOf } from '../call/request.ts';
import type { WorkerTokens } from '../call/workerTokens.ts';
import { workerUrls } from '../call/workerUrls.ts';
import { runSsh, type SshProgram, SYSTEM_SSH } from './runSsh.ts';
import { nameOfTarget, whyNoTarget } from './sshArguments.ts';
import { readSshError, SshFailure } from './sshTrouble.ts';
import { openTunnel, type SshTunnel, type TunnelOptions } from './sshTunnel.ts';
import { type Started, startThere, verbLine } from './startThere.ts';
import { packWorker, type WorkerFiles, type WorkerPack } from './workerPack.ts';

export interface SshWorkersOptions {
  readonly files: WorkerFiles;
  readonly tokens: Pick<WorkerTokens, 'set'>;
  readonly program?: SshProgram;
  /** How long a worker stays on its machine when nobody comes back to it. */
  readonly graceMs?: number;
  readonly tunnel?: Pick<TunnelOptions, 'random' | 'sleep'>;
}

export interface ToConnect {
  readonly notebookId: string;
  readonly target: string;
  readonly name: string | null;
  readonly remotePort: number | null;
  readonly localPort: number | null;
  readonly install: boolean;
  /** Aborted by whoever gives up: nothing is left running there then, nor known here. */
  readonly wanted: AbortSignal;
}

/** The workers this program started by ssh, and the ways to them; they end with it (remote-execution 9). */
export interface SshWorkers {
  /** @throws SshFailure, or the reason of `wanted` */
  connect(worker: ToConnect): Promise<SshTunnelRecord>;
  list(notebookId: string): Promise<readonly SshTunnelRecord[]>;
  /** What such a worker said last on its machine. @throws SshFailure */
  log(notebookId: string, name: string): Promise<string | null>;
  /** @returns whether there was one */
  disconnect(notebookId: string, name: string, options: { readonly stopRemote: boolean }): Promise<boolean>;
  /** Closes every way; a worker nobody comes back to ends after its grace. */
  close(): Promise<void>;
}

interface Known {
  readonly name: string;
  readonly target: string;
  readonly localPort: number;
  readonly started: Started;
  readonly tunnel: SshTunnel;
  readonly hash: string;
}

const GRACE_MS = 600_000;
const HEALTH_MS = 10_000;
const SPEAK_MS = 2_000;
const STOP_MS = 30_000;
const MOST_HEALTH = 1024 * 1024;

export function createSshWorkers(options: SshWorkersOptions): SshWorkers {
  const { files, tokens, program = SYSTEM_SSH, graceMs = GRACE_MS } = options;
  const known = new Map<string, Known>();
  const keyOf = (notebookId: string, name: string): string => `${notebookId}\0${name}`;
  const closing = new AbortController();
  let pack: Promise<WorkerPack> | null = null;
  const packed = (): Promise<WorkerPack> => {
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
    const one = known.get(key);
    if (one === undefined) return null;
    known.delete(key);
    await one.tunnel.close();
    return one;
  }

  return {
    async connect({ notebookId, target, name: called, remotePort, localPort: asked, install, wanted }) {
      const problem = whyNoTarget(target);
      if (problem !== null) throw new SshFailure('other', problem);
      const name = called ?? nameOfTarget(target);
      const key = keyOf(notebookId, name);
      await close(key);
      const { hash, ...rest } = await packed();
      const launchId = randomBytes(16).toString('base64url').replace(/^-/, '_');
      const token = randomBytes(32).toString('base64url');
      const started = await startThere(
        { program, target, signal: closing.signal },
        { name, pack: { hash, ...rest }, install, port: remotePort ?? 0, graceMs, launchId, token, wanted },
      );
      const localPort = asked === null || asked === 0 ? await freePort() : asked;
      const tunnel = await open(target, { name, localPort, started, launchId, hash, wanted }).catch(
        async (error: unknown) => {
          // What cannot be reached is not left running; where that fails too, it ends by itself.
          await stopThere({ name, target, hash, started }).catch(() => undefined);
          throw error;
        },
      );
      const one = { name, target, localPort, started, tunnel, hash };
      if (closing.signal.aborted) await tunnel.close();
      else known.set(key, one);
      tokens.set(notebookId, { name, url: executorUrl(localPort) }, token);
      return recordOf(one);
    },
    list: (notebookId) =>
      Promise.all(
        [...known].filter(([key]) => key.startsWith(`${notebookId}\0`)).map(([, one]) => recordOf(one)),
      ),
    async log(notebookId, name) {
      const one = known.get(keyOf(notebookId, name));
      return one === undefined ? null : logOf(program, one);
    },
    async disconnect(notebookId, name, { stopRemote }) {
      const key = keyOf(notebookId, name);
      const one = known.get(key);
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
      await Promise.all([...known.keys()].map(close));
    },
  };
}

/** What a tunnel leads to. */
interface Opened extends Pick<Known, 'name' | 'localPort' | 'started' | 'hash'>, Pick<ToConnect, 'wanted'> {
  readonly launchId: string;
}

/** Whoever answers at the end of the tunnel must be the worker that was just started. @throws SshFailure */
async function checkLaunch(
  target: string,
  { localPort, launchId, tunnel }: { localPort: number; launchId: string; tunnel: SshTunnel },
): Promise<void> {
  const told = await launchIdAt(localPort).catch(async (error: unknown) => {
    // Why a way leads nowhere is said by ssh, after the connection is closed.
    await Promise.race([tunnel.spoke(), wait(SPEAK_MS)]);
    const said = tunnel.said();
    if (said.trim() !== '') throw readSshError(target, said);
    const words = error instanceof Error ? error.message : String(error);
    throw new SshFailure('worker_ended', `The worker on ${target} is not responding: ${words}.`);
  });
  if (told === launchId) return;
  throw new SshFailure('not_ours', `Another program than the started worker responds on ${target}.`);
}

const launchIdIn = z.object({ launch_id: z.string() });

async function launchIdAt(port: number): Promise<string | null> {
  const url = workerUrls(executorUrl(port)).health;
  const signal = AbortSignal.timeout(HEALTH_MS);
  const answer = await ask({ method: 'GET', url, idleMs: HEALTH_MS, signal });
  const read = launchIdIn.safeParse(parsedJson(await textOf(answer, MOST_HEALTH)));
  return read.success ? read.data.launch_id : null;
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

const logged = z.object({ text: z.string() });

async function logOf(program: SshProgram, { name, target, hash, started }: Known): Promise<string> {
  const line = verbLine(hash, started.node, ['log', name]);
  const { stdout } = await runSsh({ program, target, line, timeoutMs: STOP_MS });
  const read = logged.safeParse(parsedJson(stdout.trim().split('\n').at(-1) ?? ''));
  return read.success ? read.data.text : '';
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
