/** Finds the files that a cell reads by a literal name, such as `pd.read_csv("x.csv")`. */

import { readStringLiteral } from './stringLiteral.ts';
import { fieldOf, lineOf, partsOf, type Syntax, textOf } from './syntax.ts';

/** A file that a program reads by a literal name. */
export interface FileRead {
  readonly path: string;
  /** The line in the cell, from 1. */
  readonly line: number;
}

/** Functions of data libraries whose first argument is a file to open. */
const READERS =
  /^(read_(csv|table|parquet|json|excel|feather|hdf|pickle|fwf|xml|html|orc|stata|sas|spss|ndjson|ipc|avro|file|delta)|scan_(csv|parquet|ndjson|ipc)|loadtxt|genfromtxt|fromfile|memmap|imread|open_dataset|open_dataarray|open_mfdataset|safe_load_file)$/;
/** Modules whose `load` takes a file name; other modules' takes an open file. */
const LOADERS = /^(np|numpy|torch|joblib|xr|xarray)$/;
const OPENERS = /^(open|io\.open|codecs\.open|gzip\.open|bz2\.open|lzma\.open|Image\.open|PIL\.Image\.open)$/;
const PATHS = /^(pathlib\.)?(Pure)?(Posix|Windows)?Path$/;
const PATH_READS = /^(read_text|read_bytes|open)$/;
const WRITERS = /^(to_|write_|sink_|save|dump$|write$)/;
const KEYWORDS: ReadonlySet<string> = new Set([
  ...['file', 'path', 'filename', 'fname', 'source', 'io', 'filepath_or_buffer', 'path_or_buf', 'fp', 'f'],
]);

/**
 * The local files that a program reads by a literal name: `open("x.csv")`, `pd.read_csv("x.csv")`,
 * `Path("x").read_text()`, `np.load("x.npy")`. Not files that it also writes, URLs, or names built at run time.
 */
export function readFileReads({
  text,
  root,
}: {
  readonly text: string;
  readonly root: Syntax;
}): readonly FileRead[] {
  if (!/open|read_|scan_|load|from(file|txt)|imread|memmap/.test(text)) return [];
  const reads: FileRead[] = [];
  const written = new Set<string>();
  collect(text, root, { reads, written });
  return reads.filter(({ path }) => !written.has(path)).sort((a, b) => a.line - b.line);
}

interface Collected {
  readonly reads: FileRead[];
  readonly written: Set<string>;
}

function collect(source: string, node: Syntax, collected: Collected): void {
  if (node.type === 'call') visitCall(source, node, collected);
  for (const child of node.children) if (child.children.length > 0) collect(source, child, collected);
}

function visitCall(source: string, node: Syntax, { reads, written }: Collected): void {
  const callee = fieldOf(node, 'function');
  const argumentList = fieldOf(node, 'arguments');
  if (callee === undefined || argumentList === undefined) return;
  const object = callee.type === 'attribute' ? fieldOf(callee, 'object') : undefined;
  const member = callee.type === 'attribute' ? fieldOf(callee, 'attribute') : undefined;
  const name = textOf(source, member ?? callee);
  const method = object !== undefined && PATH_READS.test(name) ? pathOf(source, object) : null;
  if (object !== undefined && WRITERS.test(name)) {
    for (const part of [object, ...partsOf(argumentList)]) {
      const path = pathOf(source, part);
      if (path !== null) written.add(path);
    }
    return;
  }
  const isOpen = OPENERS.test(textOf(source, callee));
  const opens =
    isOpen ||
    READERS.test(name) ||
    (name === 'load' && LOADERS.test(object === undefined ? '' : textOf(source, object)));
  const path = method ?? (opens ? argumentPath(source, argumentList) : null);
  if (path === null || !isLocalName(path)) return;
  if ((isOpen || method !== null) && isWriting(source, argumentList, isOpen ? 1 : 0)) written.add(path);
  else reads.push({ path, line: lineOf(source, node) });
}

/** The path in the first argument, or in the keyword argument that libraries use for it. */
function argumentPath(source: string, argumentList: Syntax): string | null {
  const parts = partsOf(argumentList);
  const keyword = parts.find((part) => {
    const name = part.type === 'keyword_argument' ? fieldOf(part, 'name') : undefined;
    return name !== undefined && KEYWORDS.has(textOf(source, name));
  });
  const [first] = parts;
  const value = keyword === undefined ? first : fieldOf(keyword, 'value');
  return value === undefined || value.type === 'keyword_argument' ? null : pathOf(source, value);
}

/** The path of `"a"`, `Path("a", "b")` or `Path("a") / "b"`; null for any other expression. */
function pathOf(source: string, node: Syntax): string | null {
  if (node.type === 'string') return literalOf(source, node);
  if (node.type === 'parenthesized_expression') {
    const [inner] = partsOf(node);
    return inner === undefined ? null : pathOf(source, inner);
  }
  if (node.type === 'call') {
    const callee = fieldOf(node, 'function');
    const argumentList = fieldOf(node, 'arguments');
    if (callee === undefined || argumentList === undefined || !PATHS.test(textOf(source, callee)))
      return null;
    const parts = partsOf(argumentList).map((part) => literalOf(source, part));
    return parts.length === 0 || parts.includes(null) ? null : parts.join('/');
  }
  if (node.type !== 'binary_operator' || !node.children.some(({ type }) => type === '/')) return null;
  const [left, right] = [fieldOf(node, 'left'), fieldOf(node, 'right')];
  if (left === undefined || right === undefined || left.type === 'string') return null;
  const [folder, rest] = [pathOf(source, left), literalOf(source, right)];
  return folder === null || rest === null ? null : `${folder.replace(/\/$/, '')}/${rest}`;
}

function literalOf(source: string, node: Syntax): string | null {
  if (node.type !== 'string' || node.children.some(({ type }) => type === 'interpolation')) return null;
  const literal = readStringLiteral(textOf(source, node));
  return literal?.kind === 'text' ? String.fromCodePoint(...literal.units) : null;
}

/** Not a URL, and not content that some readers accept instead of a path. */
function isLocalName(path: string): boolean {
  return path !== '' && path.length < 400 && !/^[a-zA-Z][a-zA-Z0-9+.-]+:\/\/|[\n<{*?]/.test(path);
}

function isWriting(source: string, argumentList: Syntax, at: number): boolean {
  const parts = partsOf(argumentList);
  const keyword = parts.find((part) => {
    const name = part.type === 'keyword_argument' ? fieldOf(part, 'name') : undefined;
    return name !== undefined && textOf(source, name) === 'mode';
  });
  const mode = keyword === undefined ? parts[at] : fieldOf(keyword, 'value');
  if (mode === undefined || mode.type === 'keyword_argument') return false;
  // A mode that is not literal may write.
  const text = literalOf(source, mode);
  return text === null || /[wax+]/.test(text);
}
