/** Refuses source that the lenient grammar of a cell's parser accepts but Python 3 does not. */

import { fieldOf, type ParsedText, partsOf, type Syntax, textOf } from './syntax.ts';

/**
 * Whether Python 3 would parse the source that this tree was read from. The grammar is lenient: it accepts Python 2,
 * uneven indentation, empty blocks and `as` in any expression. Errors that Python reports only when it compiles
 * (`return` outside a function) are accepted here too, as `ast.parse` does.
 */
export function isPython3({ text, root }: ParsedText): boolean {
  return (
    root !== null && isFine(text, root, false) && isEvenlyIndented(text, root) && keepsItsLines(text, root)
  );
}

function isFine(source: string, node: Syntax, allowsAs: boolean): boolean {
  const refuse = REFUSALS[node.type];
  if (refuse?.(source, node)) return false;
  if (node.type === 'as_pattern' && !allowsAs) return false;
  const inside = node.type === 'with_item' || node.type === 'except_clause' || node.type === 'case_pattern';
  const passesOn = allowsAs && (node.type === 'parenthesized_expression' || node.type === 'tuple');
  if (node.type === 'binary_operator' || node.type === 'boolean_operator') return chainIsFine(source, node);
  return node.children.every((child) =>
    isFine(source, child, (inside && child.type !== 'block') || passesOn),
  );
}

/** Walks a left-leaning chain, such as a long sum, without recursion. */
function chainIsFine(source: string, node: Syntax): boolean {
  let at = node;
  while (at.type === 'binary_operator' || at.type === 'boolean_operator') {
    const [left, ...rest] = at.children;
    if (left === undefined) return false;
    if (!rest.every((child) => isFine(source, child, false))) return false;
    at = left;
  }
  return isFine(source, at, false);
}

type Refuse = (source: string, node: Syntax) => boolean;

const always: Refuse = () => true;

const STRING_START = /^(|r|u|b|f|t|br|rb|fr|rf|tr|rt)('''|"""|'|")$/i;

const REFUSALS: Readonly<Record<string, Refuse | undefined>> = {
  exec_statement: always,
  '<>': always,
  print_statement: (_source, node) => !node.children.some(({ type }) => type === 'chevron'),
  integer: (source, node) =>
    /l$|^0\d*[1-9]|^\d\w*__|_$/i.test(textOf(source, node).replace(/^0[xbo]_?/i, '1')) &&
    !/j$/i.test(textOf(source, node)),
  string_start: (source, node) => !STRING_START.test(textOf(source, node)),
  import_statement: (_source, node) => node.children.at(-1)?.type === ',',
  import_from_statement: (_source, node) => node.children.at(-1)?.type === ',',
  future_import_statement: (_source, node) => node.children.at(-1)?.type === ',',
  string: runsOver,
  argument_list: (_source, node) => node.children[1]?.type === ',',
  dictionary: (_source, node) => node.children[1]?.type === ',',
  block: (_source, node) => node.children.length === 0,
  assert_statement: (_source, node) => partsOf(node).length > 2,
  raise_statement: (_source, node) => node.children.some(({ type }) => type === 'expression_list'),
  for_in_clause: (_source, node) =>
    node.children.filter(({ field, named }) => field === 'right' && named).length > 1,
  parameters: (_source, node) => partsOf(node).some(isTupleParameter),
  lambda_parameters: (_source, node) => partsOf(node).some(isTupleParameter),
};

/** A string in single quotes must end on its line; expressions inside it may span lines. */
function runsOver(source: string, node: Syntax): boolean {
  const [opening] = node.children;
  if (opening === undefined || /'''|"""/.test(textOf(source, opening))) return false;
  if (!textOf(source, node).includes('\n')) return false;
  let own = '';
  let at = opening.end;
  for (const part of node.children) {
    if (part.type !== 'interpolation') continue;
    own += `${source.slice(at, part.start)} `;
    at = part.end;
  }
  return (own + source.slice(at, node.end)).replace(/\\[\s\S]/g, '').includes('\n');
}

function isTupleParameter(parameter: Syntax): boolean {
  return parameter.type === 'tuple_pattern' || fieldOf(parameter, 'name')?.type === 'tuple_pattern';
}

/** The two columns Python compares: tabs up to the next multiple of 8, and tabs as one. Both must agree. */
interface Column {
  readonly wide: number;
  readonly narrow: number;
}

/** The column of a statement; null if it is not the first on its line. */
function columnOf(source: string, node: Syntax): Column | null {
  let start = node.start;
  while (start > 0 && source[start - 1] !== '\n') start -= 1;
  let wide = 0;
  let narrow = 0;
  for (let at = start; at < node.start; at += 1) {
    const character = source[at];
    if (character === ' ') {
      wide += 1;
      narrow += 1;
    } else if (character === '\t') {
      wide = (Math.floor(wide / 8) + 1) * 8;
      narrow += 1;
    } else if (character === '\f') {
      wide = 0;
      narrow = 0;
    } else return null;
  }
  // A line that a backslash joins to the previous one starts no statement.
  return source.slice(start - 2, start) === '\\\n' ? null : { wide, narrow };
}

function isEvenlyIndented(source: string, root: Syntax): boolean {
  return blockIsEven(source, root.children, { wide: 0, narrow: 0 }, true);
}

function blockIsEven(
  source: string,
  statements: readonly Syntax[],
  outer: Column,
  isModule: boolean,
): boolean {
  let own: Column | null = isModule ? outer : null;
  for (const node of statements) {
    if (node.type === ';') continue;
    const column = columnOf(source, node);
    if (column !== null) {
      own ??= column;
      if (column.wide !== own.wide || column.narrow !== own.narrow) return false;
      if (!isModule && (column.wide <= outer.wide || column.narrow <= outer.narrow)) return false;
    }
    if (!partsAreEven(source, node, own ?? outer)) return false;
  }
  return true;
}

const ALIGNED: ReadonlySet<string> = new Set([
  'elif_clause',
  'else_clause',
  'except_clause',
  'finally_clause',
  'function_definition',
  'class_definition',
]);

function partsAreEven(source: string, node: Syntax, outer: Column): boolean {
  for (const child of node.children) {
    if (child.type === 'block') {
      if (!blockIsEven(source, child.children, outer, false)) return false;
    } else if (ALIGNED.has(child.type)) {
      const column = columnOf(source, child);
      if (column !== null && (column.wide !== outer.wide || column.narrow !== outer.narrow)) return false;
      if (!partsAreEven(source, child, outer)) return false;
    }
  }
  return true;
}

/** Outside brackets a statement must stay on one line; the grammar accepts some that do not. */
function keepsItsLines(source: string, node: Syntax): boolean {
  return node.children.every((child) => {
    if (child.type === ';') return true;
    if (child.type === 'decorated_definition') return keepsItsLines(source, child);
    return headersStayOnLine(source, child);
  });
}

/** Checks a simple statement, or every header of a compound one, and then its blocks. */
function headersStayOnLine(source: string, node: Syntax): boolean {
  const line: Line = { depth: 0, end: node.start };
  for (const child of node.children.length === 0 ? [node] : node.children) {
    if (child.type === 'block') {
      if (!keepsItsLines(source, child)) return false;
    } else if (isClause(child)) {
      if (!headersStayOnLine(source, child)) return false;
    } else if (!staysOnLine(source, child, line)) return false;
  }
  return true;
}

function isClause(node: Syntax): boolean {
  return node.children.some(({ type }) => type === 'block');
}

interface Line {
  depth: number;
  end: number;
}

/** Walks the tokens with an explicit stack, because a long sum is a deep tree. */
function staysOnLine(source: string, root: Syntax, line: Line): boolean {
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.children.length > 0 && node.type !== 'string') {
      for (let at = node.children.length - 1; at >= 0; at -= 1) {
        const child = node.children[at];
        if (child !== undefined) open.push(child);
      }
      continue;
    }
    if (line.depth === 0 && line.end < node.start) {
      if (source.slice(line.end, node.start).replaceAll('\\\n', '').includes('\n')) return false;
    }
    if (node.type === '(' || node.type === '[' || node.type === '{') line.depth += 1;
    else if (node.type === ')' || node.type === ']' || node.type === '}') line.depth -= 1;
    line.end = node.end;
  }
  return true;
}
