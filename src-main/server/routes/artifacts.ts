/** Handlers of the artifact store's routes: versions, lineage, tags, pins and collection. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import type { ARTIFACT_ROUTES } from '../../../src-shared/wire/routes/artifacts.ts';
import type { Config } from '../../config/variables.ts';
import type { DataPlane } from '../../dataPlane/api.ts';
import { ProvenanceMiss } from '../../registry/registryError.ts';
import type { RegistryService } from '../../registry/registryService.ts';
import { listEntry } from '../../registry/storeFigures.ts';
import { uriOf } from '../../registry/versionRow.ts';
import type { Caller } from '../caller.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import { matchOf, metadataOf, nameIfGiven, partyOf, refOf } from './registryParty.ts';

/** The handlers of the artifact store's routes. */
export function artifactHandlers({
  registry: service,
  dataPlane,
  config,
}: {
  readonly registry: RegistryService;
  readonly dataPlane: Pick<DataPlane, 'exportTable'>;
  readonly config: Config;
}): HandlersOf<typeof ARTIFACT_ROUTES> {
  return {
    async listArtifacts({ query, caller }) {
      const registry = await service.open();
      const { limit, offset, state, name_prefix, since, sort, order } = query;
      const rows = registry.list(
        {
          limit,
          offset,
          sort,
          order,
          state: state ?? null,
          namePrefix: name_prefix ?? null,
          since: since === undefined ? null : secondsOf(since),
        },
        partyOf(caller),
      );
      return { artifacts: rows.map(listEntry), limit, offset };
    },
    async artifactStats({ query, caller }) {
      const tenant = tenantOf(query.tenant, caller);
      return (await service.open()).stats(tenant);
    },
    async artifactUsage({ query, caller }) {
      const tenant = tenantOf(query.tenant, caller);
      return (await service.open()).usage(tenant);
    },
    async artifactByProvenance({ params, caller }) {
      const row = (await service.open()).readyByProvenance(params.provenance_hash, partyOf(caller));
      if (row === null) throw new ProvenanceMiss();
      return matchOf(row);
    },
    async finalizeArtifact({ body, caller }) {
      const registry = await service.open();
      const party = partyOf(caller);
      const schemaJson =
        typeof body.arrow_schema === 'string' ? body.arrow_schema : JSON.stringify(body.arrow_schema);
      const row = registry.finalize(refOf(body), { rowCount: body.row_count, schemaJson }, party);
      const registration = nameIfGiven(registry, body.name, { row, party });
      return { artifact_uri: uriOf(row), byte_size: row.byteSize ?? 0, ...registration };
    },
    async collectArtifacts({ query }) {
      const numbers = [query.max_idle_days, query.max_bytes, query.min_idle_seconds];
      if (numbers.some((number) => number !== undefined && !(number >= 0))) {
        throw new AppError('bad_request', 'max_idle_days, max_bytes and min_idle_seconds must be 0 or more.');
      }
      const limits = {
        maxIdleDays: query.max_idle_days ?? null,
        maxBytes: query.max_bytes ?? null,
        minIdleSeconds: query.min_idle_seconds ?? config.artifactGcMinIdleSeconds,
        collectLatest: query.collect_latest,
        now: Date.now() / 1000,
      };
      const registry = await service.open();
      const { versions, deletedBytes, storeBytes } = await registry.collect(limits, query.dry_run);
      const collected = versions.map(({ id, version, byteSize, lastUsedAt }) => ({
        artifact_id: id,
        version,
        byte_size: byteSize,
        last_used_at: lastUsedAt,
      }));
      return {
        deleted_count: versions.length,
        deleted_bytes: deletedBytes,
        store_bytes: storeBytes,
        dry_run: query.dry_run,
        ...(query.dry_run ? { collected } : {}),
      };
    },
    async artifactVersion({ params, caller }) {
      return metadataOf((await service.open()).get(refOf(params), partyOf(caller)));
    },
    async deleteArtifact({ params, caller }) {
      const ref = refOf(params);
      (await service.open()).remove(ref, partyOf(caller));
      return { deleted: true, artifact_uri: uriOf(ref) };
    },
    async artifactData({ params, caller }) {
      const { path, row } = (await service.open()).dataFile(refOf(params), partyOf(caller));
      return {
        path,
        // These routes announce an Arrow stream for any bytes (docs/spec/core-services.md).
        contentType: 'arrow/ipc',
        sha256: row.contentSha256 ?? '',
        fileName: `${row.id}.arrow`,
        headers: row.rowCount === null ? {} : { 'X-Arrow-Row-Count': String(row.rowCount) },
      };
    },
    async artifactLineage({ params, query, caller }) {
      const lineage = (await service.open()).lineage(refOf(params), query.max_depth, partyOf(caller));
      return {
        ...lineage,
        nodes: [...lineage.nodes],
        edges: [...lineage.edges],
        direct_inputs: [...lineage.direct_inputs],
      };
    },
    async artifactDependents({ params, query, caller }) {
      const ref = refOf(params);
      const { dependents, total_count } = (await service.open()).dependents(
        ref,
        query.limit,
        partyOf(caller),
      );
      return {
        artifact_uri: uriOf(ref),
        artifact_id: ref.id,
        version: ref.version,
        dependents: [...dependents],
        total_count,
      };
    },
    exportArtifact: async ({ params, body: { table, alias = null }, caller, wanted: signalOf }) =>
      dataPlane.exportTable({ ref: refOf(params), table, alias }, partyOf(caller), signalOf()),
    async pinArtifact({ params, body, caller }) {
      return (await service.open()).pins.add(refOf(params), body.reason, partyOf(caller));
    },
    async unpinArtifact({ params, query, caller }) {
      (await service.open()).pins.remove(refOf(params), query.reason, partyOf(caller));
      return { unpinned: true, ...params, reason: query.reason };
    },
    async artifactTags({ params, caller }) {
      return { ...params, tags: (await service.open()).tags.of(refOf(params), partyOf(caller)) };
    },
    async setArtifactTag({ params, body, caller }) {
      (await service.open()).tags.set(refOf(params), body, partyOf(caller));
      return { [body.key]: body.value, ...params };
    },
    async deleteArtifactTag({ params: { key, ...params }, caller }) {
      const registry = await service.open();
      const party = partyOf(caller);
      registry.tags.remove(refOf(params), key, party);
      return { ...params, tags: registry.tags.of(refOf(params), party) };
    },
  };
}

/** The time as epoch seconds, from ISO 8601 text or a number. @throws AppError bad_request */
function secondsOf(since: string): number {
  const seconds = /^\s*-?\d+(\.\d+)?\s*$/.test(since) ? Number(since) : Date.parse(since) / 1000;
  if (Number.isFinite(seconds)) return seconds;
  throw new AppError('bad_request', 'since must be an ISO 8601 time or epoch seconds.');
}

/** The tenant whose totals are requested; null for all tenants. @throws AppError forbidden for another tenant */
function tenantOf(requested: string | undefined, caller: Caller): string | null {
  const party = partyOf(caller);
  if (requested === undefined) return party.isAdmin && caller.tenant === null ? null : party.tenant;
  if (requested !== party.tenant && !party.isAdmin) {
    throw new AppError('forbidden', "Another tenant's totals require the admin:* scope.");
  }
  return requested;
}
