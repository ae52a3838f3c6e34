/** UI texts of the catalogs of Iceberg tables. */
export const CATALOG_WORDS = {
  title: 'Catalogs',
  none: 'A catalog lists the Iceberg tables of a warehouse. Attach one to browse its tables and read them in cells.',
  attach: 'Attach catalog',
  attachTitle: 'Attach a catalog',
  editTitle: (name: string): string => `Catalog ${name}`,
  edit: (name: string): string => `Edit catalog ${name}`,
  remove: (name: string): string => `Remove catalog ${name}`,
  refresh: (name: string): string => `Refresh catalog ${name}`,
  kinds: {
    folder: 'Folder',
    sqlite: 'SQLite',
    postgresql: 'PostgreSQL',
    rest: 'REST',
    glue: 'AWS Glue',
  },
  ofSettings: 'server settings',
  loading: 'Loading…',
  namespaces: (name: string): string => `Namespaces of ${name}`,
  noNamespaces: 'No namespaces.',
  tables: (name: string): string => `Tables of ${name}`,
  noTables: 'No tables.',
  retry: 'Try again',
  columns: 'Columns',
  required: 'required',
  snapshots: 'Snapshots',
  noSnapshots: 'The table has no snapshot yet.',
  /** @param count how many older snapshots are left out */
  moreSnapshots: (count: number): string =>
    count === 1 ? '1 older snapshot is not shown.' : `${count} older snapshots are not shown.`,
  current: 'current',
  operations: {
    append: 'Rows added',
    overwrite: 'Rows replaced',
    delete: 'Rows deleted',
    replace: 'Files rewritten',
  } as Readonly<Record<string, string>>,
  otherOperation: 'Changed',
  rows: (added: string | null, deleted: string | null, total: string | null): string =>
    [
      added === null || added === '0' ? null : `+${added}`,
      deleted === null || deleted === '0' ? null : `−${deleted}`,
      total === null ? null : total === '1' ? '1 row in total' : `${total} rows in total`,
    ]
      .filter((part) => part !== null)
      .join(', '),
  name: 'Name',
  nameHint: 'Cells read a table with # @table <variable> <name>:<namespace>.<table>.',
  nameHintSql: 'The name of the catalog in the database, as set by the program that created it.',
  kind: 'Kind',
  secretHint:
    'Use a variable of the server, like $' +
    '{NAME}. A value typed here stays in memory and is never written to a file.',
  secretKept: 'Leave empty to keep the value that is set.',
  save: 'Attach',
  change: 'Save',
  saving: 'Saving…',
  badName: 'Use letters, digits, _ and -. Start with a letter.',
  takenName: (name: string): string => `A catalog named ${name} already exists.`,
  needed: 'Required.',
  badAddress: 'Enter an http:// or https:// address.',
  badPostgres: 'Enter a postgresql:// address.',
} as const;

export type CatalogKind = keyof typeof CATALOG_WORDS.kinds;

/** One property of a catalog, by the name that pyiceberg gives it. */
export interface CatalogField {
  readonly key: string;
  readonly label: string;
  readonly hint?: string;
  readonly secret?: true;
  readonly needed?: true;
}

const S3: readonly CatalogField[] = [
  { key: 's3.endpoint', label: 'S3 address', hint: 'For S3-compatible storage other than AWS. Optional.' },
  { key: 's3.region', label: 'S3 region', hint: 'Optional. Default: the settings of the server.' },
  { key: 's3.access-key-id', label: 'S3 access key', secret: true },
  { key: 's3.secret-access-key', label: 'S3 secret key', secret: true },
];

/** The fields of each kind; other properties of a catalog are preserved. */
export const CATALOG_FIELDS: Readonly<Record<CatalogKind, readonly CatalogField[]>> = {
  folder: [
    {
      key: 'warehouse',
      label: 'Folder',
      hint: 'An absolute path on the machine of the server. The folder must contain the file catalog.db.',
      needed: true,
    },
  ],
  sqlite: [
    { key: 'uri', label: 'File', hint: 'An absolute path on the machine of the server.', needed: true },
    ...S3,
  ],
  postgresql: [
    {
      key: 'uri',
      label: 'Address',
      hint:
        'Like postgresql://user:$' +
        '{PGPASSWORD}@host/database, with the password in a variable of the server.',
      needed: true,
    },
    ...S3,
  ],
  rest: [
    { key: 'uri', label: 'Address', hint: 'Like https://host/catalog.', needed: true },
    { key: 'warehouse', label: 'Warehouse', hint: 'As the catalog names it. Optional.' },
    { key: 'token', label: 'Token', secret: true },
    { key: 'credential', label: 'Client ID and secret', secret: true },
    ...S3,
  ],
  glue: [
    { key: 'glue.region', label: 'Region', needed: true },
    { key: 'glue.id', label: 'Catalog ID', hint: 'Optional. Default: the catalog of the account.' },
    { key: 'glue.access-key-id', label: 'Access key', secret: true },
    { key: 'glue.secret-access-key', label: 'Secret key', secret: true },
  ],
};

export const CATALOG_KINDS = Object.keys(CATALOG_FIELDS) as readonly CatalogKind[]; // of a literal
