/** Reads the SQL connections of notebook.toml. */

import { jsonTable } from '../toml/tomlReader.ts';
import { isTable } from '../toml/tomlValue.ts';

/** A connection as notebook.toml declares it, with its driver's own keys. */
export type Connection = Readonly<Record<string, unknown>> & {
  readonly name: string;
  readonly driver: string;
  readonly auth: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, unknown>>;
};

/** A connection that cannot be used, and why; the file keeps its block byte for byte. */
export interface MalformedConnection {
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly error: string;
}

export const CONNECTION_DRIVERS = ['duckdb', 'sqlite', 'postgresql', 'snowflake', 'bigquery'] as const;

/**
 * Reads the `connections` table (docs/spec/notebook-file.md, 3.6). A bad block never prevents a notebook from opening:
 * it is set aside with its reason (docs/spec/rest-notebooks.md, 2.1), everything else is a connection with its driver's
 * own keys in addition to the common ones. @param anyDriver true accepts an unsupported driver, as long as its block
 * can be written
 */
export function readConnections(
  table: unknown,
  { anyDriver = false }: { readonly anyDriver?: boolean } = {},
): {
  readonly connections: readonly Connection[];
  readonly malformed: readonly MalformedConnection[];
} {
  if (table === undefined) return { connections: [], malformed: [] };
  if (!isTable(table))
    return { connections: [], malformed: [{ name: 'connections', body: {}, error: 'not a table' }] };
  const connections: Connection[] = [];
  const malformed: MalformedConnection[] = [];
  for (const [name, block] of Object.entries(table)) {
    if (!isTable(block)) {
      malformed.push({ name, body: {}, error: 'not a table' });
      continue;
    }
    const body = jsonTable(block);
    const error = problemOf(name, body, anyDriver);
    if (error !== null) malformed.push({ name, body, error });
    else {
      // problemOf has validated the types.
      const { driver, auth, options } = body as {
        driver: string;
        auth?: Record<string, string>;
        options?: object;
      };
      connections.push({ ...body, name, driver, auth: auth ?? {}, options: { ...options } });
    }
  }
  return { connections, malformed };
}

function problemOf(name: string, body: Readonly<Record<string, unknown>>, anyDriver: boolean): string | null {
  if (body['driver'] === undefined) return 'missing driver';
  const problem = checks.find((check) => !(anyDriver && check.isOfDriver) && check.fails(name, body));
  return problem === undefined ? null : `validation failed: ${problem.message}`;
}

const isTexts = (value: unknown) =>
  isTable(value) && Object.values(value).every((item) => typeof item === 'string');

const checks: readonly {
  message: string;
  isOfDriver?: true;
  fails(name: string, body: Readonly<Record<string, unknown>>): boolean;
}[] = [
  {
    message: 'the name must match [a-zA-Z_][a-zA-Z0-9_]*',
    fails: (name) => !/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name),
  },
  {
    message: 'a connection cannot be called __proto__',
    fails: (name) => name === '__proto__',
  },
  {
    message: 'driver must be a string',
    fails: (_, { driver }) => typeof driver !== 'string',
  },
  {
    message: `driver must be one of ${CONNECTION_DRIVERS.join(', ')}`,
    isOfDriver: true,
    fails: (_, { driver }) => !CONNECTION_DRIVERS.some((block) => block === driver),
  },
  {
    message: 'auth must be a table of strings',
    fails: (_, { auth }) => auth !== undefined && !isTexts(auth),
  },
  {
    message: 'options must be a table',
    fails: (_, { options }) => options !== undefined && !isTable(options),
  },
  {
    message: 'credential must be a string',
    fails: (_, { credential }) => credential !== undefined && typeof credential !== 'string',
  },
  {
    message: 'catalog must be a string',
    fails: (_, { catalog }) => catalog !== undefined && typeof catalog !== 'string',
  },
  {
    message: 'mounts must be a list of mount names',
    fails: (_, { driver, mounts }) =>
      driver === 'duckdb' &&
      mounts !== undefined &&
      !(Array.isArray(mounts) && mounts.every((mount) => typeof mount === 'string')),
  },
];
