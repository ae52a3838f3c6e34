/** Logs an internal error under a short id, which the message to the user shows. */

import { randomUUID } from 'node:crypto';
import type { Logger } from '../../observe/log.ts';

/** Logs an internal error and returns a message with the id to find it by. */
export function incidentOf(log: Logger, error: unknown, what: string): string {
  const incident = randomUUID().slice(0, 8);
  log.error({ err: error, incident }, what);
  return `incident ${incident}`;
}
