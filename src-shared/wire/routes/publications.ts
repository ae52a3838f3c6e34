/** Contracts of the publication routes: versions that anyone with a token may read (docs/spec/core-services.md, 9). */

import * as z from 'zod';
import type { RouteContract } from './contract.ts';
import { integerField } from './params.ts';

const text = z.string().nullable();
const whole = z.number().int();

const author = z.object({
  name: z.string().trim().min(1).max(256),
  orcid: z
    .string()
    .regex(/^\d{4}-\d{4}-\d{4}-\d{3}[\dX]$/, 'Input should be an ORCID iD such as 0000-0002-1825-0097')
    .optional(),
  affiliation: z.string().max(256).optional(),
});
const externalId = z.object({
  scheme: z.enum(['doi', 'zenodo', 'arxiv', 'url']),
  value: z.string().trim().min(1).max(1_024),
});
const authors = z.array(author).max(100);
const externalIds = z.array(externalId).max(50);
const keyed = z.object({ token: z.string().min(1) });

const publication = z.object({
  id: z.string(),
  token: text,
  url: text,
  artifact_id: z.string(),
  version: whole,
  title: text,
  published_at: z.number(),
  published_by: text,
  revoked_at: z.number().nullable(),
  authors: z.array(author),
  external_ids: z.array(externalId),
});

/** The public pages of a publication; each reads its request itself. */
export const PUBLICATION_PAGES: readonly string[] = [
  'GET /p/{token}',
  ...['data', 'archive.zip', 'verify', 'embed', 'ro-crate', 'badge.svg'].map(
    (name) => `GET /p/{token}/${name}`,
  ),
  'GET /oembed',
];

export const PUBLICATION_ROUTES = {
  publishArtifact: {
    method: 'POST',
    path: '/v1/artifacts/{artifact_id}/v/{version}/publish',
    summary: 'Publish a version; the answer has the only copy of its token',
    scope: 'artifacts:publish',
    params: z.object({ artifact_id: z.string(), version: integerField.pipe(z.int().min(1)) }),
    body: z.object({
      title: z.string().trim().max(512).nullable().optional(),
      authors: authors.nullable().optional(),
      external_ids: externalIds.nullable().optional(),
    }),
    response: publication,
    errors: [404, 409, 422],
  },
  listPublications: {
    method: 'GET',
    path: '/v1/publications',
    summary: 'Publications, newest first',
    scope: 'any',
    query: z.object({ include_revoked: z.stringbool().default(false) }),
    response: z.array(publication),
    errors: [422],
  },
  publishedArtifact: {
    method: 'GET',
    path: '/v1/publications/{token}',
    summary: 'A publication by its token; open to everyone',
    scope: 'none',
    params: keyed,
    response: z.object({
      publication: z.union([
        publication,
        z.object({
          token: z.string(),
          url: z.string(),
          title: text,
          published_at: z.number(),
          revoked_at: z.number(),
        }),
      ]),
      artifact: z.looseObject({}).optional(),
      content_sha256: text.optional(),
      lineage: z.looseObject({}).optional(),
      claims: z
        .object({ transparency: z.string(), integrity: z.string(), reproduction: z.string() })
        .optional(),
    }),
    errors: [404],
  },
  editPublication: {
    method: 'PATCH',
    path: '/v1/publications/{token}',
    summary: 'Change authors and external ids, by token or id',
    scope: 'artifacts:publish',
    params: keyed,
    body: z.looseObject({
      authors: authors.nullable().optional(),
      external_ids: externalIds.nullable().optional(),
    }),
    response: publication,
    errors: [400, 404, 422],
  },
  withdrawPublication: {
    method: 'DELETE',
    path: '/v1/publications/{token}',
    summary: 'Withdraw a publication, by token or id',
    scope: 'artifacts:publish',
    params: keyed,
    response: z.object({ revoked: z.literal(true), token: z.string() }),
    errors: [404],
  },
} as const satisfies Record<string, RouteContract>;
