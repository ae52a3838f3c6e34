import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import {
  EXECUTOR_PROTOCOL,
  EXECUTOR_PROTOCOL_HEADER,
  NOTEBOOK_CELL_PROTOCOL,
  NOTEBOOK_PROTOCOL_HEADER,
} from '../../src-shared/wire/worker/protocol.ts';
import { WorkerRefusal } from './refusal.ts';

/** The words of the refusal, or null (worker-protocol 12). */
export function whyUnauthorized(header: string | undefined, token: string | null): string | null {
  if (token === null) return null;
  const given = /^Bearer +(\S.*)$/i.exec(header ?? '')?.[1]?.trim();
  if (given === undefined) return 'Missing or malformed Authorization header (expected Bearer token)';
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token)) ? null : 'Invalid worker token';
}

/** @throws WorkerRefusal 400 for a caller of another version */
export function checkVersions({ headers }: FastifyRequest): void {
  for (const [name, wanted] of [
    [EXECUTOR_PROTOCOL_HEADER, EXECUTOR_PROTOCOL],
    [NOTEBOOK_PROTOCOL_HEADER, NOTEBOOK_CELL_PROTOCOL],
  ] as const) {
    const said = headers[name];
    if (said === undefined || said === wanted) continue;
    throw new WorkerRefusal(400, `Unsupported ${name} ${JSON.stringify(said)}; this worker speaks ${wanted}`);
  }
}
