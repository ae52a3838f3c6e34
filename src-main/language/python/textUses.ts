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

/** A place where variables are looked up by a text, which no reading of the code alone shows. */
export interface TextUse {
  /** The call that looks them up. */
  readonly node: Syntax;
  /** What it looks up, as far as the text says. */
  readonly names: readonly string[];
  /** What it binds. */
  readonly defines: readonly string[];
  /** As written, where the names are known only when it runs; null where all of them are known. */
  readonly unknown: string | null;
}

/** What the code in a text reads and binds; null where it is no program. */
export type ReadCode = (
  code: string,
) => { readonly references: readonly string[]; readonly defines: readonly string[] } | null;

interface Search {
  readonly source: string;
  readonly root: Syntax;
  readonly readCode: ReadCode;
  readonly found: TextUse[];
}

/** A text that can matter has one of these words. */
const WORTH_A_LOOK =
  /\b(eval|exec|globals|locals|vars|query|evaluate|sql|execute|execute_global|sqldf|read_sql\w*|ols|glm|logit|probit|poisson|wls|gls|mixedlm|quantreg|phreg|gee|dmatrix|dmatrices|from_formula)\b/;

const FRAMES = /^(globals|locals|vars)$/;
const SQL = /^(sql|query|execute|execute_global|sqldf|read_sql|read_sql_query)$/;
const AT = /^(query|eval)$/;
const FORMULAS =
  /^(ols|glm|logit|probit|poisson|wls|gls|mixedlm|quantreg|phreg|gee|dmatrix|dmatrices|from_formula)$/;
/** Libraries whose SQL sees the variables, so that a text from elsewhere hides which. */
const SEES_VARIABLES = /^(duckdb|pl|polars)\.(sql|query|execute)$|(^|\.)sqldf$/;

/** Every place of a program where variables are looked up by a text. */
export function readTextUses(
  { text, root }: { readonly text: string; readonly root: Syntax },
  readCode: ReadCode,
): readonly TextUse[] {
  if (!WORTH_A_LOOK.test(text)) return [];
  const search: Search = { source: text, root, readCode, found: [] };
  collect(search, root, [], false);
  return search.found;
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
  const given = fieldOf(node, 'arguments');
  if (callee === undefined || given?.type !== 'argument_list') return;
  const parts = partsOf(given);
  if (callee.type === 'identifier') {
    const name = textOf(source, callee);
    if (name === 'eval' || name === 'exec') {
      readRun(search, node, { name, parts, inFunction });
      return;
    }
    if (FRAMES.test(name) && parts.length === 0) {
      // In a function, locals are its own.
      if (!inFunction || name === 'globals') readFrame(search, node, around);
      return;
    }
  }
  readQuery(search, node, { callee, parts });
}

function add(search: Search, node: Syntax, use: Partial<Omit<TextUse, 'node'>>): void {
  const { names = [], defines = [], unknown = null } = use;
  if (names.length > 0 || defines.length > 0 || unknown !== null)
    search.found.push({ node, names, defines, unknown });
}

/** `eval("x + 1")` and `exec("y = x")`. With namespaces of their own they see none of ours. */
function readRun(
  search: Search,
  node: Syntax,
  { name, parts, inFunction }: { name: string; parts: readonly Syntax[]; inFunction: boolean },
): void {
  const [code, ...namespaces] = parts;
  if (code === undefined) return;
  const isOurs = namespaces.every((part) => /^(globals|locals|vars)\(\)$/.test(textOf(search.source, part)));
  if (!isOurs) return;
  const text = literalOf(search.source, code);
  const read = text === null ? null : search.readCode(name === 'eval' ? text.trim() : text);
  if (read === null) {
    // A text that is no program fails as it runs.
    if (text === null) add(search, node, { unknown: textOf(search.source, node) });
    return;
  }
  add(search, node, {
    names: read.references,
    defines: inFunction && namespaces.length === 0 ? [] : read.defines,
  });
}

const LOOKS_UP = /^(get|pop|setdefault|__getitem__|__contains__)$/;
const CHANGES = /^(update|setdefault|__setitem__)$/;
const FILLS_IN: Readonly<Record<string, ((text: string) => readonly string[]) | undefined>> = {
  format: formatNames,
  format_map: formatNames,
  substitute: templateNames,
  safe_substitute: templateNames,
};

/** `globals()`, and what is done with it. */
function readFrame(search: Search, node: Syntax, around: readonly Syntax[]): void {
  const { source } = search;
  const [parent, next, over] = around;
  const whole = { unknown: textOf(source, parent ?? node) };
  if (parent?.type === 'subscript') {
    const key = fieldOf(parent, 'subscript');
    const name = key === undefined ? null : literalOf(source, key);
    const isTarget = next !== undefined && fieldOf(next, 'left') === parent;
    const isOnly = isTarget && next.type === 'assignment';
    if (name === null) add(search, node, whole);
    else add(search, node, { names: isOnly ? [] : [name], defines: isTarget ? [name] : [] });
  } else if (parent?.type === 'attribute' && next?.type === 'call') {
    const member = fieldOf(parent, 'attribute');
    const method = member === undefined ? '' : textOf(source, member);
    const [key] = argumentsOf(next);
    const name = key === undefined ? null : literalOf(source, key);
    if (LOOKS_UP.test(method) && name !== null)
      add(search, node, { names: [name], defines: CHANGES.test(method) ? [name] : [] });
    else add(search, node, { unknown: textOf(source, next) });
  } else if (parent?.type === 'comparison_operator') {
    const names = partsOf(parent).flatMap((part) => literalOf(source, part) ?? []);
    add(search, node, names.length > 0 ? { names } : whole);
  } else if (parent?.type === 'binary_operator') {
    const text = literalOf(source, fieldOf(parent, 'left') ?? node);
    add(search, node, text === null ? whole : { names: percentNames(text) });
  } else {
    // `"{x}".format(**locals())`, `Template("$x").substitute(globals())`
    const call =
      parent?.type === 'argument_list' ? next : parent?.type === 'dictionary_splat' ? over : undefined;
    const names = call?.type === 'call' ? filledIn(source, call) : null;
    const isInRun = call !== undefined && /^(eval|exec)\s*\(/.test(textOf(source, call));
    if (names !== null) add(search, node, { names });
    else if (!isInRun) add(search, node, { unknown: textOf(source, call ?? node) });
  }
}

function filledIn(source: string, call: Syntax): readonly string[] | null {
  const callee = fieldOf(call, 'function');
  const member = callee?.type === 'attribute' ? fieldOf(callee, 'attribute') : undefined;
  const read = member === undefined ? undefined : FILLS_IN[textOf(source, member)];
  let object = callee === undefined ? undefined : fieldOf(callee, 'object');
  if (object?.type === 'call') object = argumentsOf(object)[0];
  const text = object === undefined ? null : literalOf(source, object);
  return read === undefined || text === null ? null : read(text);
}

/** `df.query("a > @limit")`, `duckdb.sql("… FROM df")`, `pd.eval("a + b")`, `smf.ols("y ~ scale(x)", df)`. */
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
  // The statement may be put together above, in this very cell.
  const own = textsIn(source, search.root).filter(isLikelySql).flatMap(sqlTableNames);
  const isHidden = own.length === 0 && parts.length > 0 && SEES_VARIABLES.test(textOf(source, callee));
  add(search, node, { names: own, unknown: isHidden ? textOf(source, node) : null });
}

function argumentsOf(call: Syntax): readonly Syntax[] {
  const given = fieldOf(call, 'arguments');
  return given === undefined ? [] : partsOf(given);
}

/** The text a literal spells, or null for anything else. */
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

/** Every text in an expression, however it is put together; what an f-string fills in is left out. */
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
    // A mark in place of what is filled in: `FROM {name}` is followed by no table.
    return [
      node.children
        .map((part) => (pieces.includes(part) ? textOf(source, part) : inner.includes(part) ? ' ? ' : ''))
        .join(''),
      ...inner.flatMap((part) => part.children.flatMap((child) => textsIn(source, child))),
    ];
  }
  return node.children.flatMap((child) => (child.named ? textsIn(source, child) : []));
}
