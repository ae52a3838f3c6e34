/**
 * A valid call of every JSON route of the artifact store, for the tests of all routes (`routes.test.ts`), and the data
 * that these calls need.
 */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { ARTIFACT_ROUTES } from '../../src-shared/wire/routes/artifacts.ts';
import type { PUBLICATION_ROUTES } from '../../src-shared/wire/routes/publications.ts';
import type { REGISTRY_ROUTES } from '../../src-shared/wire/routes/registry.ts';
import { rest } from '../support/rest.ts';
import type { ServerProcess } from '../support/serverProcess.ts';
import type { Call } from './refusedCalls.ts';

type Version = { readonly artifact_id: string; readonly version: string };

/** The server must protect the alias `prod`. */
export function artifactCalls(
  server: () => ServerProcess,
): Readonly<
  Record<
    keyof typeof ARTIFACT_ROUTES | keyof typeof REGISTRY_ROUTES | keyof typeof PUBLICATION_ROUTES,
    () => Promise<Call> | Call
  >
> {
  const have = worldOf(server);
  return {
    registrySummary: () => ({}),
    registryPending: () => ({}),
    registryAudit: () => ({}),
    registryEvents: () => ({}),
    registryArtifacts: async () => {
      await have.tag();
      return { query: { tag_key: 'stage' } };
    },
    approvePending: async () => ({ body: await have.pending() }),
    rejectPending: async () => ({ body: await have.pending() }),
    publishArtifact: async () => ({ params: await have.artifact(), body: { title: 'A table' } }),
    listPublications: () => ({ query: { include_revoked: 'true' } }),
    publishedArtifact: async () => ({ params: await have.publication() }),
    editPublication: async () => ({
      params: await have.publication(),
      body: { authors: [{ name: 'A. Author', orcid: '0000-0002-1825-0097' }] },
    }),
    withdrawPublication: async () => ({ params: await have.publication() }),
    listNames: () => ({}),
    setName: async () => ({ body: { ...(await have.numbered()), name: 'team/sales' } }),
    getName: async () => ({ params: await have.name() }),
    deleteName: async () => ({ params: await have.name() }),
    nameStatus: async () => ({ params: await have.name() }),
    listAliases: async () => ({ params: await have.name() }),
    getAlias: async () => ({ params: await have.alias() }),
    setAlias: async () => ({
      params: { ...(await have.name()), alias: 'next' },
      body: await have.numbered(),
    }),
    deleteAlias: async () => ({ params: await have.alias() }),
    listArtifacts: () => ({ query: { since: '2020-01-01T00:00:00Z', sort: 'byte_size', order: 'asc' } }),
    artifactStats: () => ({}),
    artifactUsage: () => ({}),
    artifactByProvenance: async () => {
      const params = await have.artifact();
      const path = `/v1/artifacts/${params.artifact_id}/v/${params.version}`;
      const { body } = await rest<{ provenance_hash: string }>(server().url, 'GET', path);
      return { params: { provenance_hash: body.provenance_hash } };
    },
    finalizeArtifact: async () => ({ body: await have.uploaded() }),
    collectArtifacts: () => ({ query: { max_idle_days: '30', dry_run: 'true' } }),
    artifactVersion: async () => ({ params: await have.artifact() }),
    artifactData: async () => ({ params: await have.artifact() }),
    artifactLineage: async () => ({ params: await have.artifact() }),
    artifactDependents: async () => ({ params: await have.artifact() }),
    deleteArtifact: async () => ({ params: await have.artifact({ doomed: [1] }) }),
    exportArtifact: async () => {
      const warehouse = join(server().storageDir, 'warehouse');
      mkdirSync(warehouse, { recursive: true });
      return { params: await have.artifact(), body: { table: `${warehouse}#ns.orders`, alias: 'prod' } };
    },
    pinArtifact: async () => ({ params: await have.artifact(), body: { reason: 'paper' } }),
    unpinArtifact: async () => {
      const params = await have.artifact();
      const path = `/v1/artifacts/${params.artifact_id}/v/${params.version}/pin`;
      await rest(server().url, 'POST', path, { reason: 'paper' });
      return { params, query: { reason: 'paper' } };
    },
    artifactTags: async () => ({ params: await have.artifact() }),
    setArtifactTag: async () => ({ params: await have.artifact(), body: { key: 'stage', value: 'raw' } }),
    deleteArtifactTag: async () => ({ params: { ...(await have.tag()), key: 'stage' } }),
  };
}

/** The artifacts, names and requests that calls need, each made when a call needs it. */
function worldOf(server: () => ServerProcess) {
  const api = <T>(method: 'GET' | 'PUT' | 'POST', path: string, body?: unknown) =>
    rest<T>(server().url, method, path, body);
  const artifact = async (data: unknown = { a: [1, 2] }): Promise<Version> => {
    const transform = { executor: 'test@v1', params: { data } };
    const { body } = await api<{ artifact_uri: string }>('PUT', '/v1/artifacts', { transform, data });
    const [, artifact_id = '', version = ''] =
      /^svc:\/\/artifact\/(.+)@v=(\d+)$/.exec(body.artifact_uri) ?? [];
    return { artifact_id, version };
  };
  const numbered = async () => {
    const { artifact_id, version } = await artifact();
    return { artifact_id, version: Number(version) };
  };
  const name = async () => {
    await api('POST', '/v1/names', { ...(await numbered()), name: 'team/orders' });
    return { name: 'team/orders' };
  };
  const put = (path: string, body: unknown) => api('PUT', path, body);
  return {
    artifact,
    numbered,
    name,
    async alias() {
      const params = { ...(await name()), alias: 'dev' };
      await put('/v1/names/team/orders/aliases/dev', await numbered());
      return params;
    },
    async pending() {
      await name();
      // A new artifact: if the alias already points to it, no request waits for approval.
      const { artifact_id, version } = await artifact({ a: [String(process.hrtime.bigint())] });
      await put('/v1/names/team/orders/aliases/prod', { artifact_id, version: Number(version) });
      return { name: 'team/orders', alias: 'prod' };
    },
    async publication() {
      const { artifact_id, version } = await artifact({ a: [String(process.hrtime.bigint())] });
      const path = `/v1/artifacts/${artifact_id}/v/${version}/publish`;
      const { body } = await api<{ token: string }>('POST', path, {});
      return { token: body.token };
    },
    async tag() {
      const version = await artifact();
      await put(`/v1/artifacts/${version.artifact_id}/v/${version.version}/tags`, {
        key: 'stage',
        value: 'raw',
      });
      return version;
    },
    /** A version whose bytes are uploaded but which is not finalized, as during the build of a transform. */
    async uploaded() {
      const id = `built-${process.hrtime.bigint()}`;
      await artifact();
      const database = new Sqlite(join(server().storageDir, '.artifacts/registry.sqlite'));
      database
        .prepare(
          `INSERT INTO artifact_versions (id, version, state, provenance_hash, created_at) VALUES (?, 1, 'building', ?, ?)`,
        )
        .run(id, id, Date.now() / 1000);
      database.close();
      const path = `/v1/artifacts/upload/${id}/v/1`;
      const answer = await fetch(`${server().url}${path}`, { method: 'POST', body: Buffer.from('bytes') });
      if (!answer.ok) throw new Error(await answer.text());
      return { artifact_id: id, version: 1, arrow_schema: { fields: [] }, row_count: 0 };
    },
  };
}
