/** Contracts of the window's routes about a cell's table: statistics of a column, and grouped rows. */

import * as z from 'zod';
import type { RouteContract } from './contract.ts';
import { cellParams, integerField } from './params.ts';

const DATA = '/v1/notebooks/{sid}/x/cells/{cell_id}/data';

/** The aggregates of a group's values (docs/extensions.md). */
export const aggregateName = z.enum(['count', 'sum', 'mean', 'median', 'std', 'min', 'max', 'distinct']);
export type AggregateName = z.infer<typeof aggregateName>;

/** Selects rows of a table, like the route `data`. */
const rowsFields = { search: z.string().optional(), filters: z.string().optional() };

/** The viewer's statistics of one column; values formatted as on a page. */
const columnFacts = z.object({
  name: z.string(),
  dtype: z.string(),
  /** Rows with a value; NaN is one. */
  count: z.number().int(),
  nulls: z.number().int(),
  nans: z.number().int(),
  /** Distinct values; null is none, NaN is one. */
  distinct: z.number().int(),
  /** Of numbers that have a finite sum. */
  moments: z.object({ sum: z.number(), mean: z.number(), std: z.number().nullable() }).nullable(),
  /** From `q` 0, the smallest value, to 1, the largest; empty for types without an order. */
  quantiles: z.array(z.object({ q: z.number(), value: z.unknown() })),
  /** The most frequent values first. */
  top: z.array(z.object({ value: z.unknown(), count: z.number().int() })),
  /** The number of distinct values that match `find`. */
  matching: z.number().int(),
  /** The bars of a histogram, as in `distribution`. */
  bins: z.array(z.object({ from: z.unknown(), to: z.unknown(), count: z.number().int() })).nullable(),
});
export type ColumnFacts = z.infer<typeof columnFacts>;

const notPageable = z.object({
  cell_id: z.string(),
  artifact_uri: z.string(),
  pageable: z.literal(false),
});

/** Queries of a table result other than its pages (docs/extensions.md). */
export const TABLE_ROUTES = {
  cellColumn: {
    method: 'GET',
    path: `${DATA}/column`,
    summary:
      'Statistics and the most frequent values of one column, over the rows that match search and filters',
    scope: 'notebook:read',
    params: cellParams,
    query: z.object({
      artifact_uri: z.string(),
      column: z.string(),
      ...rowsFields,
      /** Only values whose text has this are counted in `top`. */
      find: z.string().default(''),
      /** Clamped to 1–1,000. */
      most: integerField.default(20),
    }),
    response: z.union([
      z.object({
        cell_id: z.string(),
        artifact_uri: z.string(),
        pageable: z.literal(true),
        column: columnFacts,
        /** Rows after search and filters. */
        total: z.number().int(),
      }),
      notPageable,
    ]),
    errors: [400, 404, 422],
  },
  cellGroups: {
    method: 'GET',
    path: `${DATA}/groups`,
    summary: 'The rows of a table result grouped by the values of columns, with aggregates',
    scope: 'notebook:read',
    params: cellParams,
    query: z.object({
      artifact_uri: z.string(),
      /** A JSON array of column names. */
      by: z.string(),
      /** A JSON array of `{col, agg}`; `{agg: "rows"}` counts the rows. */
      measures: z.string().optional(),
      ...rowsFields,
      /** Index of a column of the answer; without it, groups are in the order of their keys. */
      sort: integerField.optional(),
      sort_dir: z.string().default('asc'),
      offset: integerField.default(0),
      /** Clamped to 1–1,000. */
      limit: integerField.default(200),
    }),
    response: z.union([
      z.object({
        cell_id: z.string(),
        artifact_uri: z.string(),
        pageable: z.literal(true),
        columns: z.array(z.string()),
        rows: z.array(z.array(z.unknown())),
        /** The number of groups. */
        total: z.number().int(),
        offset: z.number().int(),
        limit: z.number().int(),
      }),
      notPageable,
    ]),
    errors: [400, 404, 422],
  },
} as const satisfies Record<string, RouteContract>;
