import { createHash } from 'node:crypto';

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** sha256 of `parent:label:...` (semantics 4.1): a variable, `__display__0`, `__console__`, `content=…`. */
export function subkey(parent: string, ...labels: readonly string[]): string {
  return sha256([parent, ...labels].join(':'));
}

/**
 * The environment part of a cell's key (semantics 4.1).
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

/** The lock part: the runtime closure's digest, then the R lock's bytes; missing files add nothing. */
export function lockHashOf(pythonLockDigest: string | null, rLock: string | null): string {
  return sha256(`${pythonLockDigest ?? ''}${rLock ?? ''}`);
}

/** A run's key: its inputs (sorted), its source, its environment (semantics 4.1). */
export function provenanceOf(inputs: readonly string[], sourceHash: string, envHash: string): string {
  const sorted = [...inputs].sort();
  return sha256(`${sorted.map((input) => `${input}\0`).join('')}${sourceHash}\0${envHash}`);
}

/** The bytes of one input, and what they are read as: a module and a dict of its name have the same bytes. */
export interface InputDigest {
  readonly variable: string;
  readonly contentType: string;
  readonly sha256: string | null;
}

/**
 * The early cut-off key: the same cell over the same input *bytes* gives the same result, whatever
 * produced them. Null when an input has no digest; such a run never matches.
 */
export function contentKeyOf(
  digests: readonly InputDigest[],
  sourceHash: string,
  envHash: string,
): string | null {
  const lines: string[] = [];
  for (const { variable, contentType, sha256: digest } of digests) {
    if (digest === null) return null;
    lines.push(`${variable}=${contentType}:${digest}`);
  }
  return sha256(`content\0${lines.sort().join('\0')}\0${sourceHash}\0${envHash}`);
}
