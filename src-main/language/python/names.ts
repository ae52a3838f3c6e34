import { PYTHON_BUILTINS } from './builtins.ts';
import { visitComprehension } from './comprehension.ts';
import { visitClass, visitFunction, visitLambda, visitTypeAlias } from './definitions.ts';
import { visitPattern } from './pattern.ts';
import { bindName, emptyModuleNames, type ModuleNames, openScope, readName, type Scope } from './scope.ts';
import { fieldOf, nameOf, partsOf, rootName, type Syntax, textOf } from './syntax.ts';
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

/** The names of a cell, all sorted, none with a leading `_` (semantics 2.1). */
export interface CellNames {
  readonly defines: readonly string[];
  readonly references: readonly string[];
  readonly mutationDefines: readonly string[];
  readonly builtinReferences: readonly string[];
}

/** Reads a program's names. */
export function readNames({ text, root }: { readonly text: string; readonly root: Syntax }): CellNames {
  const walk: Walk = {
    source: text,
    module: emptyModuleNames(),
    readsAnnotations: !postponesAnnotations(text, root),
    visits: VISITS,
  };
  visit(walk, root, openScope('module', null));
  return summarize(walk.module);
}

/** Reads one statement at a time into names of its own, as if nothing stood around it. */
export function statementReader({
  text,
  root,
}: {
  readonly text: string;
  readonly root: Syntax;
}): (statement: Syntax) => ModuleNames {
  const readsAnnotations = !postponesAnnotations(text, root);
  return (statement) => {
    const module = emptyModuleNames();
    visit({ source: text, module, readsAnnotations, visits: VISITS }, statement, openScope('module', null));
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

function summarize(module: ModuleNames): CellNames {
  const { bound, declared, globalWrites, changedInPlace, earlyReads, lateReads, anyReads } = module;
  const mutated = new Set([...changedInPlace].filter((name) => !bound.has(name)));
  const references = new Set([...earlyReads, ...[...lateReads].filter((name) => !bound.has(name))]);
  for (const name of globalWrites) {
    if (bound.has(name)) continue;
    if (lateReads.has(name) || anyReads.has(name)) mutated.add(name);
    else references.delete(name);
  }
  const visible = (names: Iterable<string>) =>
    [...new Set(names)].filter((name) => !name.startsWith('_')).sort();
  return {
    defines: visible([...bound, ...declared, ...globalWrites, ...changedInPlace]),
    references: visible(references).filter((name) => !PYTHON_BUILTINS.has(name)),
    mutationDefines: visible(mutated),
    builtinReferences: visible(references).filter((name) => PYTHON_BUILTINS.has(name)),
  };
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

/** `x: int` makes the name local in a function and announces it in a module, but binds nothing. */
function declare(walk: Walk, target: Syntax, scope: Scope): void {
  if (target.type !== 'identifier') {
    if (target.type === 'subscript' || target.type === 'attribute')
      visitAll(walk, target.children.slice(0, 1), scope);
    return;
  }
  const name = nameOf(walk.source, target);
  if (scope.kind === 'module') walk.module.declared.add(name);
  else if (scope.kind === 'function') bindName(walk.module, scope, name);
  else scope.declared.add(name);
}

const visitCall: Visit = (walk, node, scope) => {
  const callee = fieldOf(node, 'function');
  const given = fieldOf(node, 'arguments');
  if (scope.kind === 'module' && callee?.type === 'attribute' && given?.type === 'argument_list') {
    const root = rootName(walk.source, callee);
    if (root !== null && given.children.some((argument) => saysInPlace(walk.source, argument))) {
      walk.module.changedInPlace.add(root);
    }
  }
  visitAll(walk, node.children, scope);
};

function saysInPlace(source: string, argument: Syntax): boolean {
  if (argument.type !== 'keyword_argument') return false;
  const name = fieldOf(argument, 'name');
  return (
    name !== undefined && textOf(source, name) === 'inplace' && fieldOf(argument, 'value')?.type === 'true'
  );
}

/** Long chains lean to the left; walked without recursion so that a long sum cannot exhaust the stack. */
const visitChain: Visit = (walk, node, scope) => {
  const rights: Syntax[] = [];
  let at = node;
  while (at.type === 'binary_operator' || at.type === 'boolean_operator') {
    const left = fieldOf(at, 'left');
    const right = fieldOf(at, 'right');
    if (left === undefined || right === undefined) break;
    rights.push(right);
    at = left;
  }
  visit(walk, at, scope);
  for (const right of rights.reverse()) visit(walk, right, scope);
};

const visitImport: Visit = (walk, node, scope) => {
  if (node.type === 'future_import_statement') return;
  for (const part of node.children) {
    if (part.field !== 'name') continue;
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
  conditional_expression: (walk, node, scope) => {
    const [value, test, otherwise] = partsOf(node);
    for (const part of [test, value, otherwise]) if (part !== undefined) visit(walk, part, scope);
  },
  for_statement: (walk, node, scope) => {
    visitField(walk, node, 'right', scope);
    const left = fieldOf(node, 'left');
    if (left !== undefined) bindTarget(walk, left, scope);
    visitField(walk, node, 'body', scope);
    visitField(walk, node, 'alternative', scope);
  },
  as_pattern: (walk, node, scope) => {
    const [value] = partsOf(node);
    if (value !== undefined) visit(walk, value, scope);
    const alias = fieldOf(node, 'alias');
    if (alias !== undefined) bindTarget(walk, alias, scope);
  },
  case_clause: (walk, node, scope) => {
    for (const part of partsOf(node)) {
      if (part.type === 'case_pattern') visitPattern(walk, part, scope);
      else visit(walk, part, scope);
    }
  },
  list_comprehension: visitComprehension,
  set_comprehension: visitComprehension,
  dictionary_comprehension: visitComprehension,
  generator_expression: visitComprehension,
  binary_operator: visitChain,
  boolean_operator: visitChain,
  call: visitCall,
  lambda: visitLambda,
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
