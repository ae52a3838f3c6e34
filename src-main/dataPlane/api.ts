/** The data plane as routes and cells see it: the requests that they may make. */

import type { TableCatalogs } from '../mount/registry.ts';
import type { BuildRow } from '../registry/buildRows.ts';
import type { Party, VersionRef } from '../registry/versionRow.ts';
import type { CachePlane } from './cache/cachePlane.ts';
import type { AttachedCatalogs } from './catalogs/attachedCatalogs.ts';
import type { TableBrowser } from './catalogs/tableBrowser.ts';
import type { ExplainAnswer } from './explain.ts';
import type { FetchedStream } from './fetchStream.ts';
import type { Requester } from './requester.ts';
import type { DirectScanRequest, Materialized, MaterializeRequest } from './requests.ts';
import type { ExportedTable, TableExportRequest } from './tableExport/exportTable.ts';
import type { MovedTag } from './tableExport/moveTableTags.ts';

/** The data plane once everything that reads and caches tables is loaded. */
export interface OpenDataPlane
  extends Pick<
    DataPlane,
    'exportTable' | 'materialize' | 'explain' | 'inputVersions' | 'scan' | 'stream' | 'close'
  > {
  readonly cachePlane: CachePlane;
  readonly tableBrowser: TableBrowser;
  /** The newest snapshot of a table. @throws PlaneRefusal */
  currentSnapshot(
    uri: string,
    signal: AbortSignal,
  ): Promise<{ readonly kind: 'snapshot'; readonly id: string } | { readonly kind: 'empty' }>;
}

/**
 * Scans and transforms of tables and artifacts: the core routes of the server (docs/spec/core-services.md, 1 and 2).
 */
export interface DataPlane {
  /** @throws PlaneRefusal, RegistryError */
  materialize(request: MaterializeRequest, who: Requester, signal: AbortSignal): Promise<Materialized>;
  /** Returns what materialize would do, without building. @throws PlaneRefusal, RegistryError */
  explain(
    request: Pick<MaterializeRequest, 'inputs' | 'transform' | 'name'>,
    who: Requester,
    signal: AbortSignal,
  ): Promise<ExplainAnswer>;
  /** The current version of each input; `<error: …>` for one that cannot be resolved. */
  inputVersions(
    uris: readonly string[],
    party: Party,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>>>;
  /** The rows of a table as an Arrow stream, without an artifact. @throws PlaneRefusal */
  scan(request: DirectScanRequest, who: Requester, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** @throws PlaneRefusal */
  stream(id: string, who: Requester): Promise<FetchedStream>;
  /** The row of a build; null for one that does not belong to the data plane, or belongs to another client. */
  build(buildId: string, party: Party): Promise<BuildRow | null>;
  /** Writes a version to a table. @throws PlaneRefusal, RegistryError */
  exportTable(request: TableExportRequest, party: Party, signal: AbortSignal): Promise<ExportedTable>;
  /** After an alias was moved to a version: moves the tags of the tables that the version was exported to. */
  moveTableTags(
    alias: string,
    ref: VersionRef,
    party: Party,
    signal: AbortSignal,
  ): Promise<readonly MovedTag[]>;
  cachePlane(): Promise<CachePlane>;
  /** The catalogs that a user attached, in addition to those of the settings. */
  readonly attached: AttachedCatalogs;
  tableBrowser(): Promise<TableBrowser>;
  /** For the `@table` lines of notebooks. */
  readonly catalogs: TableCatalogs;
  /** Refuses new work, ends queries, and ends running scans after a grace period. */
  close(): Promise<void>;
}
