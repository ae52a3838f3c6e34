/** Reads the settings of a worker from its environment variables and flags. */

import { homedir, totalmem } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { type Codec, flag, forgivingInteger, integer, jsonObject } from '../config/codec.ts';
import { credentialByScheme, hostList, variableNames } from '../config/webCodecs.ts';
import type { WarmLimits } from './warmLimits.ts';

/** The settings of a worker (docs/spec/worker-process.md, 2); flags override environment variables. */
export interface WorkerSettings {
  readonly token: string | null;
  readonly connectToken: string | null;
  readonly maxConcurrent: number | null;
  readonly gpuSlots: number | null;
  readonly maxInputBytes: number;
  readonly maxMemberBytes: number;
  readonly allowLocalHosts: boolean;
  readonly allowedHosts: readonly string[];
  readonly launchId: string | null;
  /** The folder of locked environments. */
  readonly envRoot: string;
  readonly registryUrl: string | null;
  /** The limits for locked environments on disk; older and less used ones beyond them are removed. */
  readonly envLimits: { readonly bytes: number; readonly ageMs: number };
  /** The limits for warm processes. */
  readonly warm: WarmLimits;
  /** The variables that cells see; null: the worker's environment except its secrets. */
  readonly envAllowlist: readonly string[] | null;
  readonly credentials: Readonly<Record<string, unknown>> | null;
  readonly mountCredentials: Readonly<Record<string, unknown>> | null;
  /** Cellar's own: the Python of cells without a locked environment; null: the first on the PATH. */
  readonly python: string | null;
  readonly rscript: string | null;
  readonly uv: string | null;
}

/** The error for an invalid setting; the worker exits with code 2. */
export class WorkerSetupError extends Error {
  override readonly name = 'WorkerSetupError';
}

type Env = Readonly<Record<string, string | undefined>>;

const GIB = 1024 ** 3;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Reads the settings. @throws WorkerSetupError that names the variable */
export function workerSettings(
  env: Env,
  flags: Partial<Pick<WorkerSettings, 'token' | 'connectToken'>> & {
    readonly maxConcurrent?: number;
    readonly gpuSlots?: number;
  } = {},
): WorkerSettings {
  return {
    token: flags.token ?? plain(env, 'SVC_WORKER_TOKEN'),
    connectToken: flags.connectToken ?? plain(env, 'SVC_WORKER_CONNECT_TOKEN'),
    maxConcurrent: flags.maxConcurrent ?? count(env, 'SVC_WORKER_MAX_CONCURRENT'),
    gpuSlots: flags.gpuSlots ?? count(env, 'SVC_WORKER_GPU_SLOTS'),
    maxInputBytes: bytes(env, 'SVC_WORKER_MAX_INPUT_BYTES'),
    maxMemberBytes: bytes(env, 'SVC_NOTEBOOK_MAX_BUNDLE_MEMBER_BYTES'),
    allowLocalHosts: flag.parse(env['SVC_WORKER_ALLOW_LOCAL_HOSTS'] ?? '')?.value ?? false,
    allowedHosts: read(env, 'SVC_WORKER_ALLOWED_HOSTS', hostList) ?? [],
    launchId: plain(env, 'SVC_WORKER_LAUNCH_ID'),
    envRoot: folder(plain(env, 'SVC_WORKER_ENV_ROOT') ?? '~/.svc/worker-envs'),
    registryUrl: registry(env),
    envLimits: {
      bytes: count(env, 'SVC_WORKER_ENV_MAX_BYTES') ?? 20 * GIB,
      ageMs: (count(env, 'SVC_WORKER_ENV_MAX_AGE_DAYS') ?? 30) * DAY_MS,
    },
    warm: {
      environments: count(env, 'SVC_WORKER_WARM_ENVIRONMENTS', 0) ?? 4,
      bytes: count(env, 'SVC_WORKER_WARM_MAX_BYTES') ?? Math.min(GIB, Math.floor(totalmem() / 4)),
      idleMs: (count(env, 'SVC_WORKER_WARM_IDLE_SECONDS') ?? 600) * 1000,
    },
    envAllowlist: read(env, 'SVC_NOTEBOOK_HARNESS_ENV_ALLOWLIST', variableNames),
    credentials: read(env, 'SVC_NOTEBOOK_CREDENTIALS', jsonObject),
    mountCredentials: read(env, 'SVC_NOTEBOOK_MOUNT_CREDENTIALS', credentialByScheme),
    python: plain(env, 'SVC_WORKER_PYTHON'),
    rscript: plain(env, 'SVC_RSCRIPT'),
    uv: plain(env, 'SVC_UV'),
  };
}

function plain(env: Env, name: string): string | null {
  return env[name]?.trim() || null;
}

function bytes(env: Env, name: string): number {
  return forgivingInteger(2 * GIB).parse(env[name])?.value ?? 2 * GIB;
}

function count(env: Env, name: string, min = 1): number | null {
  const text = plain(env, name);
  if (text === null) return null;
  const parsed = integer(min).parse(text);
  if (parsed === null)
    throw new WorkerSetupError(`${name} must be a whole number of at least ${min}, not ${text}`);
  return parsed.value;
}

/**
 * Reads a variable. An empty value is the same as an unset one. The error does not show the value, which may be a
 * secret.
 */
function read<T>(env: Env, name: string, codec: Pick<Codec<T>, 'type' | 'parse'>): T | null {
  const text = plain(env, name);
  if (text === null) return null;
  const parsed = codec.parse(text);
  if (parsed === null)
    throw new WorkerSetupError(`${name}: its value is not allowed; it must be ${codec.type}`);
  return parsed.value;
}

function registry(env: Env): string | null {
  const text = plain(env, 'SVC_WORKER_ENV_REGISTRY_URL');
  if (text === null) return null;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new WorkerSetupError(`SVC_WORKER_ENV_REGISTRY_URL must be an http or https address, not ${text}`);
  }
  return text.replace(/\/+$/, '');
}

function folder(text: string): string {
  if (text === '~') return homedir();
  if (text.startsWith('~/')) return join(homedir(), text.slice(2));
  return isAbsolute(text) ? text : resolve(text);
}
