/** Contracts of the routes about the user's own snippets, which the menu of empty cells offers. */

import * as z from 'zod';
import { language } from '../cell.ts';
import type { RouteContract } from './contract.ts';

/** Maximum size of the file with a user's snippets, in bytes. */
export const MAX_SNIPPETS_BYTES = 1024 * 1024;

/** A user's text for new cells. */
export const ownSnippet = z.object({
  name: z.string().trim().min(1).max(120),
  language,
  source: z.string().min(1).max(100_000),
});
export type OwnSnippet = z.infer<typeof ownSnippet>;

export const ownSnippets = z.object({
  snippets: z.array(ownSnippet),
  /** Why the file cannot be used, with the line; null if it can, and without a file. */
  problem: z.string().nullable(),
  /** The file, for a user who edits it. */
  path: z.string(),
  /** The digest of the file's bytes (SHA-256, hex); null without a file. */
  sha256: z.string().nullable(),
});
export type OwnSnippets = z.infer<typeof ownSnippets>;

export const SNIPPET_ROUTES = {
  ownSnippets: {
    method: 'GET',
    path: '/v1/notebooks/x/snippets',
    summary: 'The snippets that the person added to the menu of empty cells',
    scope: 'notebook:read',
    personalOnly: true,
    response: ownSnippets,
    errors: [403],
  },
  setOwnSnippets: {
    method: 'PUT',
    path: '/v1/notebooks/x/snippets',
    summary: 'Writes all snippets; refused if the file has changed or cannot be read',
    scope: 'notebook:write',
    personalOnly: true,
    body: z.object({ snippets: z.array(ownSnippet).max(500), base_sha256: z.string().nullable() }),
    response: ownSnippets,
    errors: [403, 409],
  },
} as const satisfies Record<string, RouteContract>;
