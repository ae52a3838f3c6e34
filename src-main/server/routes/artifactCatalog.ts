import type { CATALOG_ROUTES } from '../../../src-shared/wire/routes/artifactCatalog.ts';
import type { RegistryService } from '../../registry/registryService.ts';
import { uriOf } from '../../registry/versionRow.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import { partyOf } from './registryParty.ts';

/** The artifact store as listed in the window. */
export function catalogHandlers({
  registry: service,
}: {
  readonly registry: RegistryService;
}): HandlersOf<typeof CATALOG_ROUTES> {
  return {
    async artifactCatalog({ query, caller }) {
      const registry = await service.open();
      const { search, content_type, kept, limit, offset } = query;
      const { entries, hasMore } = registry.catalog(
        {
          ...{ search: search?.trim() || null, contentType: content_type || null, kept: kept ?? null },
          ...{ limit, offset },
        },
        partyOf(caller),
      );
      return {
        artifacts: entries.map(({ row, names, keptBecause }) => ({
          ...{ artifact_uri: uriOf(row), artifact_id: row.id, version: row.version, state: row.state },
          ...{ content_type: row.contentType, row_count: row.rowCount, byte_size: row.byteSize },
          ...{ created_at: row.createdAt, last_used_at: row.lastUsedAt, principal: row.principal },
          ...{ names: [...names], kept_because: [...keptBecause] },
        })),
        has_more: hasMore,
        total_bytes: registry.stats(null).total_bytes,
      };
    },
  };
}
