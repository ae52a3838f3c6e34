import { BigQuery } from '@google-cloud/bigquery';
import { loginOf } from './login.ts';
import type { BigQueryTarget } from './settings.ts';

/** Google's own client: credentials, retries, and one call for every address of the API. */
export interface BigQueryClient {
  readonly target: BigQueryTarget;
  /** @throws as the API says it, unless the signal was aborted first */
  ask(request: ApiRequest, signal: AbortSignal): Promise<unknown>;
}

export interface ApiRequest {
  readonly method?: 'GET' | 'POST';
  /** Behind `/projects/{projectId}`. */
  readonly uri: string;
  readonly projectId?: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly json?: unknown;
}

/** @throws SqlError for a key that cannot be used */
export function createClient(target: BigQueryTarget): BigQueryClient {
  const bigquery = new BigQuery({
    projectId: target.projectId,
    ...(target.key === null ? {} : { authClient: loginOf(target.key) }),
    ...(target.location === null ? {} : { location: target.location }),
    ...(target.endpoint === null ? {} : { apiEndpoint: target.endpoint }),
    userAgent: 'cellar',
  });
  return { target, ask: (request, signal) => raced(call(bigquery, request), signal) };
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

/** The client cannot drop a request; nobody waits for it any more. */
function raced<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
