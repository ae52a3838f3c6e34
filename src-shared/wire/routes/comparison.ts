/** The wire form of the differences between two stored results. */

import * as z from 'zod';

/** One changed value in a table. `row` counts from 0, in the second table; `key`: the value of the key column. */
const tableDifference = z.object({
  row: z.number().int(),
  key: z.unknown().optional(),
  column: z.string(),
  before: z.unknown(),
  after: z.unknown(),
});

/** The number of rows, and the keys of the first of them. */
const onlyInOne = z.object({ count: z.number().int(), first: z.array(z.unknown()) });

/** How two results differ, as far as it can be described. */
export const comparison = z.discriminatedUnion('kind', [
  /** Both results have the same bytes. */
  z.object({ kind: z.literal('same') }),
  z.object({
    kind: z.literal('table'),
    rows: z.object({ before: z.number().int(), after: z.number().int() }),
    columns_added: z.array(z.string()),
    columns_removed: z.array(z.string()),
    /** The first differences in common columns, row by row. */
    differences: z.array(tableDifference),
    /** The number of compared rows; later rows were not compared. */
    rows_compared: z.number().int(),
    /** Absent: this route matches rows by position. */
    by_key: z
      .object({
        /** The column by which rows are matched; null: none was requested, or it does not identify rows. */
        column: z.string().nullable(),
        /** The columns that identify each row in both tables. */
        columns: z.array(z.string()),
        /** Rows that only one table has. */
        added: onlyInOne,
        removed: onlyInOne,
      })
      .optional(),
  }),
  /** Text, or JSON formatted over several lines. */
  z.object({ kind: z.literal('text'), before: z.string(), after: z.string() }),
  /** Pictures, in base64. */
  z.object({ kind: z.literal('image'), before: z.string(), after: z.string() }),
  /** The results differ in a way that cannot be described; `reason` is a message. */
  z.object({ kind: z.literal('other'), reason: z.string() }),
]);
export type Comparison = z.infer<typeof comparison>;
