/** Checks the token and the protocol version of requests to a worker. */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import {
  EXECUTOR_PROTOCOL,
  EXECUTOR_PROTOCOL_HEADER,
  NOTEBOOK_CELL_PROTOCOL,
  NOTEBOOK_PROTOCOL_HEADER,
} from '../../src-shared/wire/worker/protocol.ts';
import { WorkerRefusal } from './refusal.ts';

/** The message of the refusal, or null if the token is valid (docs/spec/worker-protocol.md, 12). */
export function whyUnauthorized(header: string | undefined, token: string | null): string | null {
  if (token === null) return null;
  const bearer = /^Bearer +(\S.*)$/i.exec(header ?? '')?.[1]?.trim();
  if (bearer === undefined) return 'Missing or malformed Authorization header (expected Bearer token)';
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(bearer), digest(token)) ? null : 'Invalid worker token';
}

/** Checks the protocol version. @throws WorkerRefusal 400 if the caller uses another one */
export function checkVersions({ headers }: FastifyRequest): void {
  for (const [name, version] of [
    [EXECUTOR_PROTOCOL_HEADER, EXECUTOR_PROTOCOL],
    [NOTEBOOK_PROTOCOL_HEADER, NOTEBOOK_CELL_PROTOCOL],
  ] as const) {
    const value = headers[name];
    if (value === undefined || value === version) continue;
    throw new WorkerRefusal(
      400,
      `Unsupported ${name} ${JSON.stringify(value)}; this worker speaks ${version}`,
    );
  }
}
