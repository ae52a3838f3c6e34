import { isPythonName } from './pythonNames.ts';

/** How a cell reads a file with this extension, by pandas and by polars. */
const READERS: Readonly<Record<string, { readonly pandas: string; readonly polars: string }>> = {
  csv: { pandas: 'read_csv(FILE)', polars: 'read_csv(FILE)' },
  tsv: { pandas: 'read_csv(FILE, sep="\\t")', polars: 'read_csv(FILE, separator="\\t")' },
  parquet: { pandas: 'read_parquet(FILE)', polars: 'read_parquet(FILE)' },
  json: { pandas: 'read_json(FILE)', polars: 'read_json(FILE)' },
  jsonl: { pandas: 'read_json(FILE, lines=True)', polars: 'read_ndjson(FILE)' },
  ndjson: { pandas: 'read_json(FILE, lines=True)', polars: 'read_ndjson(FILE)' },
};

/** The maximum size of a dropped file, in bytes. */
export const MAX_DATA_FILE_BYTES = 512 * 1024 ** 2;

function readerOf(fileName: string): (typeof READERS)[string] | undefined {
  const ending = /\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(READERS, ending) ? READERS[ending] : undefined;
}

/** Whether a cell can be created that reads a file of this name as a table. */
export function isDataFile(fileName: string): boolean {
  return readerOf(fileName) !== undefined;
}

/**
 * The text of a cell that reads the file and shows it; null for a file of another kind. @param taken names
 * the notebook's cells define @param packages the installed packages: the first of pandas and polars that is
 * installed is used, else pandas
 */
export function readingCell(
  path: string,
  { taken, packages }: { readonly taken: ReadonlySet<string>; readonly packages: ReadonlySet<string> },
): string | null {
  const reader = readerOf(path);
  if (reader === undefined) return null;
  const isPolars = packages.has('polars') && !packages.has('pandas');
  const call = (isPolars ? reader.polars : reader.pandas).replace('FILE', () => JSON.stringify(path));
  const name = freeName(path, taken);
  const library = isPolars ? 'pl' : 'pd';
  return `import ${isPolars ? 'polars' : 'pandas'} as ${library}\n\n${name} = ${library}.${call}\n${name}`;
}

/** A variable name made from the file's name that no cell defines. */
function freeName(path: string, usedNames: ReadonlySet<string>): string {
  const stem = (path.split('/').at(-1) ?? '').replace(/\.\w+$/, '');
  const words = stem
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '');
  const plain = /^\p{N}/u.test(words) ? `data_${words}` : words;
  const base = isPythonName(plain) ? plain : 'data';
  let name = base;
  for (let more = 2; usedNames.has(name); more += 1) name = `${base}_${more}`;
  return name;
}
