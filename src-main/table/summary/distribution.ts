/** The distribution of a column's values in the data viewer: a histogram, or the most frequent values. */

import { type Column, NULL, statesOf } from '../columns/column.ts';
import { type CommonValues, commonValues } from './commonValues.ts';
import { type Bin, binsOf } from './distributionBins.ts';

/** The distribution of a column's values; `none`: they cannot be put in bins, and too many are distinct. */
type DistributionShape =
  | { readonly kind: 'bins'; readonly bins: readonly Bin[] }
  | ({ readonly kind: 'values' } & CommonValues)
  | { readonly kind: 'none' };

export interface ColumnDistribution {
  readonly name: string;
  readonly nulls: number;
  readonly spread: DistributionShape;
}

/** The distribution of all rows, or of `rows`, which are in order. */
export function distributionOf(column: Column, rows: Uint32Array | null): ColumnDistribution {
  return { name: column.name, nulls: nullsOf(column, rows), spread: shapeOf(column, rows) };
}

function shapeOf(column: Column, rows: Uint32Array | null): DistributionShape {
  const bins = binsOf(column, rows);
  if (bins !== null) return { kind: 'bins', bins };
  const common = commonValues(column, rows);
  return common === null ? { kind: 'none' } : { kind: 'values', ...common };
}

function nullsOf(column: Column, rows: Uint32Array | null): number {
  const states = statesOf(column);
  if (states === null) return 0;
  const { length } = rows ?? states;
  let nulls = 0;
  for (let at = 0; at < length; at += 1) {
    if (states[rows === null ? at : (rows[at] as number)] === NULL) nulls += 1; // below its length
  }
  return nulls;
}
