/** The BigQuery driver of SQL cells: connects with Google's client, and runs statements as jobs. */

import { DIALECTS } from '../../../src-shared/sql/dialect.ts';
import type { BoundStatement, Driver, SqlConnection } from '../driver.ts';
import { withOriginalPosition } from '../originalPosition.ts';
import { render } from '../render.ts';
import { SqlError } from '../sqlError.ts';
import { insertAfterAliases } from '../text/afterAlias.ts';
import { type BigQueryClient, createClient } from './client.ts';
import { readStatement } from './read.ts';
import { isRoutine } from './routines.ts';
import { targetOf } from './settings.ts';
import { freshnessOf, schemaFingerprintOf, schemaOf } from './tables.ts';
import { writeStatements } from './write.ts';

const NOW = "SELECT FORMAT_TIMESTAMP('%FT%H:%M:%E6SZ', CURRENT_TIMESTAMP()) AS now";
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;

/** BigQuery, with Google's own client. The credentials decide what a connection may do. */
export const bigquery: Driver = {
  name: 'bigquery',
  dialect: DIALECTS.bigquery,
  capabilities: { freshness: 'table', snapshots: true },
  identity(settings, access) {
    const { projectId, datasetId, principal, endpoint } = targetOf(settings, access);
    const elsewhere = endpoint === null ? {} : { api_endpoint: endpoint };
    return { project_id: projectId, dataset_id: datasetId, principal, ...elsewhere };
  },
  async connect(settings, { access, signal }) {
    signal.throwIfAborted();
    return connectionOf(createClient(targetOf(settings, access)));
  },
};

function connectionOf(client: BigQueryClient): SqlConnection {
  return {
    query: (bound, { signal, snapshot }) =>
      snapshot === null ? readStatement(client, bound, signal) : readAt(client, bound, { snapshot, signal }),
    write: (statements, { signal }) => writeStatements(client, statements, signal),
    freshness: (tables, signal, calls = []) =>
      calls.some(isRoutine) ? Promise.resolve(null) : freshnessOf(client, tables, signal),
    schemaFingerprint: (tables, signal) => schemaFingerprintOf(client, tables, signal),
    takeSnapshot: (signal) => takeSnapshot(client, signal),
    schema: (signal) => schemaOf(client, signal),
    // No connection stays open: each request is independent.
    close: async () => {},
  };
}

/** The current time of the service's clock: a later time would be refused. */
async function takeSnapshot(client: BigQueryClient, signal: AbortSignal): Promise<string> {
  const { batches } = await readStatement(client, { sql: NOW, binds: [] }, signal);
  for await (const batch of batches) {
    const moment = Array.isArray(batch) ? batch[0]?.[0] : null;
    if (typeof moment === 'string' && MOMENT.test(moment)) return moment;
  }
  throw new SqlError('BigQuery did not return the current time.');
}

async function readAt(
  client: BigQueryClient,
  bound: BoundStatement,
  { snapshot, signal }: { snapshot: string; signal: AbortSignal },
) {
  // It becomes part of the text, so it must be exactly a timestamp.
  if (!MOMENT.test(snapshot)) throw new SqlError(`"${snapshot}" is not a valid snapshot time.`);
  const { statement, binds } = bound;
  const { dialect } = bigquery;
  const clause = `FOR SYSTEM_TIME AS OF TIMESTAMP '${snapshot}'`;
  const rendered = render(
    statement,
    dialect,
    insertAfterAliases(statement, dialect, () => clause),
  );
  return readStatement(client, { sql: rendered.sql, binds }, signal).catch((error: unknown) => {
    throw withOriginalPosition(error, rendered, { statement, dialect });
  });
}
