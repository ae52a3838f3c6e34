/**
 * The normal form of a Python program, which the source hash of a cell is computed from
 * (docs/spec/provenance-and-cache.md, 1): the program rewritten from its tokens in one style, so that comments, blank
 * lines, quotes and spacing do not count. The result is the same program, token by token, so different programs never
 * share a normal form. It equals `ast.unparse` for ordinary statements and distinguishes more elsewhere (redundant
 * parentheses, spelling of floats).
 */
import { normalizeStrings } from './normalizeString.ts';
import { nameOf, partsOf, type Syntax, textOf } from './syntax.ts';

const INDENT = '    ';

interface Writer {
  readonly source: string;
  readonly lines: string[];
}

/** Returns the normal form of a parsed program. */
export function normalizeProgram({ text, root }: { readonly text: string; readonly root: Syntax }): string {
  const writer: Writer = { source: text, lines: [] };
  for (const node of root.children) writeStatement(writer, node, 0);
  return writer.lines.join('\n');
}

function addLine({ lines }: Writer, depth: number, text: string): void {
  lines.push(INDENT.repeat(depth) + text);
}

const DEFINITIONS: ReadonlySet<string> = new Set([
  'function_definition',
  'class_definition',
  'decorated_definition',
]);

/** The header of a compound statement or clause ends at its block; each decorator is its own line. */
function writeStatement(writer: Writer, node: Syntax, depth: number): void {
  if (node.type === ';') return;
  if (DEFINITIONS.has(node.type) && writer.lines.length > 0) writer.lines.push('');
  writeBody(writer, node, depth);
}

function writeBody(writer: Writer, node: Syntax, depth: number): void {
  if (node.type === 'decorated_definition') {
    for (const child of node.children) writeBody(writer, child, depth);
    return;
  }
  if (!node.children.some(({ type }) => type === 'block')) {
    addLine(writer, depth, statementText(writer.source, node));
    return;
  }
  let header: Syntax[] = [];
  for (const child of node.children) {
    if (child.type === 'block') {
      addLine(writer, depth, headerText(writer.source, header));
      header = [];
      for (const inner of child.children) writeStatement(writer, inner, depth + 1);
    } else if (child.type.endsWith('_clause') && child.type !== 'with_clause' && child.type !== 'if_clause') {
      writeBody(writer, child, depth);
    } else header.push(child);
  }
}

/** Header fields that contain one whole expression, whose outer parentheses are redundant. */
const CONDITIONS: ReadonlySet<string> = new Set(['condition', 'right', 'subject']);

function headerText(source: string, header: readonly Syntax[]): string {
  const [first, second] = header;
  const isDefinition = first?.type === 'class' || first?.type === 'def' || second?.type === 'def';
  const subjects = header.filter(({ field }) => field === 'subject');
  if (subjects.length > 1 || (subjects.length === 1 && header.some(({ type }) => type === ','))) {
    return `match ${asTuple(source, header.slice(1, -1))}:`;
  }
  let text = '';
  for (const child of header) {
    const glued =
      child.type === ':' ||
      child.type === ',' ||
      (isDefinition &&
        (child.field === 'parameters' ||
          child.field === 'superclasses' ||
          child.field === 'type_parameters'));
    const empty = child.field === 'superclasses' && partsOf(child).length === 0;
    if (empty) continue;
    const part = CONDITIONS.has(child.field) ? valueText(source, child) : expressionText(source, child);
    text += text === '' || glued ? part : ` ${part}`;
  }
  return text;
}

function statementText(source: string, node: Syntax): string {
  switch (node.type) {
    case 'expression_statement': {
      const [only, comma] = node.children;
      if (only !== undefined && comma === undefined) return valueText(source, only);
      return asTuple(source, node.children);
    }
    case 'return_statement':
      return node.children.map((child) => (child.named ? valueText(source, child) : child.type)).join(' ');
    case 'import_from_statement':
    case 'future_import_statement':
      return importText(source, node);
    default:
      return expressionText(source, node);
  }
}

function importText(source: string, node: Syntax): string {
  const names = node.children.filter(({ field, type }) => field === 'name' || type === 'wildcard_import');
  const module = node.children.find(({ field }) => field === 'module_name');
  const from = module === undefined ? '__future__' : textOf(source, module).replace(/\\\n|\s|#.*$/gm, '');
  return `from ${from} import ${names.map((name) => expressionText(source, name)).join(', ')}`;
}

/** A whole right-hand side, without outer parentheses; `a, b` gets the parentheses of a tuple. */
function valueText(source: string, node: Syntax): string {
  let at = node;
  while (at.type === 'parenthesized_expression') {
    const [inner] = partsOf(at);
    if (inner === undefined || KEEPS_PARENTHESES.has(inner.type)) break;
    at = inner;
  }
  return at.type === 'expression_list' || at.type === 'pattern_list'
    ? asTuple(source, at.children)
    : expressionText(source, at);
}

const KEEPS_PARENTHESES: ReadonlySet<string> = new Set([
  'named_expression',
  'yield',
  'list_splat',
  'as_pattern',
]);

/** Elements and the commas between them, as `(a, b)` or `(a,)`. */
function asTuple(source: string, children: readonly Syntax[]): string {
  const items = children.filter(({ type }) => type !== ',').map((child) => expressionText(source, child));
  return items.length === 1 ? `(${items[0]},)` : `(${items.join(', ')})`;
}

/** `open a, b close`; the last comma is dropped unless it makes the only element a tuple. */
function listText(source: string, node: Syntax): string {
  const open = node.children[0]?.type ?? '';
  const close = node.children.at(-1)?.type ?? '';
  const inner = node.children.slice(1, -1);
  const items = inner.filter(({ type }) => type !== ',').map((child) => expressionText(source, child));
  const needsComma =
    items.length === 1 && COMMA_COUNTS.has(node.type) && inner.some(({ type }) => type === ',');
  return `${open}${items.join(', ')}${needsComma ? ',' : ''}${close}`;
}

const COMMA_COUNTS: ReadonlySet<string> = new Set(['tuple', 'tuple_pattern', 'type_parameter']);

type Write = (source: string, node: Syntax) => string;

const glued: Write = (source, node) => node.children.map((child) => expressionText(source, child)).join('');

const spaced: Write = (source, node) => {
  if (node.children.length === 0 && node.type !== 'dict_pattern') return textOf(source, node);
  let text = '';
  for (const child of node.children) {
    const part = expressionText(source, child);
    text += text === '' || child.type === ',' || child.type === ':' ? part : ` ${part}`;
  }
  return text;
};

/** An assignment's or yield's operand is a whole value; its target is not. */
const assigning: Write = (source, node) => {
  let text = '';
  for (const child of node.children) {
    const whole = child.field === 'right' || (node.type === 'yield' && child.named);
    const part = whole ? valueText(source, child) : expressionText(source, child);
    text += text === '' || child.type === ':' ? part : ` ${part}`;
  }
  return text;
};

const bracketed: Write = (source, node) => {
  const inner = node.children.slice(1, -1).map((child) => expressionText(source, child));
  return `${node.children[0]?.type ?? ''}${inner.join(' ')}${node.children.at(-1)?.type ?? ''}`;
};

const subscript: Write = (source, node) => {
  const [value, , ...rest] = node.children;
  const inner = rest.slice(0, -1);
  const items = inner.filter(({ type }) => type !== ',').map((child) => expressionText(source, child));
  const comma = items.length === 1 && inner.some(({ type }) => type === ',') ? ',' : '';
  return `${value === undefined ? '' : expressionText(source, value)}[${items.join(', ')}${comma}]`;
};

const lambda: Write = (source, node) => {
  const [parameters, body] = [partsOf(node).at(-2), partsOf(node).at(-1)];
  const list = parameters === undefined ? '' : ` ${lambdaParameters(source, parameters)}`;
  return `lambda${list}: ${body === undefined ? '' : expressionText(source, body)}`;
};

function lambdaParameters(source: string, node: Syntax): string {
  return partsOf(node)
    .map((child) => expressionText(source, child))
    .join(', ');
}

const typedDefault: Write = (source, node) => {
  const [name, type, value] = partsOf(node).map((child) => expressionText(source, child));
  return `${name}: ${type}=${value}`;
};

/** Writes integers in decimal. Very long ones are not converted, because the conversion is quadratic. */
const integer: Write = (source, node) => {
  const text = textOf(source, node).replaceAll('_', '').toLowerCase();
  return text.endsWith('j') || text.length > 300 ? text : BigInt(text).toString();
};

const strings: Write = (source, node) =>
  normalizeStrings(source, node.type === 'string' ? [node] : partsOf(node), (part) =>
    expressionText(source, part),
  );

/** Writes a left-leaning chain without recursion, so that a long sum cannot exhaust the stack. */
const chain: Write = (source, node) => {
  const tail: string[] = [];
  let at = node;
  while (at.type === 'binary_operator' || at.type === 'boolean_operator') {
    const [left, operator, right] = at.children;
    if (left === undefined || operator === undefined || right === undefined) break;
    tail.push(expressionText(source, right), operator.type);
    at = left;
  }
  return [expressionText(source, at), ...tail.reverse()].join(' ');
};

const WRITES: Readonly<Record<string, Write | undefined>> = {
  identifier: nameOf,
  integer,
  float: (source, node) => textOf(source, node).replaceAll('_', '').toLowerCase(),
  string: strings,
  concatenated_string: strings,
  dotted_name: glued,
  attribute: (source, node) => {
    const [object, , member] = node.children.map((child) => expressionText(source, child));
    // `3.real` would be a number followed by a name.
    return `${object}${/^\d+$/.test(object ?? '') ? ' ' : ''}.${member}`;
  },
  member_type: glued,
  call: glued,
  unary_operator: glued,
  keyword_argument: glued,
  default_parameter: glued,
  keyword_pattern: glued,
  splat_pattern: glued,
  splat_type: glued,
  list_splat: glued,
  list_splat_pattern: glued,
  dictionary_splat: glued,
  dictionary_splat_pattern: glued,
  slice: glued,
  generic_type: glued,
  typed_default_parameter: typedDefault,
  argument_list: listText,
  parameters: listText,
  type_parameter: listText,
  list: listText,
  set: listText,
  dictionary: listText,
  tuple: listText,
  tuple_pattern: listText,
  list_pattern: listText,
  dict_pattern: (source, node) => `{${spaced(source, { ...node, children: node.children.slice(1, -1) })}}`,
  parenthesized_expression: bracketed,
  list_comprehension: bracketed,
  set_comprehension: bracketed,
  dictionary_comprehension: bracketed,
  generator_expression: bracketed,
  class_pattern: (source, node) => {
    const [type, ...rest] = node.children;
    const name = type === undefined ? '' : expressionText(source, type);
    return name + listText(source, { ...node, children: rest });
  },
  with_clause: (source, node) =>
    node.children[0]?.type === '(' ? listText(source, node) : spaced(source, node),
  decorator: (source, node) =>
    node.children.map((child) => (child.named ? valueText(source, child) : child.type)).join(''),
  assignment: assigning,
  augmented_assignment: assigning,
  yield: assigning,
  subscript,
  lambda,
  binary_operator: chain,
  boolean_operator: chain,
};

function expressionText(source: string, node: Syntax): string {
  // The type of a keyword or sign is its text. `yield` and `lambda` are also the types of named nodes.
  if (!node.named) return node.type;
  return (WRITES[node.type] ?? spaced)(source, node);
}
