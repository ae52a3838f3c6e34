/** Words of the SQL connections: databases that cells ask. */
export const CONNECTION_WORDS = {
  title: 'Connections',
  none: 'A connection is a database that SQL cells ask by its name.',
  add: 'Add connection',
  addTitle: 'Add a connection',
  editTitle: (name: string): string => `Connection ${name}`,
  edit: (name: string): string => `Change the connection ${name}`,
  remove: (name: string): string => `Remove the connection ${name}`,
  test: (name: string): string => `Try the connection ${name}`,
  testing: 'Connecting …',
  works: (ms: string): string => `Connected in ${ms}.`,
  tables: (name: string): string => `Tables of ${name}`,
  noTables: 'It shows no tables.',
  reading: 'Reading its tables …',
  name: 'Name',
  nameHint: 'Cells say # @sql connection=<name>.',
  driver: 'Database',
  drivers: {
    duckdb: 'DuckDB',
    sqlite: 'SQLite',
    postgresql: 'PostgreSQL',
    snowflake: 'Snowflake',
    bigquery: 'BigQuery',
  },
  credential: 'Credential',
  credentialHint: 'The name of one the server defines; empty for none.',
  secretHint:
    'Best as a variable in braces, $' +
    '{NAME}, of this notebook or the server. Typed text stays in memory and is never written to the file.',
  save: 'Save',
  saving: 'Saving …',
  badName: 'Letters, digits and _, not beginning with a digit.',
  takenName: (name: string): string => `There is a connection called ${name}.`,
  needed: 'This is needed.',
  malformed: (name: string): string => `The connection ${name} cannot be read`,
  unsaved: 'The connections could not be saved.',
} as const;

type DriverName = keyof typeof CONNECTION_WORDS.drivers;

/** One thing a connection says: a key of its block, or of its `auth` where it may be secret. */
export interface ConnectionField {
  readonly key: string;
  readonly label: string;
  readonly hint?: string;
  readonly secret?: true;
  readonly needed?: true;
}

/** What each database is asked for; whatever else a block holds stays as it is. */
export const CONNECTION_FIELDS: Readonly<Record<DriverName, readonly ConnectionField[]>> = {
  duckdb: [
    { key: 'path', label: 'File', hint: 'From this folder, like data/sales.duckdb; empty for none.' },
    {
      key: 'catalog',
      label: 'Catalog',
      hint: 'Of Iceberg tables, by its name in notebook.toml or on the server; empty for none.',
    },
  ],
  sqlite: [{ key: 'path', label: 'File', hint: 'From this folder, like data/sales.db.', needed: true }],
  postgresql: [
    { key: 'host', label: 'Host', needed: true },
    { key: 'port', label: 'Port', hint: '5432 where it is empty.' },
    { key: 'database', label: 'Database' },
    { key: 'user', label: 'User', needed: true },
    { key: 'password', label: 'Password', secret: true },
    { key: 'search_path', label: 'Search path' },
    { key: 'write_role', label: 'Role of cells that write' },
  ],
  snowflake: [
    { key: 'account', label: 'Account', needed: true },
    { key: 'user', label: 'User', needed: true },
    { key: 'password', label: 'Password', secret: true },
    { key: 'warehouse', label: 'Warehouse' },
    { key: 'database', label: 'Database' },
    { key: 'schema', label: 'Schema' },
    { key: 'role', label: 'Role' },
    { key: 'write_role', label: 'Role of cells that write' },
  ],
  bigquery: [
    { key: 'project_id', label: 'Project' },
    { key: 'dataset_id', label: 'Dataset' },
    {
      key: 'credentials_path',
      label: 'Key file',
      hint: 'From this folder; empty for the account of this machine.',
    },
    { key: 'write_credentials_path', label: 'Key file of cells that write' },
  ],
};

export const DRIVERS = Object.keys(CONNECTION_FIELDS) as readonly DriverName[]; // of a literal
export type { DriverName };
