/**
 * Contracts of the registry routes: names of artifacts, their aliases, approvals and the audit log
 * (docs/spec/core-services.md, 8). Names may contain slashes.
 */

import * as z from 'zod';
import { artifactState } from './artifacts.ts';
import type { RouteContract } from './contract.ts';
import { integerField } from './params.ts';

const text = z.string().nullable();
const whole = z.number().int();
const nameBody = z.object({ name: z.string() });
const aliased = nameBody.extend({ alias: z.string() });
const versionBody = z.object({ artifact_id: z.string(), version: whole.min(1) });
const limit = integerField.pipe(z.int().min(1).max(1_000)).default(100);

const registryName = z.object({
  tenant: z.string(),
  name: z.string(),
  artifact_id: z.string(),
  version: whole,
  uri: z.string(),
  aliases: z.record(z.string(), whole),
  tags: z.record(z.string(), z.string()),
  readers: z.array(z.object({ notebook_id: z.string(), cell_id: z.string(), reference: z.string() })),
});

const pendingChange = z.object({
  name: z.string(),
  alias: z.string(),
  action: z.enum(['set', 'delete']),
  artifact_id: text,
  version: whole.nullable(),
  requested_by: text,
  requested_at: z.number(),
  tenant: z.string(),
});

const auditEntry = z.object({
  seq: whole,
  at: z.number(),
  actor: text,
  action: z.string(),
  name: text,
  alias: text,
  artifact_id: text,
  from_artifact_id: text,
  from_version: whole.nullable(),
  to_version: whole.nullable(),
  key: text,
  value: text,
  tenant: z.string(),
});

/** A change that was decided on. */
const decidedChange = z.object({
  name: z.string(),
  alias: z.string(),
  action: z.enum(['set', 'delete']),
  artifact_id: text,
  version: whole.nullable(),
  requested_by: text,
});
const decision = z.object({ name: z.string().min(1), alias: z.string().min(1) });

export const REGISTRY_ROUTES = {
  listNames: {
    method: 'GET',
    path: '/v1/names',
    summary: 'Every name of the tenant',
    scope: 'any',
    response: z.object({
      names: z.array(z.object({ name: z.string(), artifact_uri: z.string(), updated_at: z.number() })),
    }),
    errors: [],
  },
  setName: {
    method: 'POST',
    path: '/v1/names',
    summary: 'Point a name at a version',
    scope: 'artifacts:write',
    body: versionBody.extend({ name: z.string() }),
    response: z.object({ name_uri: z.string(), artifact_uri: z.string() }),
    errors: [400, 404, 409, 422],
  },
  nameStatus: {
    method: 'GET',
    path: '/v1/artifacts/names/{name}/status',
    summary: 'Whether the inputs of a named version changed since it was made',
    scope: 'any',
    params: nameBody,
    response: z.object({
      name: z.string(),
      artifact_uri: z.string(),
      artifact_id: z.string(),
      version: whole,
      state: artifactState,
      updated_at: z.number(),
      input_versions: z.record(z.string(), z.string()),
      is_stale: z.boolean(),
      stale_reason: text,
      changed_inputs: z
        .array(z.object({ input_uri: z.string(), old_version: z.string(), new_version: z.string() }))
        .nullable(),
    }),
    errors: [404],
  },
  listAliases: {
    method: 'GET',
    path: '/v1/names/{name}/aliases',
    summary: 'Aliases of a name',
    scope: 'any',
    params: nameBody,
    response: z.object({
      name: z.string(),
      aliases: z.array(
        z.object({ alias: z.string(), artifact_id: z.string(), version: whole, updated_at: z.number() }),
      ),
    }),
    errors: [404],
  },
  getAlias: {
    method: 'GET',
    path: '/v1/names/{name}/aliases/{alias}',
    summary: 'The version an alias points at',
    scope: 'any',
    params: aliased,
    response: z.object({
      name: z.string(),
      alias: z.string(),
      artifact_uri: z.string(),
      artifact_id: z.string(),
      version: whole,
      state: artifactState,
    }),
    errors: [404],
  },
  setAlias: {
    method: 'PUT',
    path: '/v1/names/{name}/aliases/{alias}',
    summary: 'Point an alias at a version; a protected alias waits for approval',
    scope: 'artifacts:write',
    params: aliased,
    body: versionBody,
    statuses: [200, 202],
    response: z.object({
      status: z.enum(['applied', 'unchanged', 'pending']),
      name: z.string(),
      alias: z.string(),
      artifact_uri: z.string().optional(),
      detail: z.string().optional(),
    }),
    errors: [400, 404, 409, 422],
  },
  deleteAlias: {
    method: 'DELETE',
    path: '/v1/names/{name}/aliases/{alias}',
    summary: 'Delete an alias; a protected alias waits for approval',
    scope: 'artifacts:write',
    personalOnly: true,
    params: aliased,
    statuses: [200, 202],
    response: z.object({ status: z.enum(['deleted', 'pending']), name: z.string(), alias: z.string() }),
    errors: [403, 404],
  },
  getName: {
    method: 'GET',
    path: '/v1/names/{name}',
    summary: 'The version a name points at',
    scope: 'any',
    params: nameBody,
    response: z.object({ artifact_uri: z.string(), version: whole, updated_at: z.number() }),
    errors: [404],
  },
  deleteName: {
    method: 'DELETE',
    path: '/v1/names/{name}',
    summary: 'Delete a name with its aliases',
    scope: 'artifacts:write',
    personalOnly: true,
    params: nameBody,
    response: z.object({ status: z.literal('deleted'), name: z.string() }),
    errors: [403, 404],
  },
  registrySummary: {
    method: 'GET',
    path: '/v1/registry/summary',
    summary: 'Every name with its aliases, tags and readers',
    scope: 'any',
    response: z.object({ names: z.array(registryName) }),
    errors: [],
  },
  registryArtifacts: {
    method: 'GET',
    path: '/v1/registry/artifacts',
    summary: 'Versions that have a tag',
    scope: 'any',
    query: z.object({ tag_key: z.string(), tag_value: z.string().optional() }),
    response: z.object({
      artifacts: z.array(
        z.object({
          artifact_id: z.string(),
          version: whole,
          uri: z.string(),
          names: z.array(z.string()),
          tags: z.record(z.string(), z.string()),
          tag_value: z.string(),
        }),
      ),
    }),
    errors: [422],
  },
  registryPending: {
    method: 'GET',
    path: '/v1/registry/pending',
    summary: 'Alias changes that wait for approval',
    scope: 'any',
    response: z.object({ pending: z.array(pendingChange) }),
    errors: [],
  },
  approvePending: {
    method: 'POST',
    path: '/v1/registry/pending/approve',
    summary: 'Approve a change of a protected alias',
    scope: 'admin:registry',
    body: decision,
    response: z.object({ status: z.literal('approved'), applied: decidedChange }),
    errors: [403, 404, 422],
  },
  rejectPending: {
    method: 'POST',
    path: '/v1/registry/pending/reject',
    summary: 'Reject a change of a protected alias',
    scope: 'admin:registry',
    body: decision,
    response: z.object({ status: z.literal('rejected'), rejected: decidedChange }),
    errors: [404, 422],
  },
  registryAudit: {
    method: 'GET',
    path: '/v1/registry/audit',
    summary: 'Changes of names, aliases and tags, newest first',
    scope: 'any',
    query: z.object({ name: z.string().optional(), artifact_id: z.string().optional(), limit }),
    response: z.object({ entries: z.array(auditEntry) }),
    errors: [422],
  },
  registryEvents: {
    method: 'GET',
    path: '/v1/events',
    summary: 'Changes after a sequence number, oldest first',
    scope: 'any',
    query: z.object({ since: integerField.pipe(z.int().min(0)).default(0), limit }),
    response: z.object({ events: z.array(auditEntry), next: whole }),
    errors: [422],
  },
} as const satisfies Record<string, RouteContract>;
