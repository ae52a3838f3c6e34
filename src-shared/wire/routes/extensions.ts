import { z } from 'zod';
import { cellStatus } from '../cell.ts';
import { CELL_ROUTES } from './cells.ts';
import type { RouteContract } from './contract.ts';
import { cellParams, sessionParams } from './params.ts';

const NOTEBOOKS = '/v1/notebooks';
const SESSION = `${NOTEBOOKS}/{sid}/x`;
const CELL = `${SESSION}/cells/{cell_id}`;

/** One version of what a cell's run stored. `variable` is the name, or `display 1` for what it showed first. */
export const keptResult = z.object({
  variable: z.string(),
  artifact_uri: z.string(),
  version: z.number().int(),
  content_type: z.string(),
  rows: z.number().int().nullable(),
  columns: z.array(z.string()).nullable(),
  byte_size: z.number().int(),
  /** ISO UTC. */
  created_at: z.string(),
  /** The version readers get now. */
  current: z.boolean(),
  provenance_hash: z.string(),
});
export type KeptResult = z.infer<typeof keptResult>;

/** One thing a run depends on, beside what the last run had. `cell_id`: who makes an input. */
export const explainedInput = z.object({
  kind: z.enum(['source', 'input', 'environment', 'timeout', 'env', 'worker']),
  name: z.string(),
  state: z.enum(['same', 'changed', 'new', 'gone']),
  detail: z.string().nullable(),
  cell_id: z.string().nullable(),
});
export type ExplainedInput = z.infer<typeof explainedInput>;

export const explanation = z.object({
  cell_id: z.string(),
  status: cellStatus,
  /** `hit`, `fresh`: ready, by the store or by a run (or not ready, and the store would answer); `miss`: a run is due though nothing changed. */
  verdict: z.enum(['hit', 'miss', 'stale', 'fresh', 'never_run']),
  headline: z.string(),
  inputs: z.array(explainedInput),
  /** The last run that succeeded; `at` is ISO UTC. */
  last_run: z.object({ at: z.string(), duration_ms: z.number(), cache_hit: z.boolean() }).nullable(),
});
export type Explanation = z.infer<typeof explanation>;

/** One line of the server's log about a notebook; `detail` is what was recorded beside the words. */
export const logLine = z.object({
  at: z.string(),
  level: z.enum(['debug', 'info', 'warning', 'error', 'critical']),
  message: z.string(),
  detail: z.string().nullable(),
});
export type LogLine = z.infer<typeof logLine>;

export const listedFile = z.object({
  /** From the notebook's folder, with forward slashes. */
  path: z.string(),
  kind: z.enum(['cell', 'data', 'config', 'other']),
  /** Bytes. */
  size: z.number().int(),
  /** ISO UTC. */
  modified_at: z.string(),
});
export type ListedFile = z.infer<typeof listedFile>;

export const example = z.object({
  name: z.string(),
  path: z.string(),
  title: z.string(),
  about: z.string(),
  cells: z.number().int(),
});
export type Example = z.infer<typeof example>;

/** Routes the specification does not have: what the window shows beyond it (docs/extensions.md). */
export const EXTENSION_ROUTES = {
  restoreCell: {
    method: 'POST',
    path: `${CELL}/restore`,
    summary: 'Undo a deletion: the same id, source, place, tests and results',
    scope: 'notebook:write',
    params: cellParams,
    response: CELL_ROUTES.deleteCell.response,
    errors: [404, 409],
  },
  cellResults: {
    method: 'GET',
    path: `${CELL}/results`,
    summary: 'Every kept version of what the cell stored and showed, newest first',
    scope: 'notebook:read',
    params: cellParams,
    response: z.object({ cell_id: z.string(), results: z.array(keptResult) }),
    errors: [404],
  },
  explainCell: {
    method: 'GET',
    path: `${CELL}/explain`,
    summary: 'Why the cell is as it is: what its last run used beside what a run now would use',
    scope: 'notebook:read',
    params: cellParams,
    response: explanation,
    errors: [404],
  },
  cellLog: {
    method: 'GET',
    path: `${CELL}/log`,
    summary: 'All the cell printed on one stream in its last run, as text',
    scope: 'notebook:read',
    params: cellParams,
    query: z.object({ stream: z.enum(['stdout', 'stderr']).default('stdout') }),
    response: 'bytes',
    errors: [404, 422],
  },
  serverLog: {
    method: 'GET',
    path: `${SESSION}/log`,
    summary: "The newest lines of the server's log about this notebook, oldest first, secrets hidden",
    scope: 'notebook:read',
    params: sessionParams,
    response: z.object({ lines: z.array(logLine) }),
    errors: [404],
  },
  listFiles: {
    method: 'GET',
    path: `${SESSION}/files`,
    summary: "The files of the notebook's folder, without environments and hidden ones",
    scope: 'notebook:read',
    params: sessionParams,
    response: z.object({ files: z.array(listedFile), truncated: z.boolean() }),
    errors: [404],
  },
  listExamples: {
    method: 'GET',
    path: `${NOTEBOOKS}/x/examples`,
    summary: 'The notebooks that come with the program',
    scope: 'notebook:read',
    response: z.object({ examples: z.array(example) }),
    errors: [],
  },
  openExample: {
    method: 'POST',
    path: `${NOTEBOOKS}/x/examples/{name}`,
    summary: 'A folder to open an example in: its own in a clone, else a copy in the storage folder',
    scope: 'notebook:write',
    params: z.object({ name: z.string().max(255) }),
    response: z.object({ path: z.string() }),
    errors: [404, 409],
  },
} as const satisfies Record<string, RouteContract>;
