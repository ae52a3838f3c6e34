/** Contracts of the routes about the files in a notebook's folder. */

import * as z from 'zod';
import { MAX_DATA_FILE_BYTES } from '../../notebook/dataFiles.ts';
import type { RouteContract } from './contract.ts';
import { sessionParams } from './params.ts';

const SESSION = '/v1/notebooks/{sid}/x';

/** Relative to the notebook's folder, with forward slashes. */
const filePath = z.string().max(1_024);

/** A plain file of a notebook's folder. */
export const listedFile = z.object({
  /** Relative to the notebook's folder, with forward slashes. */
  path: z.string(),
  kind: z.enum(['cell', 'data', 'config', 'other']),
  /** Bytes. */
  size: z.number().int(),
  /** ISO UTC. */
  modified_at: z.string(),
});
export type ListedFile = z.infer<typeof listedFile>;

/** A table as the schema of a connection names it. */
const sampledTable = z.object({
  catalog: z.string().max(256).nullable(),
  schema: z.string().max(256).nullable(),
  name: z.string().max(256),
});

/** The files of a notebook's folder, and the first rows of data that no cell has read (docs/extensions.md). */
export const FOLDER_ROUTES = {
  listFiles: {
    method: 'GET',
    path: `${SESSION}/files`,
    summary: "The files of the notebook's folder, without environments and hidden ones",
    scope: 'notebook:read',
    params: sessionParams,
    response: z.object({ files: z.array(listedFile), truncated: z.boolean() }),
    errors: [404],
  },
  addFile: {
    method: 'POST',
    path: `${SESSION}/files`,
    summary: "Copy a data file into the notebook's folder, under an unused name",
    scope: 'notebook:write',
    params: sessionParams,
    upload: { maxBytes: MAX_DATA_FILE_BYTES, fields: z.object({}) },
    response: z.object({ path: z.string() }),
    errors: [400, 403, 404, 409, 413, 422],
  },
  readTextFile: {
    method: 'GET',
    path: `${SESSION}/files/text`,
    summary: "A text file of the user's own in the notebook's folder",
    scope: 'notebook:read',
    params: sessionParams,
    query: z.object({ path: filePath }),
    response: z.object({ text: z.string(), sha256: z.string() }),
    errors: [400, 404, 422],
  },
  writeTextFile: {
    method: 'PUT',
    path: `${SESSION}/files/text`,
    summary: "Write a text file of the user's own, unless it has changed since it was read",
    scope: 'notebook:write',
    params: sessionParams,
    body: z.object({
      path: filePath,
      text: z.string().max(1_048_576),
      /** Digest of the text the edit started from; null: the file must not exist yet. */
      base_sha256: z.string().max(64).nullable(),
    }),
    response: z.object({ sha256: z.string() }),
    errors: [400, 403, 404, 409, 422],
  },
  moveFile: {
    method: 'POST',
    path: `${SESSION}/files/move`,
    summary: "Rename or move a file of the user's own in the notebook's folder",
    scope: 'notebook:write',
    params: sessionParams,
    body: z.object({ from: filePath, to: filePath }),
    response: z.object({ path: z.string() }),
    errors: [400, 403, 404, 409, 422],
  },
  folderPicture: {
    method: 'GET',
    path: `${SESSION}/files/picture`,
    summary: "A picture of the notebook's folder: PNG, JPEG, GIF or WebP",
    scope: 'notebook:read',
    params: sessionParams,
    query: z.object({ path: z.string().max(1_024) }),
    response: 'bytes',
    media: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
    errors: [400, 404, 422],
  },
  sampleData: {
    method: 'POST',
    path: `${SESSION}/data/sample`,
    summary: 'The first rows of a file, a local mount or a table of a connection; no cell runs',
    scope: 'notebook:execute',
    params: sessionParams,
    body: z.discriminatedUnion('of', [
      z.object({ of: z.literal('file'), path: z.string().max(1_024) }),
      z.object({ of: z.literal('mount'), name: z.string().max(256) }),
      z.object({ of: z.literal('table'), connection: z.string().max(256), table: sampledTable }),
    ]),
    response: z.object({
      columns: z.array(z.object({ name: z.string(), type: z.string() })),
      /** Values as in the preview of a table result. */
      rows: z.array(z.array(z.unknown())),
    }),
    errors: [400, 403, 404, 409, 422],
  },
} as const satisfies Record<string, RouteContract>;
