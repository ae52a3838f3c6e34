/** Handlers of the routes about catalogs of Iceberg tables, which the user attaches in the Data panel. */

import type { TABLE_CATALOG_ROUTES } from '../../../src-shared/wire/routes/tableCatalogs.ts';
import type { DataPlane } from '../../dataPlane/api.ts';
import type { HandlersOf } from '../implementRoutes.ts';

/** The handlers of the routes about catalogs of Iceberg tables. */
export function tableCatalogHandlers({
  dataPlane,
}: {
  readonly dataPlane: DataPlane;
}): HandlersOf<typeof TABLE_CATALOG_ROUTES> {
  const { attached } = dataPlane;
  const all = async () => ({
    catalogs: (await attached.list()).map(({ properties, secrets, ...one }) => {
      return { ...one, properties: { ...properties }, secrets: [...secrets] };
    }),
  });
  return {
    listTableCatalogs: all,
    async attachTableCatalog({ params, body }) {
      await attached.attach(params.catalog, body.properties);
      return all();
    },
    async detachTableCatalog({ params }) {
      await attached.detach(params.catalog);
      return all();
    },
    async tableNamespaces({ params, wanted: signalOf }) {
      const browser = await dataPlane.tableBrowser();
      return { namespaces: [...(await browser.namespaces(params.catalog, signalOf()))] };
    },
    async namespaceTables({ params, query, wanted: signalOf }) {
      const browser = await dataPlane.tableBrowser();
      return { tables: [...(await browser.tables({ ...params, ...query }, signalOf()))] };
    },
    async describeTable({ params, query, wanted: signalOf }) {
      const browser = await dataPlane.tableBrowser();
      const table = await browser.describe({ ...params, ...query }, signalOf());
      return {
        uri: table.uri,
        location: table.location,
        format_version: table.formatVersion,
        columns: [...table.columns],
        current_snapshot_id: table.currentSnapshotId,
        snapshots: table.snapshots.map((snapshot) => ({
          id: snapshot.id,
          parent_id: snapshot.parentId,
          operation: snapshot.operation,
          at: new Date(snapshot.atMs).toISOString(),
          added_rows: snapshot.addedRows,
          deleted_rows: snapshot.deletedRows,
          total_rows: snapshot.totalRows,
        })),
        snapshot_count: table.snapshotCount,
      };
    },
    async sampleTable({ params, query, wanted: signalOf }) {
      const { snapshot_id: id, ...table } = query;
      const browser = await dataPlane.tableBrowser();
      const { columns, rows } = await browser.sample(
        { ...params, ...table },
        id === undefined ? null : BigInt(id),
        signalOf(),
      );
      return { columns: [...columns], rows: rows.map((row) => [...row]) };
    },
  };
}
