/** Contracts of various routes for the window that are not in the specification (docs/extensions.md). */

import * as z from 'zod';
import { cellStatus, mount } from '../cell.ts';
import { newNotebookSettings, notebookSettings } from '../notebookSettings.ts';
import { output } from '../output.ts';
import { runSample } from '../runSample.ts';
import { APP_ROUTES } from './appLayout.ts';
import { CELL_ROUTES } from './cells.ts';
import { comparison } from './comparison.ts';
import type { RouteContract } from './contract.ts';
import { FOLDER_ROUTES } from './folder.ts';
import { cellParams, integerField, sessionParams } from './params.ts';

export { type ListedFile, listedFile } from './folder.ts';

const NOTEBOOKS = '/v1/notebooks';
const SESSION = `${NOTEBOOKS}/{sid}/x`;
const CELL = `${SESSION}/cells/{cell_id}`;

/** One version of a cell's stored result. `variable` is the name, or `display 1` for its first display. */
const keptResult = z.object({
  variable: z.string(),
  artifact_uri: z.string(),
  version: z.number().int(),
  content_type: z.string(),
  rows: z.number().int().nullable(),
  columns: z.array(z.string()).nullable(),
  byte_size: z.number().int(),
  created_at: z.string(), // ISO UTC
  /** The version that readers get now. */
  current: z.boolean(),
  provenance_hash: z.string(),
});
export type ResultVersion = z.infer<typeof keptResult>;

/** One input of a run, compared with the last run. `cell_id`: the producer of an input. */
const explainedInput = z.object({
  kind: z.enum([
    'source',
    'setup',
    'input',
    'module',
    'mount',
    'fetch',
    'dataset',
    'table',
    'environment',
    'timeout',
    'env',
    'worker',
    'file',
    'folder',
    'written',
    'unseen',
  ]),
  name: z.string(),
  state: z.enum(['same', 'changed', 'new', 'gone']),
  detail: z.string().nullable(),
  cell_id: z.string().nullable(),
});
export type ExplainedInput = z.infer<typeof explainedInput>;

/** A cell whose code changed since the last run: its previous code. The current code is its source. */
const codeChange = z.object({ cell_id: z.string(), before: z.string() });
export type CodeChange = z.infer<typeof codeChange>;

export const explanation = z.object({
  cell_id: z.string(),
  status: cellStatus,
  /**
   * `hit`: ready from the store, or the store would answer; `fresh`: ready from a run; `miss`: a run is due though
   * nothing changed.
   */
  verdict: z.enum(['hit', 'miss', 'stale', 'fresh', 'never_run']),
  headline: z.string(),
  inputs: z.array(explainedInput),
  /**
   * The changed code of this cell and of the cells its last run read from, the nearest four; empty if no run is needed.
   */
  code: z.array(codeChange),
  /** The last run that succeeded; `at` is ISO UTC. */
  last_run: z.object({ at: z.string(), duration_ms: z.number(), cache_hit: z.boolean() }).nullable(),
  /**
   * Why the result of its last run is not shared with the team's cache. Absent: it is, there is none, or it did not
   * run.
   */
  not_shared: z.string().optional(),
});
export type Explanation = z.infer<typeof explanation>;

const shownIteration = z.object({
  cell_id: z.string(),
  iteration: z.number().int(),
  /** The number of finished iterations of the newest run. */
  count: z.number().int(),
  duration_ms: z.number().int(),
  until_reached: z.boolean(),
  /** ISO UTC. */
  created_at: z.string(),
  carry: z.object({ name: z.string(), output }),
  displays: z.array(output),
  stdout: z.string(),
  stderr: z.string(),
});
export type ShownIteration = z.infer<typeof shownIteration>;

/** A short description of a value: its shape, or the value itself. Null: unknown. */
const keptVariable = z.object({
  name: z.string(),
  cell_id: z.string(),
  artifact_uri: z.string(),
  content_type: z.string(),
  rows: z.number().int().nullable(),
  columns: z.number().int().nullable(),
  byte_size: z.number().int(),
  /** JSON text of at most 2,048 bytes. */
  value: z.string().nullable(),
});
export type StoredVariable = z.infer<typeof keptVariable>;

/** The distribution of one column; values formatted as on a page, texts truncated to 200 characters. */
const columnDistribution = z.object({
  name: z.string(),
  nulls: z.number().int(),
  spread: z.discriminatedUnion('kind', [
    /**
     * For numbers and times, consecutive bins from the minimum to the maximum, without NaN and infinities.
     * `to` belongs to its bin if values are a whole number of steps apart, and in the last bin; else to the next.
     */
    z.object({
      kind: z.literal('bins'),
      bins: z.array(z.object({ from: z.unknown(), to: z.unknown(), count: z.number().int() })),
    }),
    /** The most frequent values first; `others`: rows with any other value. */
    z.object({
      kind: z.literal('values'),
      values: z.array(z.object({ value: z.unknown(), count: z.number().int() })),
      others: z.number().int(),
    }),
    z.object({ kind: z.literal('none') }),
  ]),
});
export type ColumnDistribution = z.infer<typeof columnDistribution>;

/** One line of the server's log about a notebook; `detail` has all fields except the message. */
const logLine = z.object({
  at: z.string(),
  level: z.enum(['debug', 'info', 'warning', 'error', 'critical']),
  message: z.string(),
  detail: z.string().nullable(),
});
export type LogLine = z.infer<typeof logLine>;

/** One item of external data that cells use, with the last check. */
const listedMount = z.object({
  kind: z.enum(['mount', 'fetch', 'dataset', 'table']),
  name: z.string(),
  uri: z.string(),
  mode: z.enum(['ro', 'rw']),
  credential: z.string().nullable(),
  /** Options with literal credentials in notebook.toml, which should be moved to a named credential. */
  secret_options: z.array(z.string()),
  /** Where it is declared: in the notebook's settings, or by cells. */
  scope: z.enum(['notebook', 'cell']),
  cell_ids: z.array(z.string()),
  /** `pinned`, `writable`: never checked; `unseen`: not checked yet, or changed and not fetched. */
  state: z.enum(['ok', 'missing', 'problem', 'unseen', 'pinned', 'writable']),
  /** The problem, if any. */
  problem: z.string().nullable(),
  files: z.number().int().nullable(),
  bytes: z.number().nullable(),
  /** ISO UTC. */
  checked_at: z.string().nullable(),
});
export type ListedMount = z.infer<typeof listedMount>;

const example = z.object({
  name: z.string(),
  path: z.string(),
  title: z.string(),
  about: z.string(),
  cells: z.number().int(),
});

/** Stored results retained for one reason; shared bytes count once, for the first of these reasons. */
const keptGroup = z.object({
  /**
   * `current`, `shown`, `iteration`, `restorable`, `input`: the notebook needs them. `recent`, `numbering`:
   * not yet collectable. `spare`: not needed; a sweep deletes them once a limit requires it.
   */
  reason: z.enum(['current', 'shown', 'iteration', 'restorable', 'input', 'recent', 'numbering', 'spare']),
  results: z.number().int(),
  bytes: z.number().int(),
});

const collectedResult = z.object({
  artifact_id: z.string(),
  version: z.number().int(),
  byte_size: z.number().int(),
  /** ISO UTC. */
  last_used_at: z.string(),
  why: z.enum(['idle', 'space']),
});

/** Copies of mounts and fetched files, which can be downloaded again, and the environment. */
const copyGroup = z.object({
  kind: z.enum(['mount', 'fetch', 'environment']),
  copies: z.number().int(),
  bytes: z.number().int(),
  /** The bytes among these of copies that no cell names and that were not used within the last hour. */
  spare: z.number().int(),
  spare_bytes: z.number().int(),
});

const storageReport = z.object({
  store_bytes: z.number().int(),
  /** Sweeps delete results, least recently used first, once all are larger than this; null: no limit. */
  max_bytes: z.number().int().nullable(),
  /** Sweeps delete results that were unused for this many days; null: no limit. */
  max_idle_days: z.number().nullable(),
  kept: z.array(keptGroup),
  /** Copies of external data; not part of `store_bytes`. */
  copies: z.array(copyGroup),
  /** What a sweep with these limits would free now. */
  due_bytes: z.number().int(),
  /** The most a sweep could free: everything that is not needed. */
  spare_bytes: z.number().int(),
  /** Since the notebook was opened. */
  last_sweep: z
    .object({ at: z.string(), deleted_count: z.number().int(), deleted_bytes: z.number().int() })
    .nullable(),
});
export type StorageReport = z.infer<typeof storageReport>;

/** Routes beyond the specification, for the window (docs/extensions.md). */
export const EXTENSION_ROUTES = {
  cancelCellTests: {
    method: 'POST',
    path: `${CELL}/tests/cancel`,
    summary: 'Stop the run of a cell’s tests and everything it started',
    scope: 'notebook:execute',
    params: cellParams,
    response: z.object({ cell_id: z.string(), cancelled: z.boolean() }),
    errors: [404],
  },
  restoreCell: {
    method: 'POST',
    path: `${CELL}/restore`,
    summary: 'Restore a deleted cell with its id, source, position, tests and results',
    scope: 'notebook:write',
    params: cellParams,
    response: CELL_ROUTES.deleteCell.response,
    errors: [404, 409],
  },
  cellResults: {
    method: 'GET',
    path: `${CELL}/results`,
    summary: 'Every stored version of the cell’s variables and displays, newest first, and its latest runs',
    scope: 'notebook:read',
    params: cellParams,
    response: z.object({ cell_id: z.string(), results: z.array(keptResult), runs: z.array(runSample) }),
    errors: [404],
  },
  compareResults: {
    method: 'GET',
    path: `${CELL}/compare`,
    summary: 'The differences between two stored results of a variable',
    scope: 'notebook:read',
    params: cellParams,
    query: z.object({ before: z.string(), after: z.string() }),
    response: z.object({ cell_id: z.string(), comparison }),
    errors: [400, 404, 422],
  },
  cellDistribution: {
    method: 'GET',
    path: `${CELL}/data/distribution`,
    summary: 'The distribution of each column of a table result, over the rows that match search and filters',
    scope: 'notebook:read',
    params: cellParams,
    query: z.object({
      artifact_uri: z.string(),
      search: z.string().optional(),
      filters: z.string().optional(),
    }),
    response: z.union([
      z.object({
        cell_id: z.string(),
        artifact_uri: z.string(),
        pageable: z.literal(true),
        columns: z.array(columnDistribution),
        /** Rows after search and filters. */
        total: z.number().int(),
      }),
      z.object({
        cell_id: z.string(),
        artifact_uri: z.string(),
        pageable: z.literal(false),
        columns: z.array(columnDistribution).max(0),
        total: z.literal(0),
      }),
    ]),
    errors: [400, 404, 422],
  },
  cellIteration: {
    method: 'GET',
    path: `${CELL}/iterations/{iteration}`,
    summary:
      'One finished iteration of a loop: its carry, displays and console; a negative index counts from the end',
    scope: 'notebook:read',
    params: cellParams.extend({ iteration: integerField }),
    response: shownIteration,
    errors: [404, 422],
  },
  listVariables: {
    method: 'GET',
    path: `${SESSION}/variables`,
    summary: 'The variables that cells stored for later cells: shape, size, and the value if it is short',
    scope: 'notebook:read',
    params: sessionParams,
    response: z.object({ variables: z.array(keptVariable) }),
    errors: [404],
  },
  explainCell: {
    method: 'GET',
    path: `${CELL}/explain`,
    summary: 'Explain the status of a cell: the inputs of its last run and those a run would have now',
    scope: 'notebook:read',
    params: cellParams,
    response: explanation,
    errors: [404],
  },
  cellLog: {
    method: 'GET',
    path: `${CELL}/log`,
    summary: 'The complete console output of the cell’s last run on one stream, as text',
    scope: 'notebook:read',
    params: cellParams,
    query: z.object({ stream: z.enum(['stdout', 'stderr']).default('stdout') }),
    response: 'bytes',
    media: ['text/plain'],
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
  listMounts: {
    method: 'GET',
    path: `${SESSION}/mounts`,
    summary: 'The external data that cells use, with its last check',
    scope: 'notebook:read',
    params: sessionParams,
    /** `notebook`: the notebook's own mounts, complete, as PUT /mounts takes them. */
    response: z.object({ mounts: z.array(listedMount), notebook: z.array(mount) }),
    errors: [404],
  },
  keepMountCredential: {
    method: 'POST',
    path: `${SESSION}/mounts/{name}/credential`,
    summary:
      "Move the credentials among a mount's options out of notebook.toml, into a named credential of this server",
    scope: 'notebook:write',
    params: sessionParams.extend({ name: z.string() }),
    response: z.object({ credential: z.string(), mounts: z.array(mount) }),
    errors: [400, 403, 404, 409, 422],
  },
  notebookSettings: {
    method: 'GET',
    path: `${SESSION}/settings`,
    summary: 'The settings of this notebook on this machine',
    scope: 'notebook:read',
    params: sessionParams,
    response: notebookSettings,
    errors: [404],
  },
  setNotebookSettings: {
    method: 'PUT',
    path: `${SESSION}/settings`,
    summary:
      'Set how many cells of one run may run in parallel in this notebook (null: the server’s default), and which runs begin without a request; an absent setting keeps its value',
    scope: 'notebook:write',
    params: sessionParams,
    body: newNotebookSettings,
    response: notebookSettings,
    errors: [404, 409],
  },
  resultStorage: {
    method: 'GET',
    path: `${SESSION}/storage`,
    summary: 'The size of the stored results, why they are retained, and what a sweep would free',
    scope: 'notebook:read',
    params: sessionParams,
    response: storageReport,
    errors: [404],
  },
  sweepResults: {
    method: 'POST',
    path: `${SESSION}/storage/sweep`,
    summary: 'Delete stored results that nothing references, by the server’s limits or the given ones',
    scope: 'notebook:write',
    params: sessionParams,
    /** A limit of 0: everything that is not needed, except results used within the last hour. */
    body: z.object({
      max_idle_days: z.number().nonnegative().optional(),
      max_bytes: z.number().int().nonnegative().optional(),
      dry_run: z.boolean().default(false),
    }),
    response: z.object({
      deleted_count: z.number().int(),
      deleted_bytes: z.number().int(),
      store_bytes: z.number().int(),
      dry_run: z.boolean(),
      /** Deleted copies of mounts and fetched files, or those a dry run would delete. */
      copies_count: z.number().int(),
      copies_bytes: z.number().int(),
      /** In a dry run, the largest 1,000 results to delete. */
      collected: z.array(collectedResult).optional(),
    }),
    errors: [403, 404, 409, 422],
  },
  ...FOLDER_ROUTES,
  ...APP_ROUTES,
  listExamples: {
    method: 'GET',
    path: `${NOTEBOOKS}/x/examples`,
    summary: 'The notebooks that are shipped with the program',
    scope: 'notebook:read',
    response: z.object({ examples: z.array(example) }),
    errors: [],
  },
  openExample: {
    method: 'POST',
    path: `${NOTEBOOKS}/x/examples/{name}`,
    summary: 'The folder to open an example in: its own folder in a clone, else a copy in the storage folder',
    scope: 'notebook:write',
    params: z.object({ name: z.string().max(255) }),
    response: z.object({ path: z.string() }),
    errors: [404, 409],
  },
} as const satisfies Record<string, RouteContract>;
