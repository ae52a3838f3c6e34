/**
 * Reads the names that a Python program defines and references: a walk over its syntax tree, in the order
 * Python would run it. branches.ts, definitions.ts, comprehension.ts and pattern.ts visit compound
 * constructs; scope.ts resolves names; flow.ts tracks which names certainly have a value.
 */

import { BRANCH_VISITS } from './branches.ts';
import { PYTHON_BUILTINS } from './builtins.ts';
import { visitComprehension } from './comprehension.ts';
import { visitClass, visitFunction, visitLambda, visitTypeAlias } from './definitions.ts';
import {
  bindName,
  emptyModuleNames,
  type ModuleNames,
  openScope,
  readIfDefinedAbove,
  readName,
  type Scope,
} from './scope.ts';
import { fieldOf, nameOf, partsOf, rootName, type Syntax, textOf } from './syntax.ts';
import type { TextUse } from './textUses.ts';
import {
  bind,
  bindTarget,
  type Visit,
  visit,
  visitAll,
  visitAnnotation,
  visitField,
  type Walk,
} from './walk.ts';

/** The names of a cell, sorted, without names with a leading `_` (docs/spec/analysis-and-graph.md, 1.1). */
export interface CellNames {
  readonly defines: readonly string[];
  readonly references: readonly string[];
  readonly mutationDefines: readonly string[];
  readonly builtinReferences: readonly string[];
}

/** Names that matter only if an earlier cell defines them; none of them is in `references`. */
export interface MaybeNames {
  /** Names read where the cell may not have bound them, or from a string, as in `df.query("a > @limit")`. */
  readonly maybeReferences: readonly string[];
  /** Names that the cell defines, but may not have assigned when it ends, as after `if c: x = 1`. */
  readonly maybeDefines: readonly string[];
  /** Names with a leading `_` that the cell reads and does not bind; they are never shared. */
  readonly privateReferences: readonly string[];
  /** Names with a leading `_` that the cell binds. */
  readonly privateDefines: readonly string[];
}

interface Program {
  readonly text: string;
  readonly root: Syntax;
}

/** Reads a program's names. @param texts the places where strings name variables */
export function readNames({ text, root }: Program, texts: readonly TextUse[] = []): CellNames & MaybeNames {
  const walk: Walk = {
    source: text,
    module: emptyModuleNames(),
    readsAnnotations: !postponesAnnotations(text, root),
    visits: VISITS,
    texts: new Map(texts.map(({ node, names }) => [node, names])),
  };
  visit(walk, root, openScope('module', null));
  return summarize(walk.module);
}

/** Reads each statement on its own, without the statements around it. */
export function statementReader({ text, root }: Program): (statement: Syntax) => ModuleNames {
  const readsAnnotations = !postponesAnnotations(text, root);
  const shared = { source: text, readsAnnotations, visits: VISITS, texts: new Map() };
  return (statement) => {
    const module = emptyModuleNames();
    visit({ ...shared, module }, statement, openScope('module', null));
    return module;
  };
}

function postponesAnnotations(source: string, root: Syntax): boolean {
  return root.children.some(
    (node) =>
      node.type === 'future_import_statement' &&
      partsOf(node).some((part) => {
        const name = part.type === 'aliased_import' ? fieldOf(part, 'name') : part;
        return name !== undefined && textOf(source, name) === 'annotations';
      }),
  );
}

function summarize(module: ModuleNames): CellNames & MaybeNames {
  const { bound, globalWrites, changedInPlace, earlyReads, lateReads, anyReads } = module;
  const mutated = new Set([...changedInPlace].filter((name) => !bound.has(name)));
  const references = new Set([...earlyReads, ...[...lateReads].filter((name) => !bound.has(name))]);
  for (const name of globalWrites) {
    if (bound.has(name)) continue;
    if (lateReads.has(name) || anyReads.has(name)) mutated.add(name);
    else references.delete(name);
  }
  const defines = new Set([...bound, ...globalWrites, ...changedInPlace]);
  return {
    defines: visible(defines),
    references: visible(references).filter((name) => !PYTHON_BUILTINS.has(name)),
    mutationDefines: visible(mutated),
    builtinReferences: visible(references).filter((name) => PYTHON_BUILTINS.has(name)),
    ...maybeNames(module, references),
    privateReferences: hidden(references).filter((name) => !bound.has(name)),
    privateDefines: hidden(defines),
  };
}

function maybeNames(
  { bound, globalWrites, lateReads, unsureReads, textReads, flow }: ModuleNames,
  references: ReadonlySet<string>,
): Pick<MaybeNames, 'maybeReferences' | 'maybeDefines'> {
  const reads = new Set([
    ...unsureReads,
    ...[...lateReads].filter(
      (name) => bound.has(name) && (flow.wasReadLate(name) || !flow.isSureAtEnd(name)),
    ),
    ...[...textReads].filter((name) => !flow.isSureAtEnd(name)),
  ]);
  const unsure = [...bound, ...globalWrites].filter((name) => !flow.isSureAtEnd(name) && !reads.has(name));
  const isNew = (name: string) => !references.has(name);
  return { maybeReferences: visible(reads).filter(isNew), maybeDefines: visible(unsure).filter(isNew) };
}

function visible(names: Iterable<string>): readonly string[] {
  return [...new Set(names)].filter((name) => !name.startsWith('_')).sort();
}

/** The names that begin with `_`, but not `_` and names such as `__name__`. */
function hidden(names: Iterable<string>): readonly string[] {
  return [...new Set(names)].filter((name) => /^_./.test(name) && !/^__.*__$/.test(name)).sort();
}

/** `a = b = value`: the value runs first, then the targets from left to right. */
const visitAssignment: Visit = (walk, node, scope) => {
  const targets: Syntax[] = [];
  let at = node;
  for (;;) {
    const left = fieldOf(at, 'left');
    const type = fieldOf(at, 'type');
    const right = fieldOf(at, 'right');
    if (left === undefined) return;
    visitAnnotation(walk, type, scope);
    if (right === undefined) {
      declare(walk, left, scope);
      return;
    }
    targets.push(left);
    if (right.type !== 'assignment') {
      visit(walk, right, scope);
      break;
    }
    at = right;
  }
  for (const target of targets) bindTarget(walk, target, scope);
};

/** `x: int` makes the name local in a function; at module level it binds nothing. */
function declare(walk: Walk, target: Syntax, scope: Scope): void {
  if (target.type !== 'identifier') {
    if (target.type === 'subscript' || target.type === 'attribute')
      visitAll(walk, target.children.slice(0, 1), scope);
    return;
  }
  const name = nameOf(walk.source, target);
  if (scope.kind === 'function') bindName(walk.module, scope, name);
  else scope.declared.add(name);
}

const visitCall: Visit = (walk, node, scope) => {
  const callee = fieldOf(node, 'function');
  const argumentList = fieldOf(node, 'arguments');
  if (scope.kind === 'module' && callee?.type === 'attribute' && argumentList?.type === 'argument_list') {
    const root = rootName(walk.source, callee);
    if (root !== null && argumentList.children.some((argument) => isInPlaceTrue(walk.source, argument))) {
      walk.module.changedInPlace.add(root);
    }
  }
  visitAll(walk, node.children, scope);
  for (const name of walk.texts.get(node) ?? []) readIfDefinedAbove(walk.module, scope, name);
  if (callee !== undefined && ENDS_CELL.test(textOf(walk.source, callee))) walk.module.flow.exit();
  walk.module.flow.call();
};

/** Calls that end the cell without an error. */
const ENDS_CELL = /^(sys\.exit|exit|quit)$/;

function isInPlaceTrue(source: string, argument: Syntax): boolean {
  if (argument.type !== 'keyword_argument') return false;
  const name = fieldOf(argument, 'name');
  return (
    name !== undefined && textOf(source, name) === 'inplace' && fieldOf(argument, 'value')?.type === 'true'
  );
}

/** Walks a left-leaning chain without recursion, so that a long sum cannot exhaust the stack. */
const visitChain: Visit = (walk, node, scope) => {
  const rights: { readonly right: Syntax; readonly isCertain: boolean }[] = [];
  let at = node;
  while (at.type === 'binary_operator' || at.type === 'boolean_operator') {
    const left = fieldOf(at, 'left');
    const right = fieldOf(at, 'right');
    if (left === undefined || right === undefined) break;
    // `a and b` may not evaluate b.
    rights.push({ right, isCertain: at.type === 'binary_operator' });
    at = left;
  }
  visit(walk, at, scope);
  for (const { right, isCertain } of rights.reverse()) {
    if (isCertain) visit(walk, right, scope);
    else walk.module.flow.maybe(() => visit(walk, right, scope));
  }
};

const visitImport: Visit = (walk, node, scope) => {
  if (node.type === 'future_import_statement') return;
  for (const part of node.children) {
    if (part.field !== 'name') continue;
    // `import a.b` adds to a module `a` that a cell above may have imported with other parts.
    const [top, ...below] = partsOf(part);
    if (
      part.type === 'dotted_name' &&
      node.type === 'import_statement' &&
      below.length > 0 &&
      top !== undefined
    )
      if (scope.kind === 'module') readIfDefinedAbove(walk.module, scope, nameOf(walk.source, top));
    bind(walk, part.type === 'aliased_import' ? fieldOf(part, 'alias') : partsOf(part)[0], scope);
  }
};

const declareNames =
  (kind: 'globals' | 'nonlocals'): Visit =>
  (walk, node, scope) => {
    for (const part of partsOf(node)) scope[kind].add(nameOf(walk.source, part));
  };

const visitDelete: Visit = (walk, node, scope) => {
  visitAll(walk, node.children, scope);
  if (scope.kind === 'function') for (const part of partsOf(node)) bindDeleted(walk, part, scope);
};

/** `del x` makes a name local to its function, as binding it would. */
function bindDeleted(walk: Walk, node: Syntax, scope: Scope): void {
  if (node.type === 'identifier') bind(walk, node, scope);
  else if (node.type !== 'subscript' && node.type !== 'attribute') {
    for (const part of partsOf(node)) bindDeleted(walk, part, scope);
  }
}

/** Node types whose children do not simply run in order. */
const VISITS: Readonly<Record<string, Visit | undefined>> = {
  ...BRANCH_VISITS,
  identifier: (walk, node, scope) => readName(walk.module, scope, nameOf(walk.source, node)),
  attribute: (walk, node, scope) => visitField(walk, node, 'object', scope),
  member_type: (walk, node, scope) => visitAll(walk, partsOf(node).slice(0, 1), scope),
  keyword_argument: (walk, node, scope) => visitField(walk, node, 'value', scope),
  assignment: visitAssignment,
  augmented_assignment: (walk, node, scope) => {
    const left = fieldOf(node, 'left');
    if (left !== undefined) visit(walk, left, scope);
    visitField(walk, node, 'right', scope);
    if (left !== undefined) bindTarget(walk, left, scope);
  },
  named_expression: (walk, node, scope) => {
    visitField(walk, node, 'value', scope);
    bind(walk, fieldOf(node, 'name'), scope);
  },
  as_pattern: (walk, node, scope) => {
    const [value] = partsOf(node);
    if (value !== undefined) visit(walk, value, scope);
    const alias = fieldOf(node, 'alias');
    if (alias !== undefined) bindTarget(walk, alias, scope);
  },
  list_comprehension: visitComprehension,
  set_comprehension: visitComprehension,
  dictionary_comprehension: visitComprehension,
  generator_expression: visitComprehension,
  binary_operator: visitChain,
  boolean_operator: visitChain,
  call: visitCall,
  lambda: visitLambda,
  // A decorator may call the function.
  decorated_definition: (walk, node, scope) => {
    visitAll(walk, node.children, scope);
    walk.module.flow.call();
  },
  function_definition: visitFunction,
  class_definition: visitClass,
  type_alias_statement: visitTypeAlias,
  import_statement: visitImport,
  import_from_statement: visitImport,
  future_import_statement: visitImport,
  global_statement: declareNames('globals'),
  nonlocal_statement: declareNames('nonlocals'),
  delete_statement: visitDelete,
  print_statement: (walk, node, scope) => {
    readName(walk.module, scope, 'print');
    visitAll(walk, node.children, scope);
  },
};
