/** Contracts of the routes that list, open, create, close and read notebooks. */

import * as z from 'zod';
import { cell, mount } from '../cell.ts';
import { dag } from '../dag.ts';
import { runtimeConfig, sessionState } from '../notebookState.ts';
import type { RouteContract } from './contract.ts';
import { sessionParams } from './params.ts';

const PREFIX = '/v1/notebooks';

/** Maximum number of paths in one recents/validate request (docs/spec/rest-notebooks.md, 3.1, 5, 7). */
const MAX_RECENTS = 100;

const MAX_MOUNTS = 200;

/** A mount as a client writes it: omitted fields have their defaults (docs/spec/rest-notebooks.md, 7). */
const mountInput = z.object({
  name: z
    .string()
    .max(128)
    .regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/)
    // It cannot be a key of a plain object.
    .refine((name) => name !== '__proto__', 'A mount cannot be called __proto__'),
  uri: z.string().trim().min(1).max(2_000),
  mode: mount.shape.mode.default('ro'),
  pin: z.string().max(1_000).nullable().default(null),
  options: z.record(z.string(), z.unknown()).default({}),
  credential: z.string().max(128).nullable().default(null),
});

/** A named version that a cell published (docs/spec/rest-notebooks.md, 5.3). */
const publishedArtifact = z.object({
  artifact_id: z.string(),
  version: z.number().int(),
  uri: z.string(),
  names: z.array(z.string()),
  tags: z.record(z.string(), z.string()),
});

/** Name: the cells that read it, with the source of the read. */
const readers = z.record(
  z.string(),
  z.array(z.object({ notebook_id: z.string(), cell_id: z.string(), reference: z.string() })),
);

/** A notebook found by a scan; fields that its file does not contain are null. */
export const discoveredNotebook = z.object({
  path: z.string(),
  name: z.string().nullable(),
  notebook_id: z.string().nullable(),
  updated_at: z.string().nullable(),
});

export const NOTEBOOK_ROUTES = {
  createNotebook: {
    method: 'POST',
    path: `${PREFIX}/create`,
    summary: 'Create a notebook folder and open it; the first environment sync runs in the background',
    scope: 'notebook:write',
    body: z.object({
      parent_path: z.string(),
      name: z.string(),
      python_version: z.string().max(16).nullish(),
      starter_cell: z.boolean().default(false),
    }),
    response: sessionState,
    errors: [400, 403, 404, 409, 422],
  },
  openNotebook: {
    method: 'POST',
    path: `${PREFIX}/open`,
    summary: 'Open a notebook folder; for an open one, return its session',
    scope: 'notebook:write',
    body: z.object({ path: z.string() }),
    response: sessionState,
    errors: [400, 403, 404, 409, 422],
  },
  closeNotebook: {
    method: 'POST',
    path: `${PREFIX}/{sid}/close`,
    summary: 'Close a session; the notebook and its results stay on disk',
    scope: 'notebook:write',
    params: sessionParams,
    response: z.object({ closed: z.boolean(), session_id: z.string(), path: z.string() }),
    errors: [404, 409],
  },
  renameNotebook: {
    method: 'PUT',
    path: `${PREFIX}/{sid}/name`,
    summary: 'Rename a notebook; its folder keeps its name',
    scope: 'notebook:write',
    params: sessionParams,
    body: z.object({ name: z.string().trim().min(1).max(255) }),
    response: z.object({ notebook_id: z.string(), name: z.string() }),
    errors: [404, 409, 422],
  },
  setMounts: {
    method: 'PUT',
    path: `${PREFIX}/{sid}/mounts`,
    summary: 'Replace the notebook’s mounts; an empty list removes the block',
    scope: 'notebook:write',
    params: sessionParams,
    body: z.object({ mounts: z.array(mountInput).max(MAX_MOUNTS).default([]) }),
    response: z.object({ mounts: z.array(mount), cells: z.array(cell) }),
    errors: [400, 404, 409, 422],
  },
  setTimeout: {
    method: 'PUT',
    path: `${PREFIX}/{sid}/timeout`,
    summary: 'Set the default cell timeout of the notebook, in seconds; null: the server’s default',
    scope: 'notebook:write',
    params: sessionParams,
    body: z.object({ timeout: z.number().positive().max(86_400).nullable().default(null) }),
    response: z.object({ timeout: z.number().nullable(), cells: z.array(cell) }),
    errors: [404, 409, 422],
  },
  notebookArtifacts: {
    method: 'GET',
    path: `${PREFIX}/{sid}/artifacts`,
    summary: 'What each cell published under a name, and which cells read a name',
    scope: 'notebook:read',
    params: sessionParams,
    response: z.object({ cells: z.record(z.string(), z.array(publishedArtifact)), readers }),
    errors: [404],
  },
  deleteNotebook: {
    method: 'DELETE',
    path: `${PREFIX}/{sid}`,
    summary: 'Close a session and delete its folder',
    scope: 'notebook:write',
    personalOnly: true,
    params: sessionParams,
    response: z.object({ deleted: z.boolean(), session_id: z.string(), name: z.string(), path: z.string() }),
    errors: [400, 403, 404, 409],
  },
  deleteNotebookByPath: {
    method: 'POST',
    path: `${PREFIX}/delete-by-path`,
    summary: 'Delete a notebook folder; a session on it is closed first',
    scope: 'notebook:write',
    personalOnly: true,
    body: z.object({ path: z.string() }),
    response: z.object({ deleted: z.boolean(), path: z.string() }),
    errors: [400, 403, 404, 409, 422],
  },
  discoverNotebooks: {
    method: 'GET',
    path: `${PREFIX}/discover`,
    summary: 'The notebooks of the storage folder, newest first',
    scope: 'notebook:read',
    response: z.object({ root: z.string().nullable(), notebooks: z.array(discoveredNotebook) }),
    errors: [],
  },
  validateRecents: {
    method: 'POST',
    path: `${PREFIX}/recents/validate`,
    summary: 'The given paths that still contain a notebook this server may open',
    scope: 'notebook:write',
    body: z.object({ paths: z.array(z.string()).max(MAX_RECENTS) }),
    response: z.object({ valid: z.array(z.string()) }),
    errors: [422],
  },
  listSessions: {
    method: 'GET',
    path: `${PREFIX}/sessions`,
    summary: 'The open sessions',
    scope: 'notebook:read',
    personalOnly: true,
    response: z.object({
      sessions: z.array(
        z.object({
          session_id: z.string(),
          name: z.string(),
          path: z.string(),
          notebook_id: z.string(),
          created_at: z.string().nullable(),
          updated_at: z.string().nullable(),
        }),
      ),
    }),
    errors: [403],
  },
  getSession: {
    method: 'GET',
    path: `${PREFIX}/sessions/{sid}`,
    summary: 'The full state of an open session',
    scope: 'notebook:read',
    personalOnly: true,
    params: sessionParams,
    response: sessionState,
    errors: [403, 404],
  },
  getConfig: {
    method: 'GET',
    path: `${PREFIX}/config`,
    summary: 'The part of the server configuration that clients need',
    scope: 'notebook:read',
    response: runtimeConfig,
    errors: [],
  },
  getDag: {
    method: 'GET',
    path: `${PREFIX}/{sid}/dag`,
    summary: 'The dependency graph',
    scope: 'notebook:read',
    params: sessionParams,
    response: dag,
    errors: [404],
  },
} as const satisfies Record<string, RouteContract>;
