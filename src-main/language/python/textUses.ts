/** Finds calls in Python code whose strings name variables (`df.query("x > @y")`, `eval`, …). */

import { readStringLiteral } from './stringLiteral.ts';
import { fieldOf, partsOf, type Syntax, textOf } from './syntax.ts';
import {
  atNames,
  expressionNames,
  formatNames,
  isLikelySql,
  percentNames,
  sqlTableNames,
  templateNames,
} from './textNames.ts';

/** A place where a string names variables, which the syntax tree alone does not show. */
export interface TextUse {
  /** The call that looks the variables up. */
  readonly node: Syntax;
  /** The names it looks up, as far as the string shows. */
  readonly names: readonly string[];
  /** The names it binds. */
  readonly defines: readonly string[];
  /** The source of the call if the names are known only at run time; null if all of them are known. */
  readonly unknown: string | null;
}

/** The names that code in a string reads and binds; null if it is not a program. */
export type ReadCode = (
  code: string,
) => { readonly references: readonly string[]; readonly defines: readonly string[] } | null;

interface Search {
  readonly source: string;
  readonly root: Syntax;
  readonly readCode: ReadCode;
  readonly uses: TextUse[];
}

/** Matches the words of which a source must contain one to need the search. */
const CANDIDATE =
  /\b(eval|exec|globals|locals|vars|query|evaluate|sql|execute|execute_global|sqldf|read_sql\w*|ols|glm|logit|probit|poisson|wls|gls|mixedlm|quantreg|phreg|gee|dmatrix|dmatrices|from_formula)\b/;

const FRAMES = /^(globals|locals|vars)$/;
const SQL = /^(sql|query|execute|execute_global|sqldf|read_sql|read_sql_query)$/;
const AT = /^(query|eval)$/;
const FORMULAS =
  /^(ols|glm|logit|probit|poisson|wls|gls|mixedlm|quantreg|phreg|gee|dmatrix|dmatrices|from_formula)$/;
/** Libraries whose SQL sees variables: if the statement comes from elsewhere, its tables are unknown. */
const SEES_VARIABLES = /^(duckdb|pl|polars)\.(sql|query|execute)$|(^|\.)sqldf$/;

/** All places of a program where a string names variables. */
export function readTextUses(
  { text, root }: { readonly text: string; readonly root: Syntax },
  readCode: ReadCode,
): readonly TextUse[] {
  if (!CANDIDATE.test(text)) return [];
  const search: Search = { source: text, root, readCode, uses: [] };
  collect(search, root, [], false);
  return search.uses;
}

function collect(search: Search, node: Syntax, around: readonly Syntax[], inFunction: boolean): void {
  if (node.type === 'call') readCall(search, node, around, inFunction);
  const inside = inFunction || node.type === 'function_definition' || node.type === 'lambda';
  for (const child of node.children) {
    if (child.children.length > 0) collect(search, child, [node, ...around], inside);
  }
}

function readCall(search: Search, node: Syntax, around: readonly Syntax[], inFunction: boolean): void {
  const { source } = search;
  const callee = fieldOf(node, 'function');
  const argumentList = fieldOf(node, 'arguments');
  if (callee === undefined || argumentList?.type !== 'argument_list') return;
  const parts = partsOf(argumentList);
  if (callee.type === 'identifier') {
    const name = textOf(source, callee);
    if (name === 'eval' || name === 'exec') {
      readRun(search, node, { name, parts, inFunction });
      return;
    }
    if (FRAMES.test(name) && parts.length === 0) {
      // Inside a function, `locals()` has only the function's names.
      if (!inFunction || name === 'globals') readFrame(search, node, around);
      return;
    }
  }
  readQuery(search, node, { callee, parts });
}

function add(search: Search, node: Syntax, use: Partial<Omit<TextUse, 'node'>>): void {
  const { names = [], defines = [], unknown = null } = use;
  if (names.length > 0 || defines.length > 0 || unknown !== null)
    search.uses.push({ node, names, defines, unknown });
}

/** Reads `eval("x + 1")` and `exec("y = x")`. With an explicit namespace they do not see the cell's names. */
function readRun(
  search: Search,
  node: Syntax,
  { name, parts, inFunction }: { name: string; parts: readonly Syntax[]; inFunction: boolean },
): void {
  const [code, ...namespaces] = parts;
  if (code === undefined) return;
  const isCellNamespace = namespaces.every((part) =>
    /^(globals|locals|vars)\(\)$/.test(textOf(search.source, part)),
  );
  if (!isCellNamespace) return;
  const text = literalOf(search.source, code);
  const codeNames = text === null ? null : search.readCode(name === 'eval' ? text.trim() : text);
  if (codeNames === null) {
    // A literal that is not a program fails at run time.
    if (text === null) add(search, node, { unknown: textOf(search.source, node) });
    return;
  }
  add(search, node, {
    names: codeNames.references,
    defines: inFunction && namespaces.length === 0 ? [] : codeNames.defines,
  });
}

const LOOKUP_METHODS = /^(get|pop|setdefault|__getitem__|__contains__)$/;
const CHANGES = /^(update|setdefault|__setitem__)$/;
const FILLS_IN: Readonly<Record<string, ((text: string) => readonly string[]) | undefined>> = {
  format: formatNames,
  format_map: formatNames,
  substitute: templateNames,
  safe_substitute: templateNames,
};

/** Reads `globals()`, `locals()` or `vars()`, and the expression around it. */
function readFrame(search: Search, node: Syntax, around: readonly Syntax[]): void {
  const { source } = search;
  const [parent, next, outer] = around;
  const unknownParent = { unknown: textOf(source, parent ?? node) };
  if (parent?.type === 'subscript') {
    const key = fieldOf(parent, 'subscript');
    const name = key === undefined ? null : literalOf(source, key);
    const isTarget = next !== undefined && fieldOf(next, 'left') === parent;
    const isOnly = isTarget && next.type === 'assignment';
    if (name === null) add(search, node, unknownParent);
    else add(search, node, { names: isOnly ? [] : [name], defines: isTarget ? [name] : [] });
  } else if (parent?.type === 'attribute' && next?.type === 'call') {
    const member = fieldOf(parent, 'attribute');
    const method = member === undefined ? '' : textOf(source, member);
    const [key] = argumentsOf(next);
    const name = key === undefined ? null : literalOf(source, key);
    if (LOOKUP_METHODS.test(method) && name !== null)
      add(search, node, { names: [name], defines: CHANGES.test(method) ? [name] : [] });
    else add(search, node, { unknown: textOf(source, next) });
  } else if (parent?.type === 'comparison_operator') {
    const names = partsOf(parent).flatMap((part) => literalOf(source, part) ?? []);
    add(search, node, names.length > 0 ? { names } : unknownParent);
  } else if (parent?.type === 'binary_operator') {
    const text = literalOf(source, fieldOf(parent, 'left') ?? node);
    add(search, node, text === null ? unknownParent : { names: percentNames(text) });
  } else {
    // `"{x}".format(**locals())`, `Template("$x").substitute(globals())`
    const call =
      parent?.type === 'argument_list' ? next : parent?.type === 'dictionary_splat' ? outer : undefined;
    const names = call?.type === 'call' ? templateNamesOf(source, call) : null;
    const isInRun = call !== undefined && /^(eval|exec)\s*\(/.test(textOf(source, call));
    if (names !== null) add(search, node, { names });
    else if (!isInRun) add(search, node, { unknown: textOf(source, call ?? node) });
  }
}

function templateNamesOf(source: string, call: Syntax): readonly string[] | null {
  const callee = fieldOf(call, 'function');
  const member = callee?.type === 'attribute' ? fieldOf(callee, 'attribute') : undefined;
  const namesIn = member === undefined ? undefined : FILLS_IN[textOf(source, member)];
  let object = callee === undefined ? undefined : fieldOf(callee, 'object');
  if (object?.type === 'call') object = argumentsOf(object)[0];
  const text = object === undefined ? null : literalOf(source, object);
  return namesIn === undefined || text === null ? null : namesIn(text);
}

/** Reads `df.query("a > @limit")`, `duckdb.sql("… FROM df")`, `pd.eval("a + b")`, `smf.ols("y ~ scale(x)", df)`. */
function readQuery(
  search: Search,
  node: Syntax,
  { callee, parts }: { readonly callee: Syntax; readonly parts: readonly Syntax[] },
): void {
  const { source } = search;
  const member = callee.type === 'attribute' ? fieldOf(callee, 'attribute') : callee;
  const name = member === undefined ? '' : textOf(source, member);
  const isExpression =
    name === 'evaluate' || /^(pd|pandas)\.eval$/.test(textOf(source, callee)) || FORMULAS.test(name);
  if (!SQL.test(name) && !AT.test(name) && !isExpression) return;
  const texts = parts.flatMap((part) => textsIn(source, part));
  const names = texts.flatMap((text) => [
    ...(AT.test(name) ? atNames(text) : []),
    ...(isExpression ? expressionNames(text) : []),
    ...(SQL.test(name) ? sqlTableNames(text) : []),
  ]);
  if (texts.length > 0 || !SQL.test(name)) {
    add(search, node, { names });
    return;
  }
  // The statement may be built earlier in this cell.
  const own = textsIn(source, search.root).filter(isLikelySql).flatMap(sqlTableNames);
  const isHidden = own.length === 0 && parts.length > 0 && SEES_VARIABLES.test(textOf(source, callee));
  add(search, node, { names: own, unknown: isHidden ? textOf(source, node) : null });
}

function argumentsOf(call: Syntax): readonly Syntax[] {
  const argumentList = fieldOf(call, 'arguments');
  return argumentList === undefined ? [] : partsOf(argumentList);
}

/** The value of a string literal; null for any other expression. */
function literalOf(source: string, node: Syntax): string | null {
  if (node.type === 'parenthesized_expression') {
    const [inner] = partsOf(node);
    return inner === undefined ? null : literalOf(source, inner);
  }
  if (node.type === 'concatenated_string') {
    const pieces = partsOf(node).map((part) => literalOf(source, part));
    return pieces.includes(null) ? null : pieces.join('');
  }
  if (node.type !== 'string' || node.children.some(({ type }) => type === 'interpolation')) return null;
  const literal = readStringLiteral(textOf(source, node));
  return literal?.kind === 'text' ? String.fromCodePoint(...literal.units) : null;
}

/** All string literals in an expression, without the values that f-strings insert. */
function textsIn(source: string, node: Syntax): string[] {
  const literal =
    node.type === 'string' || node.type === 'concatenated_string' ? literalOf(source, node) : null;
  if (literal !== null) return [literal];
  if (node.type === 'concatenated_string')
    return [
      partsOf(node)
        .flatMap((part) => textsIn(source, part))
        .join(' '),
    ];
  if (node.type === 'string') {
    const pieces = partsOf(node).filter(({ type }) => type === 'string_content');
    const inner = partsOf(node).filter(({ type }) => type === 'interpolation');
    // A placeholder for each inserted value, so that `FROM {name}` names no table.
    return [
      node.children
        .map((part) => (pieces.includes(part) ? textOf(source, part) : inner.includes(part) ? ' ? ' : ''))
        .join(''),
      ...inner.flatMap((part) => part.children.flatMap((child) => textsIn(source, child))),
    ];
  }
  return node.children.flatMap((child) => (child.named ? textsIn(source, child) : []));
}
