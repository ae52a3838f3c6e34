import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type HttpStandIn, type StandInAnswer, type StandInRequest, startStandIn } from './httpStandIn.ts';

/**
 * A fake of Snowflake's service with the protocol of its clients: login by password or key pair, sessions
 * that expire and are renewed, queries that answer immediately, in chunks or after a wait, cancels, and
 * errors with positions. It answers queries from a script.
 */
export interface SnowflakeServer extends HttpStandIn {
  readonly user: string;
  readonly password: string;
  /** The private key of the user's key pair, as PEM. */
  readonly privateKey: string;
  /** All queries, in order. */
  readonly queries: SnowflakeQuery[];
  /** Ids of queries that a client is waiting for, and of those that were cancelled. */
  readonly waiting: string[];
  readonly cancelled: string[];
  /** The parameters of all logins: role, warehouse, database, schema and authenticator. */
  readonly logins: Readonly<Record<string, string | null>>[];
  /** Requests that the client should not send, such as telemetry. */
  readonly strays: string[];
  /** The number of ended sessions. */
  ended: number;
  /** Makes the next request fail because its session token has expired. */
  expire: boolean;
}

export interface SnowflakeQuery {
  readonly sqlText: string;
  readonly bindings?: Readonly<Record<string, { readonly type: string; readonly value: string | null }>>;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

export interface RowType {
  readonly name: string;
  readonly type: string;
  readonly nullable?: boolean;
  readonly scale?: number | null;
  readonly precision?: number | null;
}

export type SnowflakeAnswer =
  | {
      readonly columns: readonly RowType[];
      readonly rows: readonly (readonly (string | null)[])[];
      /** Rows per chunk; the first chunk is part of the response. */
      readonly chunkRows?: number;
      /** Snowflake's number of the statement kind: 0x3100 INSERT, 0x3200 UPDATE. */
      readonly kind?: number;
      /** Answers only a second request, as for a slow query. */
      readonly later?: boolean;
    }
  | {
      readonly error: {
        readonly code: string;
        readonly message: string;
        readonly line?: number;
        readonly pos?: number;
      };
    }
  | { readonly running: true };

/** @param script the answer to a query; null: a compilation error */
export async function startSnowflake(
  script: (query: SnowflakeQuery) => SnowflakeAnswer | null,
): Promise<SnowflakeServer> {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const facts: Facts = {
    script,
    publicKey: keys.publicKey,
    user: 'TESTER',
    password: "t'est",
    queries: [],
    waiting: [],
    cancelled: [],
    logins: [],
    strays: [],
    ended: 0,
    expire: false,
    answers: new Map(),
    session: {},
    token: 1,
    origin: '',
  };
  const standIn = await startStandIn((request) => route(facts, request));
  const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return Object.assign(facts, standIn, { privateKey, origin: standIn.url });
}

interface Facts extends Omit<SnowflakeServer, keyof HttpStandIn | 'privateKey'> {
  readonly script: (query: SnowflakeQuery) => SnowflakeAnswer | null;
  readonly publicKey: KeyObject;
  readonly answers: Map<string, SnowflakeAnswer>;
  /** The session parameters of the login. */
  session: Readonly<Record<string, unknown>>;
  /** The number in the session token; a renewal increments it. */
  token: number;
  origin: string;
}

function route(facts: Facts, request: StandInRequest): StandInAnswer | 'hang' {
  const { path } = request;
  if (path === '/session/v1/login-request') return login(facts, request);
  const chunk = /^\/chunks\/([^/]+)\/(\d+)$/.exec(path);
  if (chunk !== null) return chunkOf(facts, chunk[1] ?? '', Number(chunk[2]));
  if (path === '/session/token-request') return renewSession(facts);
  if (request.headers.authorization !== `Snowflake Token="session-${facts.token}"`) {
    return fault('390104', 'Session token not found or invalid.');
  }
  if (facts.expire) {
    facts.expire = false;
    return fault('390112', 'Your session has expired. Please login again.');
  }
  if (path === '/session' && request.query.get('delete') === 'true') {
    facts.ended += 1;
    return { body: { success: true, code: null, message: null, data: null } };
  }
  if (path === '/queries/v1/query-request') return query(facts, request.body as SnowflakeQuery);
  const later = /^\/queries\/([^/]+)\/(result|abort-request)$/.exec(path);
  if (later !== null && later[2] === 'result') return result(facts, later[1] ?? '');
  if (later !== null || path === '/queries/v1/abort-request') return abort(facts, later?.[1] ?? 'by request');
  facts.strays.push(path);
  return { body: { success: true, data: null } };
}

function login(facts: Facts, { body, query: parameters }: StandInRequest): StandInAnswer {
  const { data } = body as { data: Record<string, string | undefined> & { SESSION_PARAMETERS?: object } };
  facts.session = { ...data.SESSION_PARAMETERS };
  facts.logins.push({
    authenticator: data['AUTHENTICATOR'] ?? 'SNOWFLAKE',
    role: parameters.get('roleName'),
    warehouse: parameters.get('warehouse'),
    database: parameters.get('databaseName'),
    schema: parameters.get('schemaName'),
  });
  if (!isAuthenticated(facts, data)) return fault('390100', 'Incorrect username or password was specified.');
  return {
    body: {
      success: true,
      code: null,
      message: null,
      data: {
        token: `session-${facts.token}`,
        masterToken: 'master',
        validityInSeconds: 3_600,
        masterValidityInSeconds: 14_400,
        sessionId: 1,
        parameters: [],
        sessionInfo: {},
      },
    },
  };
}

function isAuthenticated(
  { user, password, publicKey }: Facts,
  data: Record<string, string | undefined>,
): boolean {
  if (data['LOGIN_NAME']?.toUpperCase() !== user) return false;
  if (data['AUTHENTICATOR'] !== 'SNOWFLAKE_JWT') return data['PASSWORD'] === password;
  const [head = '', claims = '', signature = ''] = (data['TOKEN'] ?? '').split('.');
  const key = createPublicKey(publicKey.export({ type: 'spki', format: 'pem' }));
  const { iss } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
  const isValid = verify(
    'RSA-SHA256',
    Buffer.from(`${head}.${claims}`),
    key,
    Buffer.from(signature, 'base64url'),
  );
  return isValid && String(iss).startsWith(`TESTACCOUNT.${user}.SHA256:`);
}

function renewSession(facts: Facts): StandInAnswer {
  facts.token += 1;
  const data = {
    sessionToken: `session-${facts.token}`,
    masterToken: 'master',
    validityInSecondsST: 3_600,
    validityInSecondsMT: 14_400,
    sessionId: 1,
  };
  return { body: { success: true, code: null, message: null, data } };
}

function query(facts: Facts, request: SnowflakeQuery): StandInAnswer {
  const id = `query-${facts.queries.push(request)}`;
  const answer = facts.script(request) ?? {
    error: {
      code: '001003',
      message: 'SQL compilation error:\nsyntax error line 1 at position 0 unexpected.',
      line: 1,
      pos: 0,
    },
  };
  facts.answers.set(id, answer);
  if ('running' in answer || ('later' in answer && answer.later === true)) return inProgress(id);
  return respond(facts, id, answer);
}

function result(facts: Facts, id: string): StandInAnswer | 'hang' {
  const answer = facts.answers.get(id);
  if (answer === undefined) return fault('000707', `Query ${id} not found.`);
  if (!('running' in answer)) return respond(facts, id, answer);
  facts.waiting.push(id);
  return 'hang';
}

function inProgress(id: string): StandInAnswer {
  const data = { queryId: id, getResultUrl: `/queries/${id}/result`, queryAbortsAfterSecs: 300 };
  return { body: { success: true, code: '333333', message: 'Query execution in progress.', data } };
}

function respond(facts: Facts, id: string, answer: SnowflakeAnswer): StandInAnswer {
  if ('error' in answer) {
    const { code, message, line = -1, pos = -1 } = answer.error;
    const data = {
      internalError: false,
      errorCode: code,
      sqlState: '42000',
      queryId: id,
      line,
      pos,
      type: 'COMPILATION',
    };
    return { body: { success: false, code, message, data } };
  }
  if ('running' in answer) return inProgress(id);
  const { columns, rows, chunkRows = rows.length, kind = 0x1000 } = answer;
  const request = facts.queries[Number(id.slice('query-'.length)) - 1];
  const chunks = [];
  for (let start = chunkRows; start < rows.length; start += chunkRows) {
    const rowCount = Math.min(chunkRows, rows.length - start);
    chunks.push({
      url: `${facts.origin}/chunks/${id}/${start}`,
      rowCount,
      uncompressedSize: 1,
      compressedSize: 1,
    });
  }
  const data = {
    parameters: Object.entries({ ...DEFAULTS, ...facts.session, ...request?.parameters }).map(
      ([name, value]) => ({
        name,
        value,
      }),
    ),
    rowtype: columns.map((column) => ({
      nullable: true,
      scale: null,
      precision: null,
      length: null,
      ...column,
    })),
    rowset: rows.slice(0, chunkRows),
    total: rows.length,
    returned: rows.length,
    queryId: id,
    statementTypeId: kind,
    version: 1,
    finalDatabaseName: 'DB',
    finalSchemaName: 'PUBLIC',
    finalRoleName: 'READER',
    finalWarehouseName: 'WH',
    ...(chunks.length === 0 ? {} : { chunks }),
  };
  return { body: { success: true, code: null, message: null, data } };
}

/** A chunk in the format of Snowflake's storage: gzipped rows without the outer brackets. */
function chunkOf({ answers }: Facts, id: string, start: number): StandInAnswer {
  const answer = answers.get(id);
  if (answer === undefined || !('rows' in answer)) return { status: 404 };
  const rows = answer.rows.slice(start, start + (answer.chunkRows ?? answer.rows.length));
  const text = rows.map((row) => JSON.stringify(row)).join(',');
  return {
    headers: { 'content-type': 'application/octet-stream', 'content-encoding': 'gzip' },
    body: gzipSync(text),
  };
}

function abort({ cancelled, waiting }: Facts, id: string): StandInAnswer {
  cancelled.push(id === 'by request' ? (waiting.at(-1) ?? id) : id);
  return { body: { success: true, code: null, message: null, data: null } };
}

/** The default parameters of a session. */
const DEFAULTS = {
  TIMEZONE: 'America/Los_Angeles',
  DATE_OUTPUT_FORMAT: 'YYYY-MM-DD',
  TIME_OUTPUT_FORMAT: 'HH24:MI:SS',
  TIMESTAMP_OUTPUT_FORMAT: 'YYYY-MM-DD HH24:MI:SS.FF3 TZHTZM',
  TIMESTAMP_NTZ_OUTPUT_FORMAT: 'YYYY-MM-DD HH24:MI:SS.FF3',
  BINARY_OUTPUT_FORMAT: 'BASE64',
};

function fault(code: string, message: string): StandInAnswer {
  return { body: { success: false, code, message, data: null } };
}
