/**
 * Computes the keys under which results are stored and looked up (docs/spec/provenance-and-cache.md, 1): digests of a
 * run's inputs, source and environment.
 */

import { hash } from 'node:crypto';

function sha256(text: string): string {
  return hash('sha256', text);
}

/**
 * sha256 of `parent:label:...` (docs/spec/provenance-and-cache.md, 1): a variable, `__display__0`, `__console__`,
 * `content=…`.
 */
export function subkey(parent: string, ...labels: readonly string[]): string {
  return sha256([parent, ...labels].join(':'));
}

/**
 * The environment part of a cell's key (docs/spec/provenance-and-cache.md, 1).
 * @param lockHash hex digest of what the locks install
 * @param runtime worker identity, e.g. `local:local`
 * @param env the relevant variables only: those the cell reads by literal name, plus its own
 */
export function envHashOf(lockHash: string, runtime: string, env: Readonly<Record<string, string>>): string {
  const pairs = Object.keys(env)
    .sort()
    .map((key) => `\0${key}=${env[key]}`);
  return sha256(`${lockHash}\0runtime=${runtime}${pairs.join('')}`);
}

/** A worker's declaration of where its cells run (docs/spec/provenance-and-cache.md, 1). */
interface DeclaredWorker {
  readonly backend: string;
  readonly runtime_id: string | null;
  readonly config: Readonly<Record<string, unknown>>;
}

/** `<backend>:<runtime_id>`, else `<backend>:<name>` with the digest of a configuration; `local:local` by itself. */
export function workerIdentity(name: string, declared: DeclaredWorker | null): string {
  if (declared === null || name === 'local') return `local:${name}`;
  const { backend, runtime_id } = declared;
  if (runtime_id !== null && runtime_id !== '') return `${backend}:${runtime_id}`;
  const config = Object.fromEntries(Object.entries(declared.config).filter(([, value]) => value !== null));
  return Object.keys(config).length === 0
    ? `${backend}:${name}`
    : `${backend}:${name}:${sha256(JSON.stringify(sortedKeys(config)))}`;
}

/** A JSON value with the keys of every object in it sorted. */
export function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, inner]) => [key, sortedKeys(inner)]),
  );
}

/** The lock part: the runtime closure's digest, then the R lock's bytes; missing files add nothing. */
export function lockHashOf(pythonLockDigest: string | null, rLock: string | null): string {
  return sha256(`${pythonLockDigest ?? ''}${rLock ?? ''}`);
}

/** A run's key: its inputs (sorted), its source, its environment (docs/spec/provenance-and-cache.md, 1). */
export function provenanceOf(inputs: readonly string[], sourceHash: string, envHash: string): string {
  const sorted = [...inputs].sort();
  return sha256(`${sorted.map((input) => `${input}\0`).join('')}${sourceHash}\0${envHash}`);
}

/** Digest of the values a run reads, with the names it reads them under. */
export function basisOf(lines: readonly string[]): string {
  return sha256(`basis\0${[...lines].sort().join('\0')}`);
}

/**
 * The key of a run without its packages: the same code over the same values of the same runs. A result under
 * it answers if the packages its run reached are unchanged. Null if an input does not record its run. @param
 * envHash without the lock
 */
export function unlockedKeyOf(
  digests: readonly InputDigest[],
  sourceHash: string,
  envHash: string,
  outside: readonly string[] = [],
): string | null {
  const runs = digests.map(({ variable, world, run }) =>
    world === '' ? `${variable}=` : `${variable}=${run}`,
  );
  if (digests.some(({ world, run }) => world !== '' && run === undefined)) return null;
  const content = contentKeyOf(digests, sourceHash, envHash, outside);
  return content === null ? null : sha256(`unlocked\0${content}\0${runs.sort().join('\0')}`);
}

/**
 * The digest of one input, and the type it is read as: a module and a dict of its name have the same bytes.
 */
export interface InputDigest {
  readonly variable: string;
  readonly contentType: string;
  readonly sha256: string | null;
  /** What the value depends on beyond its bytes (observed/world.ts); null: unknown. */
  readonly world: string | null;
  /** The run that made it; absent: not recorded. */
  readonly run?: string | undefined;
}

/**
 * The early cut-off key: the same cell over the same input *bytes* gives the same result, whatever produced
 * them. Null if an input has no digest or no known world; such a run never matches. @param outside the lines
 * about mounts, fetches, datasets and tables
 */
export function contentKeyOf(
  digests: readonly InputDigest[],
  sourceHash: string,
  envHash: string,
  outside: readonly string[] = [],
): string | null {
  const lines: string[] = [];
  for (const { variable, contentType, sha256: digest, world } of digests) {
    if (digest === null || world === null) return null;
    lines.push(`${variable}=${contentType}:${digest}:${world}`);
  }
  const used = outside.length === 0 ? '' : `\0outside\0${[...outside].sort().join('\0')}`;
  return sha256(`content\0${lines.sort().join('\0')}\0${sourceHash}\0${envHash}${used}`);
}
