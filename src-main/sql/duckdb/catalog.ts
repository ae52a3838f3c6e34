/** Attaches Iceberg catalogs to a DuckDB connection. */

import type { DuckDBConnection as Connection } from '@duckdb/node-api';
import type { AttachedCatalog } from '../driver.ts';
import { SqlError } from '../sqlError.ts';
import { quotedName, quotedText } from './quoted.ts';

/** The extensions for reading Iceberg tables, in the order of their dependencies. Cellar does not include them. */
const EXTENSIONS = ['httpfs', 'avro', 'iceberg'];

/**
 * Attaches a catalog for reading, under its own name.
 * @param mayInstall whether DuckDB may download extensions from its own site
 * @throws SqlError that says what to fix
 */
export async function attachCatalog(
  connection: Connection,
  catalog: AttachedCatalog,
  mayInstall: boolean,
): Promise<void> {
  const statements = attachStatements(catalog);
  for (const extension of EXTENSIONS) await load(connection, { catalog, extension, mayInstall });
  for (const statement of statements) await connection.run(statement);
}

async function load(
  connection: Connection,
  {
    catalog,
    extension,
    mayInstall,
  }: { readonly catalog: AttachedCatalog; readonly extension: string; readonly mayInstall: boolean },
): Promise<void> {
  try {
    if (mayInstall) await connection.run(`INSTALL ${extension}`);
    await connection.run(`LOAD ${extension}`);
  } catch (error) {
    const message = mayInstall
      ? `The catalog "${catalog.name}" needs the DuckDB extension ${extension}, which could not be downloaded.`
      : `The catalog "${catalog.name}" needs the DuckDB extension ${extension}, which is not installed. Set autoinstall_known_extensions = true under options of the connection to download it, or set extension_directory to its folder.`;
    throw new SqlError(message, {
      hint: error instanceof Error ? firstSentence(error.message) : null,
      cause: error,
    });
  }
}

function firstSentence(message: string): string {
  const text = /"exception_message":"((?:[^"\\]|\\.)*)"/.exec(message)?.[1] ?? message;
  return text.replaceAll('\\n', ' ').slice(0, 300);
}

/**
 * The statements that attach a catalog, from its properties as Iceberg's own libraries name them.
 * @throws SqlError for a kind that DuckDB cannot attach
 */
export function attachStatements({ name, properties }: AttachedCatalog): readonly string[] {
  const text = (key: string): string | null => {
    const value = properties[key];
    return value === undefined || value === null || value === '' ? null : String(value);
  };
  const uri = text('uri');
  const kind = (text('type') ?? (uri === null ? '' : 'rest')).toLowerCase();
  if (kind !== 'rest' && kind !== 'glue') {
    const what = kind === '' ? 'has neither type nor uri' : `is of type ${kind}`;
    throw new SqlError(
      `The catalog "${name}" ${what}: a duckdb connection attaches REST and Glue catalogs. Read tables of others in a Python or R cell with an @table line.`,
    );
  }
  if (kind === 'rest' && uri === null) throw new SqlError(`The catalog "${name}" needs uri, its address.`);
  const storage = storageSecret(text, kind);
  const login = kind === 'rest' ? loginOptions(text) : { secret: null, options: [] };
  const options = [
    'TYPE iceberg',
    kind === 'glue' ? "ENDPOINT_TYPE 'glue'" : `ENDPOINT ${quotedText(uri ?? '')}`,
    ...login.options,
    'READ_ONLY',
  ];
  const attach = `ATTACH ${quotedText(text('warehouse') ?? '')} AS ${quotedName(name)} (${options.join(', ')})`;
  return [storage, login.secret, attach].filter((statement) => statement !== null);
}

type Property = (key: string) => string | null;

/** How to log in to a REST catalog: with a token, as a client, signed by AWS, or not at all. */
function loginOptions(text: Property): {
  readonly secret: string | null;
  readonly options: readonly string[];
} {
  if (text('rest.sigv4-enabled') === 'true') return { secret: null, options: ["AUTHORIZATION_TYPE 'sigv4'"] };
  const token = text('token');
  const credential = text('credential');
  if (token === null && credential === null) return { secret: null, options: ["AUTHORIZATION_TYPE 'none'"] };
  const [id = '', ...secret] = (credential ?? '').split(':');
  const server = text('oauth2-server-uri') ?? `${(text('uri') ?? '').replace(/\/+$/, '')}/v1/oauth/tokens`;
  const fields: readonly (readonly [string, string | null])[] =
    token === null
      ? [
          ['CLIENT_ID', id],
          ['CLIENT_SECRET', secret.join(':')],
          ['OAUTH2_SERVER_URI', server],
          ['OAUTH2_SCOPE', text('scope')],
        ]
      : [['TOKEN', token]];
  return { secret: secretOf('cellar_catalog', 'iceberg', fields), options: ['SECRET cellar_catalog'] };
}

/** Credentials for the storage of the tables, when the catalog does not provide them. */
function storageSecret(text: Property, kind: 'rest' | 'glue'): string | null {
  const endpoint = text('s3.endpoint');
  const bare = endpoint?.replace(/^https?:\/\//, '').replace(/\/+$/, '') ?? null;
  const fields: readonly (readonly [string, string | null])[] = [
    ['KEY_ID', text('s3.access-key-id') ?? text('client.access-key-id')],
    ['SECRET', text('s3.secret-access-key') ?? text('client.secret-access-key')],
    ['SESSION_TOKEN', text('s3.session-token') ?? text('client.session-token')],
    ['REGION', text('s3.region') ?? text('client.region') ?? text('glue.region')],
    ['ENDPOINT', bare],
    ['URL_STYLE', bare === null ? null : 'path'],
    ['USE_SSL', endpoint?.startsWith('http://') === true ? 'false' : null],
  ];
  if (fields.every(([, value]) => value === null) && kind === 'rest') return null;
  return secretOf('cellar_storage', 's3', fields);
}

function secretOf(name: string, type: string, fields: readonly (readonly [string, string | null])[]): string {
  const options = fields.flatMap(([key, value]) => (value === null ? [] : [`${key} ${quotedText(value)}`]));
  return `CREATE SECRET ${name} (${[`TYPE ${type}`, ...options].join(', ')})`;
}
