/** Contracts of the routes that edit, run and read the cells of a notebook. */

import * as z from 'zod';
import { cell, cellStatus, language, variantGroup } from '../cell.ts';
import { testCounts } from '../cellTests.ts';
import { dag, linkedDag } from '../dag.ts';
import { executionResult } from '../execution.ts';
import type { RouteContract } from './contract.ts';
import { authorField, cellParams, integerField, MAX_SOURCE_CHARACTERS, sessionParams } from './params.ts';

const PREFIX = '/v1/notebooks/{sid}/cells';

/** The rows of a table to return, and their order; `filters` is a JSON array of {col, op, value, value2}. */
const viewFields = {
  sort_by: z.string().optional(),
  /** `asc` or `desc`; anything else is 400 (docs/spec/rest-notebooks.md). */
  sort_dir: z.string().default('asc'),
  search: z.string().optional(),
  filters: z.string().optional(),
  /** Extension: a JSON array of {col, dir}, the most important key first; replaces `sort_by` and `sort_dir`. */
  sort: z.string().optional(),
};

/**
 * One column of a summary; min and max only for numbers and times, formatted as on a page (docs/spec/rest-notebooks.md,
 * 5.1 to 5.3).
 */
export const columnSummary = z.object({
  name: z.string(),
  dtype: z.string(),
  nulls: z.number().int(),
  distinct: z.number().int(),
  min: z.unknown(),
  max: z.unknown(),
});

/** One finished iteration of a loop (docs/spec/rest-notebooks.md, 5.3). */
export const loopIteration = z.object({
  iteration: z.number().int(),
  artifact_uri: z.string(),
  artifact_id: z.string(),
  version: z.number().int(),
  content_type: z.string(),
  byte_size: z.number().int(),
  row_count: z.number().int().nullable(),
  /** Seconds since 1970, with fractions. */
  created_at: z.number(),
});
export type LoopIteration = z.infer<typeof loopIteration>;

/** Content types that displays are served with; active content is served as a download (docs/spec/rest-core.md, 2). */
const INLINE_MEDIA = [
  'application/octet-stream',
  'image/png',
  'application/vnd.apache.arrow.stream',
  'application/json',
  'text/markdown',
];

export const CELL_ROUTES = {
  listCells: {
    method: 'GET',
    path: PREFIX,
    summary: 'The cells in notebook order',
    scope: 'notebook:read',
    params: sessionParams,
    response: z.object({ notebook_id: z.string(), cells: z.array(cell) }),
    errors: [404],
  },
  addCell: {
    method: 'POST',
    path: PREFIX,
    summary: 'Add an empty cell after another, or at the end',
    scope: 'notebook:write',
    params: sessionParams,
    body: z.object({
      after_cell_id: z.string().nullish(),
      language: language.default('python'),
      author: authorField,
    }),
    response: cell,
    errors: [400, 404, 409, 422],
  },
  editCell: {
    method: 'PUT',
    path: `${PREFIX}/{cell_id}`,
    summary: "Replace a cell's source",
    scope: 'notebook:write',
    params: cellParams,
    body: z.object({
      source: z.string().max(MAX_SOURCE_CHARACTERS),
      author: authorField,
      force: z.boolean().default(false),
      // Extension: the text the edit started from (docs/extensions.md).
      base: z.string().max(MAX_SOURCE_CHARACTERS).optional(),
    }),
    response: z.object({ cell, dag, cells: z.array(cell) }),
    errors: [400, 404, 409, 413, 422],
  },
  deleteCell: {
    method: 'DELETE',
    path: `${PREFIX}/{cell_id}`,
    summary: 'Delete a cell, its file and its test file',
    scope: 'notebook:write',
    params: cellParams,
    response: z.object({
      message: z.string(),
      cell_id: z.string(),
      variant_groups: z.array(variantGroup),
      cells: z.array(cell),
      dag: linkedDag.extend({ variant_groups: z.array(variantGroup) }),
    }),
    errors: [404, 409],
  },
  reorderCells: {
    method: 'PUT',
    path: `${PREFIX}/reorder`,
    summary: 'Reorder the cells; unlisted ones follow, unknown ids are ignored',
    scope: 'notebook:write',
    params: sessionParams,
    body: z.object({ cell_ids: z.array(z.string()) }),
    response: z.object({ notebook_id: z.string(), cells: z.array(cell) }),
    errors: [404, 409, 422],
  },
  executeCell: {
    method: 'POST',
    path: `${PREFIX}/{cell_id}/execute`,
    summary: 'Run a cell; a failing cell is a 200 with status error',
    scope: 'notebook:execute',
    params: cellParams,
    query: z.object({ mode: z.string().optional() }),
    response: executionResult,
    errors: [400, 404, 409, 500],
  },
  cancelCell: {
    method: 'POST',
    path: `${PREFIX}/{cell_id}/cancel`,
    summary: 'Stop the run that the cell is part of',
    scope: 'notebook:execute',
    params: cellParams,
    response: z.object({ cell_id: z.string(), cancelled: z.boolean(), status: cellStatus }),
    errors: [404],
  },
  setCellTests: {
    method: 'PUT',
    path: `${PREFIX}/{cell_id}/tests`,
    summary: "Write a cell's test file; a blank text deletes it",
    scope: 'notebook:write',
    params: cellParams,
    body: z.object({
      source: z.string().max(MAX_SOURCE_CHARACTERS),
      /** Extension: the text the edit started from; an unseen external change is merged, or refused. */
      base: z.string().max(MAX_SOURCE_CHARACTERS).optional(),
    }),
    response: cell,
    errors: [400, 404, 409, 413, 422],
  },
  runCellTests: {
    method: 'POST',
    path: `${PREFIX}/{cell_id}/tests`,
    summary: "Run a cell's tests against a copy of the cell; its results and status do not change",
    scope: 'notebook:execute',
    params: cellParams,
    response: testCounts.extend({ cell_id: z.string() }),
    errors: [400, 403, 404, 409, 503],
  },
  cellIterations: {
    method: 'GET',
    path: `${PREFIX}/{cell_id}/iterations`,
    summary: 'The finished iterations of a loop, of its carry unless a variable is named',
    scope: 'notebook:read',
    params: cellParams,
    query: z.object({ variable: z.string().max(1000).optional() }),
    response: z.object({
      cell_id: z.string(),
      variable: z.string().nullable(),
      iterations: z.array(loopIteration),
    }),
    errors: [404],
  },
  cellData: {
    method: 'GET',
    path: `${PREFIX}/{cell_id}/data`,
    summary: 'One page of a table result, filtered, searched and sorted by the server',
    scope: 'notebook:read',
    params: cellParams,
    query: z.object({
      artifact_uri: z.string(),
      /** A negative one counts as 0. */
      offset: integerField.default(0),
      /** Clamped to 1–500 rather than refused. */
      limit: integerField.default(100),
      ...viewFields,
    }),
    response: z.union([
      z.object({
        cell_id: z.string(),
        artifact_uri: z.string(),
        pageable: z.literal(true),
        columns: z.array(z.string()),
        rows: z.array(z.array(z.unknown())),
        total: z.number().int(),
        offset: z.number().int(),
        limit: z.number().int(),
        sort_by: z.string().nullable(),
        sort_dir: z.enum(['asc', 'desc']),
        /** Extension: the keys that were applied, if the query has `sort`. */
        sort: z.array(z.object({ col: z.string(), dir: z.enum(['asc', 'desc']) })).optional(),
      }),
      z.object({
        cell_id: z.string(),
        artifact_uri: z.string(),
        pageable: z.literal(false),
        offset: z.number().int(),
        limit: z.number().int(),
      }),
    ]),
    errors: [400, 404, 422],
  },
  cellSummary: {
    method: 'GET',
    path: `${PREFIX}/{cell_id}/data/summary`,
    summary: 'A summary of each column of a table result: type, nulls, distinct values, extremes',
    scope: 'notebook:read',
    params: cellParams,
    query: z.object({ artifact_uri: z.string() }),
    response: z.union([
      z.object({
        cell_id: z.string(),
        artifact_uri: z.string(),
        pageable: z.literal(true),
        columns: z.array(columnSummary),
        total: z.number().int(),
      }),
      z.object({
        cell_id: z.string(),
        artifact_uri: z.string(),
        pageable: z.literal(false),
        columns: z.array(columnSummary).max(0),
        total: z.literal(0),
      }),
    ]),
    errors: [400, 404, 422],
  },
  cellExport: {
    method: 'GET',
    path: `${PREFIX}/{cell_id}/data/export`,
    summary: 'All filtered and sorted rows as a CSV or Parquet download',
    scope: 'notebook:read',
    params: cellParams,
    query: z.object({ artifact_uri: z.string(), fmt: z.string().default('csv'), ...viewFields }),
    response: 'bytes',
    media: ['text/csv', 'application/vnd.apache.parquet'],
    errors: [400, 404, 422],
  },
  outputBlob: {
    method: 'GET',
    path: `${PREFIX}/{cell_id}/outputs/{index}/blob`,
    summary: 'One display output under its own content type; a negative index counts from the end',
    scope: 'notebook:read',
    params: cellParams.extend({ index: integerField }),
    response: 'bytes',
    media: INLINE_MEDIA,
    errors: [404, 422],
  },
} as const satisfies Record<string, RouteContract>;
