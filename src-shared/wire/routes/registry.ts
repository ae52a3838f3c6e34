import * as z from 'zod';
import type { RouteContract } from './contract.ts';
import { integerField } from './params.ts';

const text = z.string().nullable();

/** A name and its target (core-services 4). */
const registryName = z.object({
  tenant: z.string(),
  name: z.string(),
  artifact_id: z.string(),
  version: z.number().int(),
  uri: z.string(),
  aliases: z.record(z.string(), z.number().int()),
  tags: z.record(z.string(), z.string()),
  readers: z.array(z.object({ notebook_id: z.string(), cell_id: z.string(), reference: z.string() })),
});

const pendingChange = z.object({
  name: z.string(),
  alias: z.string(),
  action: z.enum(['set', 'delete']),
  artifact_id: text,
  version: z.number().int().nullable(),
  requested_by: text,
  requested_at: z.number(),
  tenant: z.string(),
});

const auditEntry = z.object({
  seq: z.number().int(),
  at: z.number(),
  actor: text,
  action: z.string(),
  name: text,
  alias: text,
  artifact_id: text,
  from_artifact_id: text,
  from_version: z.number().int().nullable(),
  to_version: z.number().int().nullable(),
  key: text,
  value: text,
  tenant: z.string(),
});

/** The registry routes that clients poll. Nothing is published yet, so every list is empty. */
export const REGISTRY_ROUTES = {
  registrySummary: {
    method: 'GET',
    path: '/v1/registry/summary',
    summary:
      'Every name with its aliases, tags and readers; empty until results can be published under names',
    scope: 'notebook:read',
    response: z.object({ names: z.array(registryName) }),
    errors: [],
  },
  registryPending: {
    method: 'GET',
    path: '/v1/registry/pending',
    summary: 'Alias changes that wait for approval; empty until results can be published under names',
    scope: 'notebook:read',
    response: z.object({ pending: z.array(pendingChange) }),
    errors: [],
  },
  registryAudit: {
    method: 'GET',
    path: '/v1/registry/audit',
    summary: 'Changes of names, newest first; empty until results can be published under names',
    scope: 'notebook:read',
    query: z.object({
      name: z.string().optional(),
      artifact_id: z.string().optional(),
      limit: integerField.pipe(z.int().min(1).max(1_000)).default(100),
    }),
    response: z.object({ entries: z.array(auditEntry) }),
    errors: [422],
  },
} as const satisfies Record<string, RouteContract>;
