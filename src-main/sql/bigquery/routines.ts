/** Recognizes calls of user-defined functions in BigQuery statements, because such functions may read other tables. */

import type { CalledName } from '../../../src-shared/sql/tableName.ts';

/** The first parts of names with two parts that are functions of the service. */
const SERVICE_NAMESPACES = new Set('SAFE NET KEYS AEAD DETERMINISTIC HLL_COUNT KLL_QUANTILES'.split(' '));

/**
 * Whether a name is a function of a dataset, which may read tables that no FROM names. Functions of the service have
 * one part, and so do temporary functions, which a cell that reads cannot create.
 */
export function isRoutine({ parts }: CalledName): boolean {
  const names = parts.flatMap((part) => part.split('.'));
  return names.length > 1 && !SERVICE_NAMESPACES.has((names[0] ?? '').toUpperCase());
}
