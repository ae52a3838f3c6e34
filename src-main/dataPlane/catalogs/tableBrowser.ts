/** Lists namespaces, tables, columns and snapshots of a catalog for the Data panel. */

import type { Catalog } from '../../iceberg/catalog/catalog.ts';
import { withinDeadline } from '../../iceberg/deadline.ts';
import { type Snapshot, snapshotFor } from '../../iceberg/metadata/tableMetadata.ts';
import { typeText } from '../../iceberg/metadata/types.ts';
import { openNamedCatalog, openTable, type Warehouses } from '../../iceberg/openTable.ts';
import { planScan } from '../../iceberg/plan/planScan.ts';
import { sampleScan } from '../../iceberg/read/sampleScan.ts';
import type { Sample } from '../../sql/readSample.ts';
import { SAMPLE_ROWS } from '../../sql/sampleStatement.ts';
import { refusalOf } from '../planeRefusal.ts';
import type { TableLimits } from '../tableVersion.ts';

export interface NamedTable {
  readonly catalog: string;
  readonly namespace: string;
  readonly table: string;
}

interface DescribedTable {
  /** The name in cells and requests. */
  readonly uri: string;
  readonly location: string;
  readonly formatVersion: number;
  readonly columns: readonly { readonly name: string; readonly type: string; readonly required: boolean }[];
  readonly currentSnapshotId: string | null;
  /** The newest first. */
  readonly snapshots: readonly DescribedSnapshot[];
  /** The total number, including those not listed. */
  readonly snapshotCount: number;
}

interface DescribedSnapshot {
  readonly id: string;
  readonly parentId: string | null;
  readonly atMs: number;
  /** `append`, `overwrite`, `delete`, `replace`; null if the writer did not record it. */
  readonly operation: string | null;
  /** Counts of rows and files as the writer noted them. */
  readonly addedRows: string | null;
  readonly deletedRows: string | null;
  readonly totalRows: string | null;
}

/** Reads catalogs for the window, without storing or caching. Every method throws PlaneRefusal. */
export interface TableBrowser {
  namespaces(catalog: string, signal: AbortSignal): Promise<readonly string[]>;
  tables(at: Omit<NamedTable, 'table'>, signal: AbortSignal): Promise<readonly string[]>;
  describe(at: NamedTable, signal: AbortSignal): Promise<DescribedTable>;
  /** @param snapshotId null: the current one */
  sample(at: NamedTable, snapshotId: bigint | null, signal: AbortSignal): Promise<Sample>;
}

/** Shorter than the timeout of the window's request. */
const LONGEST_SECONDS = 20;
/** The maximum number of listed snapshots: a time line that a person can read. */
const MAX_SNAPSHOTS = 200;

export function createTableBrowser(current: () => Promise<Warehouses>, limits: TableLimits): TableBrowser {
  const milliseconds = Math.min(limits.planSeconds, LONGEST_SECONDS) * 1000;
  const timed = async <T>(
    what: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    try {
      return await withinDeadline(work, { milliseconds, what, signal });
    } catch (error) {
      throw refusalOf(error);
    }
  };
  const askCatalog = async <T>(name: string, ask: (catalog: Catalog) => Promise<T>): Promise<T> => {
    const catalog = openNamedCatalog(name, await current());
    try {
      return await ask(catalog);
    } finally {
      await catalog.close();
    }
  };
  return {
    namespaces: (name, signal) =>
      timed('Listing the namespaces', signal, (inner) =>
        askCatalog(name, (catalog) => catalog.listNamespaces(inner)),
      ),
    tables: ({ catalog: name, namespace }, signal) =>
      timed('Listing the tables', signal, (inner) =>
        askCatalog(name, (catalog) => catalog.listTables(namespace, inner)),
      ),
    describe: (at, signal) =>
      timed('Reading the table', signal, async (inner) => {
        const uri = uriOf(at);
        const table = await openTable(uri, await current(), inner);
        try {
          const { metadata } = table;
          const { schema } = snapshotFor(metadata, null);
          const newestFirst = metadata.snapshots.map(described).sort((a, b) => b.atMs - a.atMs);
          return {
            uri,
            location: metadata.location,
            formatVersion: metadata.formatVersion,
            columns: schema.fields.map(({ name, type, required }) => {
              return { name, type: typeText(type), required };
            }),
            currentSnapshotId:
              metadata.currentSnapshotId === null ? null : String(metadata.currentSnapshotId),
            snapshots: newestFirst.slice(0, MAX_SNAPSHOTS),
            snapshotCount: newestFirst.length,
          };
        } finally {
          await table.close();
        }
      }),
    sample: (at, snapshotId, signal) =>
      timed('Reading the first rows', signal, async (inner) => {
        const table = await openTable(uriOf(at), await current(), inner);
        const { metadata, files } = table;
        try {
          const plan = await planScan(
            metadata,
            { columns: null, filters: [], snapshotId },
            { files, signal: inner, limits },
          );
          return await sampleScan(plan, { files, signal: inner }, SAMPLE_ROWS);
        } finally {
          await table.close();
        }
      }),
  };
}

function uriOf({ catalog, namespace, table }: NamedTable): string {
  return `${catalog}:${namespace}.${table}`;
}

function described({ id, parentId, timestampMs, summary }: Snapshot): DescribedSnapshot {
  const count = (key: string): string | null => {
    const text = summary[key];
    return text !== undefined && /^\d{1,20}$/.test(text) ? text : null;
  };
  return {
    id: String(id),
    parentId: parentId === null ? null : String(parentId),
    atMs: timestampMs,
    operation: summary['operation'] ?? null,
    addedRows: count('added-records'),
    deletedRows: count('deleted-records'),
    totalRows: count('total-records'),
  };
}
