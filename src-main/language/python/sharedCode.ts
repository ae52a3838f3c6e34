/**
 * The statements of a cell that can be shared with other cells as source (docs/spec/analysis-and-graph.md, 2), read
 * from the text alone. The harness reads the same with Python's own parser (svc_harness/code_slice.py) when it writes
 * the slice; `harness/fixtures/shared_code.json` and a property test check that both agree.
 */
import { statementReader } from './names.ts';
import type { ModuleNames } from './scope.ts';
import { fieldOf, nameOf, partsOf, type Syntax, textOf } from './syntax.ts';

export type SymbolKind = 'function' | 'async function' | 'class' | 'constant';

export interface Statement {
  readonly kind: SymbolKind | 'import' | 'lambda' | 'dropped';
  /** The names it defines: that of a function or class, or the targets of a constant. */
  readonly symbols: readonly string[];
  readonly names: ModuleNames;
}

/** The statements of a cell that defines code. In an analysis, null if it defines none. */
export interface SharedCode {
  readonly statements: readonly Statement[];
  readonly stars: readonly string[];
}

/** Kinds that are code; a constant on its own is plain data. */
export const CODE_KINDS: ReadonlySet<string> = new Set(['function', 'async function', 'class']);
/** Kinds of statements that are part of the slice. */
export const SLICE_KINDS: ReadonlySet<string> = new Set([...CODE_KINDS, 'constant', 'import']);

/** Classifies the statements of a program; null if its top level has no definition and no lambda. */
export function readSharedCode({
  text,
  root,
}: {
  readonly text: string;
  readonly root: Syntax;
}): SharedCode | null {
  const top = root.children.filter(({ named }) => named);
  const kinds = top.map((node) => kindOf(text, node));
  if (!kinds.some(({ kind }) => CODE_KINDS.has(kind) || kind === 'lambda')) return null;
  const namesOf = statementReader({ text, root });
  const statements = kinds.flatMap((kind, at): Statement[] => {
    const node = top[at];
    return node === undefined ? [] : [{ ...kind, names: namesOf(node) }];
  });
  return { statements, stars: [...new Set(starsOf(text, root))].sort() };
}

function kindOf(source: string, node: Syntax): Pick<Statement, 'kind' | 'symbols'> {
  const definition = node.type === 'decorated_definition' ? fieldOf(node, 'definition') : node;
  if (definition?.type === 'function_definition' || definition?.type === 'class_definition') {
    const name = fieldOf(definition, 'name');
    const isAsync = definition.children.some(({ type }) => type === 'async');
    const kind = definition.type === 'class_definition' ? 'class' : isAsync ? 'async function' : 'function';
    return { kind, symbols: name === undefined ? [] : [nameOf(source, name)] };
  }
  if (node.type === 'import_statement' || node.type === 'future_import_statement') {
    return { kind: 'import', symbols: [] };
  }
  if (node.type === 'import_from_statement') {
    const isStar = node.children.some(({ type }) => type === 'wildcard_import');
    return { kind: isStar ? 'dropped' : 'import', symbols: [] };
  }
  const only = node.type === 'expression_statement' ? partsOf(node) : [];
  const [assignment] = only;
  return only.length === 1 && assignment?.type === 'assignment'
    ? assignmentKind(source, assignment)
    : { kind: 'dropped', symbols: [] };
}

function assignmentKind(source: string, node: Syntax): Pick<Statement, 'kind' | 'symbols'> {
  const symbols: string[] = [];
  let at: Syntax | undefined = node;
  while (at?.type === 'assignment') {
    const left = fieldOf(at, 'left');
    if (left === undefined || !addTargets(source, left, symbols)) return { kind: 'dropped', symbols: [] };
    at = fieldOf(at, 'right');
  }
  if (at === undefined) return { kind: 'dropped', symbols: [] };
  if (isLiteral(source, at)) return { kind: 'constant', symbols };
  return unwrapped(at).type === 'lambda' ? { kind: 'lambda', symbols } : { kind: 'dropped', symbols: [] };
}

/** Adds the names of assignment targets. @returns false if a target is not a plain name, as in `o.x = 1` */
function addTargets(source: string, target: Syntax, names: string[]): boolean {
  if (target.type === 'identifier') {
    names.push(nameOf(source, target));
    return true;
  }
  if (target.type === 'attribute' || target.type === 'subscript') return false;
  return partsOf(target).every((part) => addTargets(source, part, names));
}

function unwrapped(node: Syntax): Syntax {
  let at = node;
  while (at.type === 'parenthesized_expression') {
    const [inner] = partsOf(at);
    if (inner === undefined) return at;
    at = inner;
  }
  return at;
}

const ATOMS: ReadonlySet<string> = new Set(['integer', 'float', 'true', 'false', 'none', 'ellipsis']);
const CONTAINERS: ReadonlySet<string> = new Set([
  ...['list', 'tuple', 'set', 'dictionary', 'pair', 'expression_list', 'parenthesized_expression'],
  ...['unary_operator', 'not_operator', 'concatenated_string'],
]);

/** A literal constant: numbers, strings, `True`, `None` and the like, with signs, and containers of them. */
function isLiteral(source: string, node: Syntax): boolean {
  if (ATOMS.has(node.type)) return true;
  if (node.type === 'string') {
    const [opening] = node.children;
    return opening !== undefined && !/[ft]/i.test(textOf(source, opening));
  }
  return CONTAINERS.has(node.type) && partsOf(node).every((part) => isLiteral(source, part));
}

/** The modules of star imports that run with the cell. */
function starsOf(source: string, node: Syntax): string[] {
  if (node.type === 'import_from_statement') {
    const module = fieldOf(node, 'module_name');
    const isStar = node.children.some(({ type }) => type === 'wildcard_import');
    return isStar && module !== undefined ? [textOf(source, module).replace(/\\\n|\s/g, '')] : [];
  }
  return node.children.flatMap((child) => (child.children.length > 0 ? starsOf(source, child) : []));
}
