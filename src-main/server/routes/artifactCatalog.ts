/**
 * Handlers of the routes by which the window shows the artifact store: its list, the map of lineage, and comparisons.
 */

import { existsSync } from 'node:fs';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { CATALOG_ROUTES } from '../../../src-shared/wire/routes/artifactCatalog.ts';
import { parseArtifactUri } from '../../artifacts/uri.ts';
import type { MapNode } from '../../registry/lineageMap.ts';
import type { Registry } from '../../registry/registry.ts';
import { type Party, uriOf, type VersionRef } from '../../registry/versionRow.ts';
import type { App } from '../app.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import { comparisonOf, type StoredFile } from './comparison.ts';
import { partyOf, refOf } from './registryParty.ts';

/** The handlers of the window's routes about the artifact store. */
export function catalogHandlers({
  registry: service,
  sessions,
  tables,
}: Pick<App, 'registry' | 'sessions' | 'tables'>): HandlersOf<typeof CATALOG_ROUTES> {
  return {
    async artifactCatalog({ query, caller }) {
      const registry = await service.open();
      const { search, content_type, kept, uri, limit, offset } = query;
      const { entries, hasMore, totalBytes } = registry.catalog(
        {
          search: search?.trim() || null,
          contentType: content_type || null,
          kept: kept ?? null,
          ref: uri === undefined ? null : refIn(uri),
          limit,
          offset,
        },
        partyOf(caller),
      );
      return {
        artifacts: entries.map(({ row, names, keptBecause }) => ({
          artifact_uri: uriOf(row),
          artifact_id: row.id,
          version: row.version,
          state: row.state,
          content_type: row.contentType,
          row_count: row.rowCount,
          byte_size: row.byteSize,
          created_at: row.createdAt,
          last_used_at: row.lastUsedAt,
          principal: row.principal,
          names: [...names],
          kept_because: [...keptBecause],
        })),
        has_more: hasMore,
        total_bytes: totalBytes,
      };
    },
    async artifactHolds({ params, caller }) {
      return { holds: [...(await service.open()).holds(refOf(params), partyOf(caller))] };
    },
    async artifactMap({ params, query, caller }) {
      const map = (await service.open()).lineageMap(refOf(params), query, partyOf(caller));
      const notebookIds = new Set(map.nodes.map(({ version }) => version?.notebookId));
      const open = sessions.list().filter(({ notebookId }) => notebookIds.has(notebookId));
      return {
        artifact_uri: map.uri,
        nodes: map.nodes.map(nodeOf),
        edges: map.edges.map(({ from, to }) => ({ from_uri: from, to_uri: to })),
        truncated: map.isCut,
        notebooks: open.map((session) => ({
          notebook_id: session.notebookId,
          session_id: session.id,
          name: session.views.notebook.body().name,
        })),
      };
    },
    async compareArtifacts({ query, caller }) {
      const registry = await service.open();
      const [before, after] = [query.before, query.after].map((uri) =>
        fileOf(registry, uri, partyOf(caller)),
      );
      if (before === undefined || after === undefined) throw new Error('two addresses make two files');
      const column = query.column ?? '';
      const by = query.match === 'position' ? { column: '' } : column === '' ? 'key' : { column };
      return { comparison: await comparisonOf({ before, after }, { tables, by }) };
    },
  };
}

function nodeOf({ uri, type, version, inputs, dependents }: MapNode) {
  return {
    uri,
    type,
    inputs,
    dependents,
    version:
      version === null
        ? null
        : {
            artifact_id: version.id,
            version: version.version,
            state: version.state,
            content_type: version.contentType,
            byte_size: version.byteSize,
            row_count: version.rowCount,
            created_at: version.createdAt,
            name: version.name,
            notebook_id: version.notebookId,
            cell_id: version.cellId,
            variable: version.variable,
          },
  };
}

/** The version that a `svc://` URI names. @throws AppError bad_request if it names none */
function refIn(uri: string): VersionRef {
  const ref = parseArtifactUri(uri);
  if (ref !== null) return ref;
  throw new AppError('bad_request', `'${uri}' is not the address of a version: svc://artifact/<id>@v=<n>.`);
}

/** @throws AppError bad_request, not_found; RegistryError not_found, invalid without data */
function fileOf(registry: Registry, uri: string, party: Party): StoredFile {
  const { path, row } = registry.dataFile(refIn(uri), party);
  if (!existsSync(path)) {
    throw new AppError('not_found', `The stored bytes of ${uri} are missing. Run svc artifact verify.`);
  }
  return { path, contentType: row.contentType, sha256: row.contentSha256 ?? uri };
}
