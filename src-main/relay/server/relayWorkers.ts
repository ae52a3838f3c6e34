/** The list of workers that may connect to a relay, and the check of their tokens. */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { parse } from 'smol-toml';
import * as z from 'zod';

/** A worker that may connect: its name in the relay's URLs and the hash of its connect token. */
interface RelayWorker {
  readonly name: string;
  readonly tokenSha256: Buffer;
}

export type RelayWorkers = ReadonlyMap<string, RelayWorker>;

/** The error for a problem in the list of workers, for its author. */
export class RelayWorkersError extends Error {}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;
const MIN_TOKEN = 16;

const listed = z.strictObject({
  workers: z.record(
    z.string(),
    z.union([z.strictObject({ token: z.string() }), z.strictObject({ token_sha256: z.string() })]),
  ),
});

/**
 * The workers of a file (TOML, `[workers.NAME]` with `token` or `token_sha256`) and of SVC_RELAY_WORKERS
 * (`name=token`, comma-separated), together. @throws RelayWorkersError naming the invalid part, never a token
 */
export function readRelayWorkers(sources: { readonly toml: string; readonly env: string }): RelayWorkers {
  const workers = new Map<string, RelayWorker>();
  const add = (name: string, tokenSha256: Buffer) => {
    if (!NAME.test(name)) {
      throw new RelayWorkersError(
        `a worker's name must consist of letters, digits, dots, dashes and underscores, not ${name}`,
      );
    }
    if (workers.has(name)) throw new RelayWorkersError(`the worker ${name} is listed twice`);
    workers.set(name, { name, tokenSha256 });
  };
  for (const [name, worker] of Object.entries(fromToml(sources.toml))) {
    add(name, 'token' in worker ? hashed(name, worker.token) : digest(name, worker.token_sha256));
  }
  for (const entry of sources.env.split(',').filter((part) => part.trim() !== '')) {
    const at = entry.indexOf('=');
    if (at === -1) throw new RelayWorkersError('SVC_RELAY_WORKERS must be a list of name=token');
    const name = entry.slice(0, at).trim();
    add(name, hashed(name, entry.slice(at + 1).trim()));
  }
  return workers;
}

const STRANGER: RelayWorker = { name: '', tokenSha256: randomBytes(32) };

/** The worker with this name and connect token, or null; in constant time for either fault. */
export function admitWorker(workers: RelayWorkers, name: string, authorization: string): RelayWorker | null {
  const worker = workers.get(name) ?? STRANGER;
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '';
  const isRight = timingSafeEqual(sha256(token), worker.tokenSha256);
  return isRight && worker !== STRANGER ? worker : null;
}

function fromToml(text: string): z.infer<typeof listed>['workers'] {
  if (text.trim() === '') return {};
  let parsed: unknown;
  try {
    parsed = parse(text);
  } catch (error) {
    throw new RelayWorkersError(
      `the list of workers is not valid TOML: ${error instanceof Error ? error.message.split('\n')[0] : ''}`,
    );
  }
  const result = listed.safeParse(parsed);
  if (result.success) return result.data.workers;
  const [issue] = result.error.issues;
  throw new RelayWorkersError(
    `the list of workers must consist of [workers.NAME] tables with token or token_sha256; wrong at ${issue?.path.join('.') || 'the top level'}`,
  );
}

function hashed(name: string, token: string): Buffer {
  if (token.length < MIN_TOKEN)
    throw new RelayWorkersError(`the connect token of ${name} has fewer than ${MIN_TOKEN} characters`);
  return sha256(token);
}

function digest(name: string, hex: string): Buffer {
  if (!/^[0-9a-f]{64}$/i.test(hex))
    throw new RelayWorkersError(`token_sha256 of ${name} must be 64 hexadecimal digits`);
  return Buffer.from(hex, 'hex');
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
