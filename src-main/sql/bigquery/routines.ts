import type { CalledName } from '../../../src-shared/sql/tableName.ts';

/** What the service's own functions begin with where their names have two parts. */
const OWN = new Set('SAFE NET KEYS AEAD DETERMINISTIC HLL_COUNT KLL_QUANTILES'.split(' '));

/**
 * Whether a name is a function of a dataset: what that reads, or asks of elsewhere, no FROM says. One of the service
 * has a single part; so has one that lasts a session, which a cell that reads cannot make.
 */
export function isRoutine({ parts }: CalledName): boolean {
  const names = parts.flatMap((part) => part.split('.'));
  return names.length > 1 && !OWN.has((names[0] ?? '').toUpperCase());
}
