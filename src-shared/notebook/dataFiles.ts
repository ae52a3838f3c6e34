/** Makes cells that read a data file, database or picture which a user dropped on the notebook. */

import { isPythonName } from './pythonNames.ts';

/** How a cell reads a file with this extension, by pandas and by polars. */
const READERS: Readonly<Record<string, { readonly pandas: string; readonly polars: string }>> = {
  csv: { pandas: 'read_csv(FILE)', polars: 'read_csv(FILE)' },
  tsv: { pandas: 'read_csv(FILE, sep="\\t")', polars: 'read_csv(FILE, separator="\\t")' },
  parquet: { pandas: 'read_parquet(FILE)', polars: 'read_parquet(FILE)' },
  feather: { pandas: 'read_feather(FILE)', polars: 'read_ipc(FILE)' },
  xlsx: { pandas: 'read_excel(FILE)', polars: 'read_excel(FILE)' },
  xls: { pandas: 'read_excel(FILE)', polars: 'read_excel(FILE)' },
  ods: { pandas: 'read_excel(FILE)', polars: 'read_ods(FILE)' },
  json: { pandas: 'read_json(FILE)', polars: 'read_json(FILE)' },
  jsonl: { pandas: 'read_json(FILE, lines=True)', polars: 'read_ndjson(FILE)' },
  ndjson: { pandas: 'read_json(FILE, lines=True)', polars: 'read_ndjson(FILE)' },
};

/** The kind of database in a file with this extension. */
const DATABASES: Readonly<Record<string, 'sqlite' | 'duckdb'>> = {
  db: 'sqlite',
  db3: 'sqlite',
  sqlite: 'sqlite',
  sqlite3: 'sqlite',
  duckdb: 'duckdb',
};
const LIST_TABLES = {
  sqlite: "SELECT type, name, sql FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name",
  duckdb: 'SELECT table_schema, table_name, table_type FROM information_schema.tables ORDER BY ALL',
} as const;

const PICTURES = new Set(['png', 'jpg', 'jpeg', 'gif', 'webp']);

/** The maximum size of a dropped file, in bytes. */
export const MAX_DATA_FILE_BYTES = 512 * 1024 ** 2;
/** The maximum size of a picture, in bytes: a page shows all of it. */
export const MAX_PICTURE_BYTES = 32 * 1024 ** 2;
/** The folder of the notebook into which pictures are copied. */
export const PICTURE_FOLDER = 'images';

/** What a notebook does with a dropped file. */
export type FileUse = 'table' | 'database' | 'picture';

/** How a notebook can use a file with this name; null if it cannot. */
export function fileUse(fileName: string): FileUse | null {
  const ending = endingOf(fileName);
  if (Object.hasOwn(READERS, ending)) return 'table';
  if (Object.hasOwn(DATABASES, ending)) return 'database';
  return PICTURES.has(ending) ? 'picture' : null;
}

/** A file's extension without that of a compression: the libraries read `a.csv.gz` like a CSV. */
function endingOf(fileName: string): string {
  const ending = /[^/\\]\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  if (ending !== 'gz') return ending;
  const inner = /[^/\\]\.(\w+)\.gz$/i.exec(fileName)?.[1]?.toLowerCase() ?? '';
  return inner === 'csv' || inner === 'tsv' ? inner : ending;
}

/** Whether a notebook can use a file of this name. */
export function isDataFile(fileName: string): boolean {
  return fileUse(fileName) !== null;
}

/** A connection that a cell needs, in the form of notebook.toml. */
export interface FileConnection {
  readonly name: string;
  readonly driver: 'sqlite' | 'duckdb';
  /** Relative to the notebook's folder. */
  readonly path: string;
}

/** A new cell for a file. */
export interface FileCell {
  readonly language: 'python' | 'sql' | 'markdown';
  readonly source: string;
  readonly connection?: FileConnection;
}

/** What the notebook already has. */
export interface NotebookFacts {
  /** The names that the notebook's cells define. */
  readonly taken: ReadonlySet<string>;
  /** The installed packages: the first of pandas and polars that is installed is used, else pandas. */
  readonly packages: ReadonlySet<string>;
  readonly connections: readonly Readonly<Record<string, unknown>>[];
}

/** The cell that reads a file of the notebook's folder and shows it; null for a file of another kind. */
export function cellOfFile(path: string, around: NotebookFacts): FileCell | null {
  switch (fileUse(path)) {
    case 'table': {
      const source = readingCell(path, around);
      return source === null ? null : { language: 'python', source };
    }
    case 'database':
      return databaseCell(path, around.connections);
    case 'picture':
      return { language: 'markdown', source: pictureText(path) };
    case null:
      return null;
  }
}

/** The text of a cell that reads the file and shows it; null for a file of another kind. */
export function readingCell(
  path: string,
  { taken: usedNames, packages }: Pick<NotebookFacts, 'taken' | 'packages'>,
): string | null {
  const ending = endingOf(path);
  const reader = Object.hasOwn(READERS, ending) ? READERS[ending] : undefined;
  if (reader === undefined) return null;
  const isPolars = packages.has('polars') && !packages.has('pandas');
  const call = (isPolars ? reader.polars : reader.pandas).replace('FILE', () => JSON.stringify(path));
  const name = unusedName(stemOf(path), { taken: usedNames, otherwise: 'data', isName: isPythonName });
  const library = isPolars ? 'pl' : 'pd';
  return `import ${isPolars ? 'polars' : 'pandas'} as ${library}\n\n${name} = ${library}.${call}\n${name}`;
}

/** A cell that lists the tables of a database, with its connection; an existing connection to the file is reused. */
function databaseCell(path: string, connections: NotebookFacts['connections']): FileCell {
  const driver = DATABASES[endingOf(path)] ?? 'sqlite';
  const existing = connections.find((one) => one['driver'] === driver && one['path'] === path)?.['name'];
  const usedNames = new Set(connections.map(({ name }) => String(name)));
  const isName = (text: string) => /^[a-z_]\w*$/i.test(text);
  const name =
    typeof existing === 'string'
      ? existing
      : unusedName(stemOf(path), { taken: usedNames, otherwise: 'db', isName });
  const source = `# @sql connection=${name}\n${LIST_TABLES[driver]}`;
  const cell = { language: 'sql', source } as const;
  return existing === undefined ? { ...cell, connection: { name, driver, path } } : cell;
}

/** The Markdown of a picture in the notebook's folder. */
export function pictureText(path: string): string {
  const title = stemOf(path)
    .replaceAll(/[[\]\\]/g, ' ')
    .trim();
  const address = path
    .split('/')
    .map((name) => encodeURIComponent(name).replaceAll('(', '%28').replaceAll(')', '%29'))
    .join('/');
  return `![${title}](${address})`;
}

function stemOf(path: string): string {
  return (path.split('/').at(-1) ?? '').replace(/(?:\.(?:csv|tsv))?\.\w+$/i, '');
}

/** An unused variable name, derived from another name such as a file's. */
export function unusedName(
  stem: string,
  {
    taken: usedNames,
    otherwise,
    isName,
  }: { taken: ReadonlySet<string>; otherwise: string; isName: (text: string) => boolean },
): string {
  const words = stem
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '');
  const plain = /^\p{N}/u.test(words) ? `${otherwise}_${words}` : words;
  const base = isName(plain) ? plain : otherwise;
  let name = base;
  for (let more = 2; usedNames.has(name); more += 1) name = `${base}_${more}`;
  return name;
}
