/** UI texts of the SQL connections: databases that cells query. */
export const CONNECTION_WORDS = {
  title: 'Connections',
  none: 'SQL cells query databases through connections, which they refer to by name.',
  add: 'Add connection',
  addTitle: 'Add a connection',
  editTitle: (name: string): string => `Connection ${name}`,
  edit: (name: string): string => `Edit connection ${name}`,
  remove: (name: string): string => `Remove connection ${name}`,
  test: (name: string): string => `Test connection ${name}`,
  testing: 'Connecting…',
  works: (ms: string): string => `Connected in ${ms}.`,
  tables: (name: string): string => `Tables of ${name}`,
  noTables: 'No tables.',
  reading: 'Loading tables…',
  name: 'Name',
  nameHint: 'Use it in a cell with # @sql connection=<name>.',
  driver: 'Database',
  drivers: {
    duckdb: 'DuckDB',
    sqlite: 'SQLite',
    postgresql: 'PostgreSQL',
    snowflake: 'Snowflake',
    bigquery: 'BigQuery',
  },
  credential: 'Credential',
  credentialHint: 'Name of a credential defined on the server. Optional.',
  secretHint:
    'Use a variable of this notebook or the server, like $' +
    '{NAME}. A password typed here stays in memory and is never written to a file.',
  save: 'Save',
  saving: 'Saving…',
  badName: 'Use letters, digits and _. Don’t start with a digit.',
  takenName: (name: string): string => `A connection named ${name} already exists.`,
  needed: 'Required.',
  malformed: (name: string): string => `Connection ${name} is not valid`,
} as const;

type DriverName = keyof typeof CONNECTION_WORDS.drivers;

/** A field of a connection: a key of its block, or of `auth` in it where the value may be secret. */
interface ConnectionField {
  readonly key: string;
  readonly label: string;
  readonly hint?: string;
  readonly secret?: true;
  readonly needed?: true;
}

/** The fields of each database; other fields of a block are preserved. */
export const CONNECTION_FIELDS: Readonly<Record<DriverName, readonly ConnectionField[]>> = {
  duckdb: [
    {
      key: 'path',
      label: 'File',
      hint: 'Relative to the notebook folder, like data/sales.duckdb. Optional.',
    },
    {
      key: 'catalog',
      label: 'Catalog',
      hint: 'Iceberg catalog, by its name in notebook.toml or on the server. Optional.',
    },
  ],
  sqlite: [
    {
      key: 'path',
      label: 'File',
      hint: 'Relative to the notebook folder, like data/sales.db.',
      needed: true,
    },
  ],
  postgresql: [
    { key: 'host', label: 'Host', needed: true },
    { key: 'port', label: 'Port', hint: 'Default: 5432.' },
    { key: 'database', label: 'Database' },
    { key: 'user', label: 'User', needed: true },
    { key: 'password', label: 'Password', secret: true },
    { key: 'search_path', label: 'Search path' },
    { key: 'write_role', label: 'Role for writing cells' },
  ],
  snowflake: [
    { key: 'account', label: 'Account', needed: true },
    { key: 'user', label: 'User', needed: true },
    { key: 'password', label: 'Password', secret: true },
    { key: 'warehouse', label: 'Warehouse' },
    { key: 'database', label: 'Database' },
    { key: 'schema', label: 'Schema' },
    { key: 'role', label: 'Role' },
    { key: 'write_role', label: 'Role for writing cells' },
  ],
  bigquery: [
    { key: 'project_id', label: 'Project' },
    { key: 'dataset_id', label: 'Dataset' },
    {
      key: 'credentials_path',
      label: 'Key file',
      hint: 'Relative to the notebook folder. Leave empty to use this machine’s account.',
    },
    { key: 'write_credentials_path', label: 'Key file for writing cells' },
  ],
};

export const DRIVERS = Object.keys(CONNECTION_FIELDS) as readonly DriverName[]; // of a literal
export type { DriverName };
