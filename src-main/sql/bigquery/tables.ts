/** Reads the tables of BigQuery: whether their data changed, their columns, and the list of all. */

import type { TableName } from '../../../src-shared/sql/tableName.ts';
import type { SchemaColumn, SchemaTable } from '../driver.ts';
import { bigqueryError, isMissing } from './bigqueryError.ts';
import type { BigQueryClient } from './client.ts';
import { insertJob, type TableReference } from './job.ts';
import type { SchemaField } from './types.ts';

/** A table as tables.get returns it, with the fields that are used here. */
interface ApiTable {
  readonly tableReference: TableReference;
  readonly type?: string;
  readonly lastModifiedTime?: string;
  readonly streamingBuffer?: object;
  readonly schema?: { readonly fields?: readonly SchemaField[] };
}

/** How many tables are requested at a time. */
const GROUP_SIZE = 16;

/**
 * A token per table: its full name and the time of its last change. A view also has the tokens of the tables it reads.
 * @returns null when changes cannot be detected: external tables, rows that are still streaming in, wildcards
 */
export async function freshnessOf(
  client: BigQueryClient,
  names: readonly TableName[],
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  const tokens = new Set<string>();
  for (const name of names) {
    const reference = referenceOf(client, name);
    if (reference === null) return null;
    const relatedTables = await tableAndSources(client, reference, signal);
    for (const { place, table } of relatedTables) {
      if (table === null) tokens.add(JSON.stringify([place, 'absent']));
      else if (isUncounted(table)) return null;
      else tokens.add(JSON.stringify([place, table.type ?? null, table.lastModifiedTime ?? null]));
    }
  }
  return [...tokens].sort();
}

/** Names, types and modes of the columns, nested ones too; for views also those of the tables they read. */
export async function schemaFingerprintOf(
  client: BigQueryClient,
  names: readonly TableName[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const lines = new Set<string>();
  for (const name of names) {
    const reference = referenceOf(client, name);
    if (reference === null) continue;
    for (const { place, table } of await tableAndSources(client, reference, signal)) {
      if (table !== null)
        lines.add(JSON.stringify([place, (table.schema?.fields ?? []).map(shapeOf).sort()]));
    }
  }
  return [...lines].sort();
}

function shapeOf(field: SchemaField): string {
  const { name, type, mode = 'NULLABLE', precision = null, scale = null, fields = [] } = field;
  return JSON.stringify([name, type, mode, precision, scale, fields.map(shapeOf).sort()]);
}

function isUncounted({ type, streamingBuffer }: ApiTable): boolean {
  return type === 'EXTERNAL' || streamingBuffer !== undefined;
}

/** The parts of a name, in any quoting: `a.b`.c, `a.b.c`; null for a wildcard, a system view, an incomplete name. */
function referenceOf({ target }: BigQueryClient, { parts }: TableName): TableReference | null {
  const names = parts.flatMap((part) => part.split('.'));
  if (names.some((name) => name.includes('*') || name.toUpperCase() === 'INFORMATION_SCHEMA')) return null;
  const [tableId, datasetId = target.datasetId, ...rest] = names.toReversed();
  if (tableId === undefined || tableId === '' || datasetId === null || tableId.startsWith('__')) return null;
  // A project of a domain contains dots and a colon: `example.com:sales`.
  const projectId = rest.length === 0 ? target.projectId : rest.toReversed().join('.');
  return { projectId, datasetId, tableId };
}

interface NamedTable {
  readonly place: string;
  readonly table: ApiTable | null;
}

async function tableAndSources(
  client: BigQueryClient,
  reference: TableReference,
  signal: AbortSignal,
): Promise<readonly NamedTable[]> {
  const table = await tableAt(client, reference, signal);
  const own = { place: placeOf(reference), table };
  if (table === null || !/VIEW$/.test(table.type ?? '')) return [own];
  // A dry run costs nothing and returns the tables that a view reads.
  const sql = `SELECT 1 FROM \`${placeOf(reference)}\``;
  const job = await insertJob(client, { sql, parameters: [], dryRun: true }, signal);
  const others = (job.statistics?.query?.referencedTables ?? []).filter((one) => placeOf(one) !== own.place);
  const tables = others.map(async (one) => ({
    place: placeOf(one),
    table: await tableAt(client, one, signal),
  }));
  return [own, ...(await Promise.all(tables))];
}

function placeOf({ projectId, datasetId, tableId }: TableReference): string {
  return `${projectId}.${datasetId}.${tableId}`;
}

async function tableAt(
  client: BigQueryClient,
  { projectId, datasetId, tableId }: TableReference,
  signal: AbortSignal,
): Promise<ApiTable | null> {
  const uri = `/datasets/${encodeURIComponent(datasetId)}/tables/${encodeURIComponent(tableId)}`;
  try {
    return (await client.ask({ uri, projectId }, signal)) as ApiTable; // the API's contract
  } catch (error) {
    signal.throwIfAborted();
    if (isMissing(error)) return null;
    throw bigqueryError(error);
  }
}

/** Every table and view of the project's datasets, or of the connection's dataset. */
export async function schemaOf(client: BigQueryClient, signal: AbortSignal): Promise<readonly SchemaTable[]> {
  try {
    const datasets =
      client.target.datasetId === null ? await datasetsOf(client, signal) : [client.target.datasetId];
    const lists = await Promise.all(datasets.map((dataset) => tablesOf(client, dataset, signal)));
    return await inGroups(lists.flat(), async (reference) =>
      schemaTable(reference, await tableAt(client, reference, signal)),
    );
  } catch (error) {
    signal.throwIfAborted();
    throw bigqueryError(error);
  }
}

async function datasetsOf(client: BigQueryClient, signal: AbortSignal): Promise<readonly string[]> {
  const datasets = await listAll(client, { uri: '/datasets', items: 'datasets', signal });
  return datasets.map(
    (item) => (item as { datasetReference: { datasetId: string } }).datasetReference.datasetId,
  );
}

async function tablesOf(
  client: BigQueryClient,
  dataset: string,
  signal: AbortSignal,
): Promise<TableReference[]> {
  const uri = `/datasets/${encodeURIComponent(dataset)}/tables`;
  const tables = await listAll(client, { uri, items: 'tables', signal });
  return tables.map((item) => (item as ApiTable).tableReference);
}

async function listAll(
  client: BigQueryClient,
  { uri, items, signal }: { uri: string; items: string; signal: AbortSignal },
): Promise<unknown[]> {
  const all: unknown[] = [];
  let pageToken: string | undefined;
  do {
    const query = { maxResults: 1_000, ...(pageToken === undefined ? {} : { pageToken }) };
    const answer = (await client.ask({ uri, query }, signal)) as Record<string, unknown>; // the API's contract
    all.push(...((answer[items] as unknown[] | undefined) ?? []));
    pageToken = answer['nextPageToken'] as string | undefined;
  } while (pageToken !== undefined);
  return all;
}

async function inGroups<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += GROUP_SIZE) {
    results.push(...(await Promise.all(items.slice(at, at + GROUP_SIZE).map(work))));
  }
  return results;
}

function schemaTable({ projectId, datasetId, tableId }: TableReference, table: ApiTable | null): SchemaTable {
  const columns = (table?.schema?.fields ?? []).map(schemaColumn);
  return { catalog: projectId, schema: datasetId, name: tableId, columns };
}

function schemaColumn(field: SchemaField): SchemaColumn {
  return { name: field.name, type: typeText(field), nullable: field.mode !== 'REQUIRED' };
}

/** The type as in a declaration: `ARRAY<STRUCT<a INTEGER>>`. */
function typeText(field: SchemaField): string {
  if (field.mode === 'REPEATED') return `ARRAY<${typeText({ ...field, mode: 'NULLABLE' })}>`;
  if (field.type !== 'RECORD' && field.type !== 'STRUCT') return field.type;
  return `STRUCT<${(field.fields ?? []).map((one) => `${one.name} ${typeText(one)}`).join(', ')}>`;
}
