/** Calls BigQuery's REST API for the driver, with Google's client library. */

import { BigQuery } from '@google-cloud/bigquery';
import { loginOf } from './login.ts';
import type { BigQueryTarget } from './settings.ts';

/** Google's own client: handles credentials and retries, with one function for all URLs of the API. */
export interface BigQueryClient {
  readonly target: BigQueryTarget;
  /** @throws the error of the API, unless the signal was aborted first */
  ask(request: ApiRequest, signal: AbortSignal): Promise<unknown>;
}

interface ApiRequest {
  readonly method?: 'GET' | 'POST';
  /** After `/projects/{projectId}`. */
  readonly uri: string;
  readonly projectId?: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly json?: unknown;
}

/** @throws SqlError for an invalid key */
export function createClient(target: BigQueryTarget): BigQueryClient {
  const bigquery = new BigQuery({
    projectId: target.projectId,
    ...(target.key === null ? {} : { authClient: loginOf(target.key) }),
    ...(target.location === null ? {} : { location: target.location }),
    ...(target.endpoint === null ? {} : { apiEndpoint: target.endpoint }),
    userAgent: 'cellar',
  });
  return { target, ask: (request, signal) => abortable(call(bigquery, request), signal) };
}

function call(
  bigquery: BigQuery,
  { method = 'GET', uri, projectId, query, json }: ApiRequest,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = {
      method,
      uri,
      ...(projectId === undefined ? {} : { projectId }),
      ...(query === undefined ? {} : { qs: query }),
      ...(json === undefined ? {} : { json }),
    };
    bigquery.request(request as never, (error: unknown, body: unknown) =>
      error ? reject(error) : resolve(body),
    );
  });
}

/** Rejects when the signal aborts; the client cannot cancel the request itself. */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
