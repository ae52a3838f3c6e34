import { randomBytes } from 'node:crypto';
import type { CodeRequest } from './step.ts';

/** For a result with unknown inputs: it is shown, and never matches a later run. */
export function withUnmatchableKeys<R extends CodeRequest>(request: R): R {
  const keys = { provenanceHash: randomBytes(32).toString('hex'), contentKey: null };
  return 'unlockedKey' in request ? { ...request, ...keys, unlockedKey: null } : { ...request, ...keys };
}
