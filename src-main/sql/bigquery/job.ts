/** Calls the methods of BigQuery's API that run a query as a job: insert, wait, page and cancel. */

import { randomUUID } from 'node:crypto';
import { bigqueryError } from './bigqueryError.ts';
import type { QueryParameter } from './binds.ts';
import type { BigQueryClient } from './client.ts';
import type { ApiRow, SchemaField } from './types.ts';

/** The query of a job. */
interface JobQuery {
  readonly sql: string;
  readonly parameters: readonly QueryParameter[];
  /** The session in which a transaction runs; `new` starts one. */
  readonly session?: string | 'new';
  /** Whether the job only checks what the query would read. */
  readonly dryRun?: boolean;
}

/** A job of the API, with the fields that are used here. */
export interface Job {
  readonly jobReference: { readonly jobId: string; readonly location?: string };
  readonly status?: { readonly errorResult?: { readonly message?: string; readonly reason?: string } };
  readonly statistics?: {
    readonly sessionInfo?: { readonly sessionId?: string };
    readonly query?: {
      readonly numDmlAffectedRows?: string;
      readonly referencedTables?: readonly TableReference[];
    };
  };
}

/** A table as the API names it. */
export interface TableReference {
  readonly projectId: string;
  readonly datasetId: string;
  readonly tableId: string;
}

/** One page of a query's result, as the API answers it. */
export interface ResultPage {
  readonly schema: readonly SchemaField[];
  readonly rows: readonly ApiRow[];
  readonly pageToken: string | null;
}

const PAGE_ROWS = 10_000;
/** How long a request for results waits in the service before it is repeated. */
const WAIT_MS = 10_000;

/** jobs.insert. @throws SqlError with the service's message and the position in the text */
export async function insertJob(client: BigQueryClient, query: JobQuery, signal: AbortSignal): Promise<Job> {
  const { projectId, datasetId, location, maximumBytesBilled } = client.target;
  const json = {
    // The id is ours, so that a repeated request does not run the query twice.
    jobReference: { projectId, jobId: `cellar_${randomUUID()}`, ...(location === null ? {} : { location }) },
    configuration: {
      ...(query.dryRun === true ? { dryRun: true } : {}),
      query: {
        query: query.sql,
        useLegacySql: false,
        ...(query.parameters.length === 0
          ? {}
          : { parameterMode: 'POSITIONAL', queryParameters: query.parameters }),
        ...(datasetId === null ? {} : { defaultDataset: { projectId, datasetId } }),
        ...(maximumBytesBilled === null ? {} : { maximumBytesBilled }),
        ...sessionOf(query),
      },
    },
  };
  try {
    const job = (await client.ask({ method: 'POST', uri: '/jobs', json }, signal)) as Job; // the API's contract
    const fault = job.status?.errorResult;
    if (fault !== undefined) throw { errors: [fault], message: fault.message };
    return job;
  } catch (error) {
    signal.throwIfAborted();
    throw bigqueryError(error, query.sql);
  }
}

function sessionOf({ session }: JobQuery): object {
  if (session === undefined) return {};
  if (session === 'new') return { createSession: true };
  return { connectionProperties: [{ key: 'session_id', value: session }] };
}

/** jobs.getQueryResults: waits for the end of the job, then returns a page of its result. */
export async function resultPage(
  client: BigQueryClient,
  { job, sql, pageToken }: { job: Job; sql: string; pageToken: string | null },
  signal: AbortSignal,
): Promise<ResultPage> {
  const { jobId, location } = job.jobReference;
  const query = {
    maxResults: PAGE_ROWS,
    timeoutMs: WAIT_MS,
    'formatOptions.useInt64Timestamp': true,
    ...(location === undefined ? {} : { location }),
    ...(pageToken === null ? {} : { pageToken }),
  };
  try {
    for (;;) {
      const answer = (await client.ask({ uri: `/queries/${jobId}`, query }, signal)) as QueryAnswer; // the API's contract
      signal.throwIfAborted();
      if (answer.jobComplete === false) continue;
      return {
        schema: answer.schema?.fields ?? [],
        rows: answer.rows ?? [],
        pageToken: answer.pageToken ?? null,
      };
    }
  } catch (error) {
    signal.throwIfAborted();
    throw bigqueryError(error, sql);
  }
}

interface QueryAnswer {
  readonly jobComplete?: boolean;
  readonly schema?: { readonly fields?: readonly SchemaField[] };
  readonly rows?: readonly ApiRow[];
  readonly pageToken?: string;
}

/** jobs.get: the job with its statistics. */
export async function refreshedJob(client: BigQueryClient, job: Job, signal: AbortSignal): Promise<Job> {
  const { jobId, location } = job.jobReference;
  const query = location === undefined ? {} : { location };
  return (await client.ask({ uri: `/jobs/${jobId}`, query }, signal)) as Job; // the API's contract
}

/** jobs.cancel. Never throws: its outcome does not matter. */
export async function cancelJob(client: BigQueryClient, job: Job): Promise<void> {
  const { jobId, location } = job.jobReference;
  const query = location === undefined ? {} : { location };
  await client
    .ask({ method: 'POST', uri: `/jobs/${jobId}/cancel`, query }, AbortSignal.timeout(5_000))
    .catch(() => {});
}
