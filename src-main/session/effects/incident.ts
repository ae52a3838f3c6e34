import { randomUUID } from 'node:crypto';
import type { Logger } from '../../observe/log.ts';

/** Logs a fault of ours; the answer is the words a person can find it by. */
export function incidentOf(log: Logger, error: unknown, what: string): string {
  const incident = randomUUID().slice(0, 8);
  log.error({ err: error, incident }, what);
  return `incident ${incident}`;
}
