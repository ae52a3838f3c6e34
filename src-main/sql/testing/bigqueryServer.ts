import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import type { SchemaField } from '../bigquery/types.ts';
import { type HttpStandIn, type StandInAnswer, type StandInRequest, startStandIn } from './httpStandIn.ts';

/**
 * A fake of BigQuery's REST API (v2) as documented: jobs.insert, jobs.get, jobs.cancel, jobs.getQueryResults with
 * pages, datasets and tables. It accepts bearer tokens signed by the account of its key file, refuses parameters that
 * the API does not have, and answers queries from a script.
 */
export interface BigQueryServer extends HttpStandIn {
  /** The content of a service account's key file. */
  readonly key: Readonly<Record<string, string>>;
  /** The configurations of all jobs, in order. */
  readonly jobs: JobConfiguration[];
  /** Ids of jobs whose results a client is waiting for. */
  readonly waiting: string[];
  /** Ids of jobs that were cancelled. */
  readonly cancelled: string[];
  /** `project.dataset.table` → the response of tables.get. */
  readonly tables: Map<string, Readonly<Record<string, unknown>>>;
  /** The maximum number of rows per page. */
  pageRows: number;
}

interface JobConfiguration {
  readonly dryRun?: boolean;
  readonly query: {
    readonly query: string;
    readonly queryParameters?: readonly unknown[];
    readonly [key: string]: unknown;
  };
}

export type Script = (configuration: JobConfiguration) => Answer | null;

type Answer =
  | {
      readonly fields?: readonly SchemaField[];
      readonly rows?: readonly unknown[];
      readonly affected?: number;
    }
  | { readonly error: { readonly reason: string; readonly message: string }; readonly late?: boolean }
  | { readonly running: true }
  | { readonly references: readonly string[] };

const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  results: [
    'maxResults',
    'pageToken',
    'timeoutMs',
    'location',
    'formatOptions.useInt64Timestamp',
    'startIndex',
  ],
  job: ['location'],
  list: ['maxResults', 'pageToken'],
  other: [],
};

interface StoredJob {
  readonly id: string;
  readonly configuration: JobConfiguration;
  readonly answer: Answer;
  readonly session: string | null;
  cancelled: boolean;
}

/** @param script the answer to a query; null: a syntax error */
export async function startBigQuery(script: Script): Promise<BigQueryServer> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const account = 'reader@test-project.iam.gserviceaccount.com';
  const storedJobs = new Map<string, StoredJob>();
  const jobs: JobConfiguration[] = [];
  const cancelled: string[] = [];
  const waiting: string[] = [];
  const tables: BigQueryServer['tables'] = new Map();
  const facts = { storedJobs, jobs, cancelled, waiting, tables, script, pageRows: 2 };
  const standIn = await startStandIn((request) => {
    if (!isSigned(request.headers.authorization, { publicKey, account })) {
      return fault(401, 'authError', 'Request had invalid authentication credentials.');
    }
    return route(facts, request);
  });
  return Object.assign(facts, standIn, {
    key: {
      type: 'service_account',
      project_id: 'test-project',
      private_key_id: '1',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      client_email: account,
      client_id: '1',
      token_uri: 'https://oauth2.googleapis.com/token',
    },
  });
}

type Facts = Pick<BigQueryServer, 'jobs' | 'cancelled' | 'waiting' | 'tables' | 'pageRows'> & {
  readonly storedJobs: Map<string, StoredJob>;
  readonly script: Script;
};

/** Whether the token is signed by the account, with the right issuer and scope. */
function isSigned(header: string | undefined, by: { publicKey: KeyObject; account: string }): boolean {
  const [head = '', claims = '', signature = ''] = (header ?? '').replace(/^Bearer /, '').split('.');
  const isValid = verify(
    'RSA-SHA256',
    Buffer.from(`${head}.${claims}`),
    createPublicKey(by.publicKey.export({ type: 'spki', format: 'pem' })),
    Buffer.from(signature, 'base64url'),
  );
  if (!isValid) return false;
  const { iss, scope, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
  return iss === by.account && /auth\/bigquery/.test(scope) && exp * 1_000 > Date.now();
}

function route(facts: Facts, request: StandInRequest): StandInAnswer | 'hang' {
  const match = /^\/bigquery\/v2\/projects\/([^/]+)\/(.+)$/.exec(request.path);
  if (match === null) return fault(404, 'notFound', `Not found: ${request.path}`);
  const [, project = '', rest = ''] = match.map(decodeURIComponent);
  const [kind = '', id, verb, table] = rest.split('/');
  if (kind === 'jobs' && request.method === 'POST' && id === undefined) return insert(facts, request);
  if (kind === 'jobs' && id !== undefined)
    return parameterFault('job', request) ?? oneJob(facts, id, verb === 'cancel');
  if (kind === 'queries' && id !== undefined)
    return parameterFault('results', request) ?? results(facts, id, request);
  if (kind === 'datasets' && verb === 'tables' && table !== undefined) {
    return parameterFault('other', request) ?? oneTable(facts, `${project}.${id}.${table}`);
  }
  if (kind === 'datasets') return parameterFault('list', request) ?? list(facts, { project, dataset: id });
  return fault(404, 'notFound', `Not found: ${request.path}`);
}

/** The refusal of unknown parameters, as the API does it; null if all are known. */
function parameterFault(kind: string, { query }: StandInRequest): StandInAnswer | null {
  const unknown = [...query.keys()].find(
    (name) => !PARAMETERS[kind]?.includes(name) && name !== 'prettyPrint',
  );
  const message = `Invalid JSON payload received. Unknown name "${unknown}": Cannot bind query parameter.`;
  return unknown === undefined ? null : fault(400, 'badRequest', message);
}

function insert({ storedJobs, jobs, script, tables }: Facts, { body }: StandInRequest): StandInAnswer {
  const { configuration, jobReference } = body as {
    configuration: JobConfiguration;
    jobReference: { jobId: string };
  };
  jobs.push(configuration);
  const answer = (configuration.dryRun === true ? dryRun(configuration, tables) : null) ??
    script(configuration) ?? {
      error: { reason: 'invalidQuery', message: 'Syntax error: Unexpected identifier at [1:1]' },
    };
  if ('error' in answer && answer.late !== true) return fault(400, answer.error.reason, answer.error.message);
  const session = configuration.query['createSession'] === true ? `session-${storedJobs.size}` : null;
  const job = { id: jobReference.jobId, configuration, answer, session, cancelled: false };
  if (configuration.dryRun !== true) storedJobs.set(job.id, job);
  return { body: resource(job) };
}

/** The tables that a view reads, from the `reads` key of its entry. */
function dryRun({ query }: JobConfiguration, tables: Facts['tables']): Answer | null {
  const place = /^SELECT 1 FROM `(.+)`$/.exec(query.query)?.[1];
  const reads = place === undefined ? undefined : tables.get(place)?.['reads'];
  return Array.isArray(reads) ? { references: reads } : null;
}

function resource({ id, answer, session, cancelled }: StoredJob): object {
  const running = 'running' in answer && !cancelled;
  const affected = 'affected' in answer ? { numDmlAffectedRows: String(answer.affected) } : {};
  const referenced = 'references' in answer ? { referencedTables: answer.references.map(referenceOf) } : {};
  return {
    kind: 'bigquery#job',
    jobReference: { projectId: 'test-project', jobId: id, location: 'EU' },
    status: { state: running ? 'RUNNING' : 'DONE' },
    statistics: {
      ...(session === null ? {} : { sessionInfo: { sessionId: session } }),
      query: { ...affected, ...referenced },
    },
  };
}

function oneJob({ storedJobs, cancelled }: Facts, id: string, cancel: boolean): StandInAnswer {
  const job = storedJobs.get(id);
  if (job === undefined) return fault(404, 'notFound', `Not found: Job ${id}`);
  if (!cancel) return { body: resource(job) };
  job.cancelled = true;
  cancelled.push(id);
  return { body: { kind: 'bigquery#jobCancelResponse', job: resource(job) } };
}

function results(
  { storedJobs, pageRows, waiting }: Facts,
  id: string,
  { query }: StandInRequest,
): StandInAnswer | 'hang' {
  const job = storedJobs.get(id);
  if (job === undefined) return fault(404, 'notFound', `Not found: Job ${id}`);
  const { answer } = job;
  if ('error' in answer) return fault(400, answer.error.reason, answer.error.message);
  if (job.cancelled) return fault(400, 'stopped', 'Job execution was cancelled: User requested cancellation');
  // The real API would wait for timeoutMs and report that the job is not complete.
  if ('running' in answer) {
    waiting.push(id);
    return 'hang';
  }
  const rows = 'rows' in answer ? (answer.rows ?? []) : [];
  const start = Number(query.get('pageToken') ?? 0);
  const end = start + Math.min(pageRows, Number(query.get('maxResults') ?? pageRows));
  return {
    body: {
      kind: 'bigquery#getQueryResultsResponse',
      jobReference: { projectId: 'test-project', jobId: id, location: 'EU' },
      jobComplete: true,
      totalRows: String(rows.length),
      schema: { fields: 'fields' in answer ? (answer.fields ?? []) : [] },
      ...(rows.length === 0 ? {} : { rows: rows.slice(start, end) }),
      ...(end < rows.length ? { pageToken: String(end) } : {}),
    },
  };
}

function oneTable({ tables }: Facts, place: string): StandInAnswer {
  const table = tables.get(place);
  if (table === undefined) return fault(404, 'notFound', `Not found: Table ${place}`);
  const { reads: _reads, ...resourceFields } = table;
  return {
    body: { kind: 'bigquery#table', tableReference: referenceOf(place), type: 'TABLE', ...resourceFields },
  };
}

/** Lists are short here and have one page. */
function list(
  facts: Facts,
  { project, dataset }: { project: string; dataset: string | undefined },
): StandInAnswer {
  const places = [...facts.tables.keys()].map(referenceOf).filter(({ projectId }) => projectId === project);
  if (dataset !== undefined) {
    const inside = places.filter(({ datasetId }) => datasetId === dataset);
    return {
      body: { kind: 'bigquery#tableList', tables: inside.map((tableReference) => ({ tableReference })) },
    };
  }
  const names = [...new Set(places.map(({ datasetId }) => datasetId))];
  return {
    body: {
      kind: 'bigquery#datasetList',
      datasets: names.map((datasetId) => ({ datasetReference: { datasetId } })),
    },
  };
}

function referenceOf(place: string): { projectId: string; datasetId: string; tableId: string } {
  const [projectId = '', datasetId = '', tableId = ''] = place.split('.');
  return { projectId, datasetId, tableId };
}

function fault(code: number, reason: string, message: string): StandInAnswer {
  return {
    status: code,
    body: { error: { code, message, errors: [{ message, domain: 'global', reason }], status: reason } },
  };
}
