/** Parses Python source to a syntax tree with tree-sitter; all analysis of Python cells starts from it. */

import { Language, Parser, type Tree, type TreeCursor } from 'web-tree-sitter';
import { joinBrackets } from './joinBrackets.ts';
import { wasmPath } from './wasmPath.ts';

/** A node of a Python syntax tree, copied out of the parser's memory, without comments and `\` line ends. */
export interface Syntax {
  readonly type: string;
  /** The grammar's name for this child of its parent, or `''`; always `''` for punctuation. */
  readonly field: string;
  /** False for punctuation and keywords. */
  readonly named: boolean;
  /** UTF-16 offsets into the parsed text; `end` is exact for named nodes and one-word tokens. */
  readonly start: number;
  readonly end: number;
  readonly children: readonly Syntax[];
}

/** The result of a parse: `root` is null if even the lenient grammar rejects the text. */
export interface ParsedText {
  readonly text: string;
  readonly root: Syntax | null;
}

export interface PythonParser {
  readonly parse: (source: string) => ParsedText;
}

interface Growing extends Syntax {
  readonly children: Growing[];
}

const LEFT_OUT: ReadonlySet<string> = new Set(['comment', 'line_continuation']);

/** Loads the parser and the Python grammar: about 15 ms, once per process. */
export async function loadPythonParser(): Promise<PythonParser> {
  await Parser.init({ locateFile: () => wasmPath('web-tree-sitter.wasm') });
  const language = await Language.load(wasmPath('tree-sitter-python.wasm'));
  const parser = new Parser();
  parser.setLanguage(language);
  return { parse: (source) => parseWith(parser, source) };
}

function parseWith(parser: Parser, source: string): ParsedText {
  // Python treats every kind of line end as `\n`, also inside strings, and ignores a byte order mark.
  const text = source.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  // Python refuses a source with NUL; the grammar would treat it as the end of the text.
  if (text.includes('\0')) return { text, root: null };
  const root = parseText(parser, text);
  if (root !== null) return { text, root };
  const joined = joinBrackets(text);
  return { text, root: joined === text ? null : parseText(parser, joined) };
}

function parseText(parser: Parser, text: string): Syntax | null {
  const tree = parser.parse(`${text}\n`);
  if (tree === null) return null;
  try {
    return tree.rootNode.hasError ? null : copyTree(tree);
  } finally {
    tree.delete();
  }
}

/** Node types without relevant children. Asking the parser for children costs a call each time. */
const LEAVES: ReadonlySet<string> = new Set([
  ...['identifier', 'integer', 'float', 'true', 'false', 'none', 'ellipsis', 'comment', 'line_continuation'],
  ...['string_start', 'string_content', 'string_end', 'type_conversion', 'pass_statement', 'wildcard_import'],
  ...['break_statement', 'continue_statement', 'positional_separator', 'keyword_separator'],
]);

/** Copies the tree with one cursor. Every access is a call into WebAssembly, so there are as few as possible. */
function copyTree(tree: Tree): Syntax {
  const cursor = tree.walk();
  try {
    const kinds = kindsOf(tree.language);
    const root = nodeAt(cursor, kinds);
    const open: Growing[] = [root];
    let down = true;
    for (;;) {
      const top = open.at(-1);
      if (!(down && top !== undefined && hasChildren(top) && cursor.gotoFirstChild())) {
        if (!cursor.gotoNextSibling()) {
          if (open.length <= 2) return root;
          cursor.gotoParent();
          open.pop();
          down = false;
          continue;
        }
        open.pop();
      }
      down = true;
      const node = nodeAt(cursor, kinds);
      if (!LEFT_OUT.has(node.type)) open.at(-1)?.children.push(node);
      open.push(node);
    }
  } finally {
    cursor.delete();
  }
}

/** Punctuation has no children, except `not in` and `is not`. */
function hasChildren({ named, type }: Syntax): boolean {
  return named ? !LEAVES.has(type) : type.includes(' ');
}

interface Kind {
  readonly type: string;
  readonly named: boolean;
}

interface Kinds {
  readonly types: readonly Kind[];
  readonly fields: readonly (string | null)[];
}

const kindTables = new WeakMap<Language, Kinds>();

function kindsOf(language: Language): Kinds {
  let kinds = kindTables.get(language);
  if (kinds === undefined) {
    const types = language.types.map((type, id) => ({ type, named: language.nodeTypeIsNamed(id) }));
    kinds = { types, fields: language.fields };
    kindTables.set(language, kinds);
  }
  return kinds;
}

function nodeAt(cursor: TreeCursor, { types, fields }: Kinds): Growing {
  const { type, named } = types[cursor.nodeTypeId] ?? { type: 'ERROR', named: true };
  const start = cursor.startIndex;
  if (!named) return { type, named, field: '', start, end: start + type.length, children: [] };
  const field = cursor.currentFieldId;
  return {
    type,
    named,
    field: field === 0 ? '' : (fields[field] ?? ''),
    start,
    end: cursor.endIndex,
    children: [],
  };
}

export function textOf(source: string, node: Syntax): string {
  return source.slice(node.start, node.end);
}

/** The line a node starts on, counted from 1. */
export function lineOf(source: string, node: Syntax): number {
  let line = 1;
  for (let at = source.indexOf('\n'); at !== -1 && at < node.start; at = source.indexOf('\n', at + 1))
    line += 1;
  return line;
}

/** The children without punctuation and keywords. */
export function partsOf(node: Syntax): readonly Syntax[] {
  return node.children.filter((child) => child.named);
}

export function fieldOf(node: Syntax, field: string): Syntax | undefined {
  return node.children.find((child) => child.field === field);
}

/** A name as Python compares it, in Unicode form NFKC. */
export function nameOf(source: string, node: Syntax): string {
  return source.slice(node.start, node.end).normalize('NFKC');
}

/** The root name of `a.b[c].d`, or null if the chain starts with something else. */
export function rootName(source: string, node: Syntax): string | null {
  let at = node;
  for (;;) {
    if (at.type === 'identifier') return nameOf(source, at);
    const next =
      at.type === 'attribute'
        ? fieldOf(at, 'object')
        : at.type === 'subscript'
          ? fieldOf(at, 'value')
          : at.type === 'parenthesized_expression'
            ? partsOf(at)[0]
            : undefined;
    if (next === undefined) return null;
    at = next;
  }
}
