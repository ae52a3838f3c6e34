/** Visits functions, classes, lambdas and type aliases in a cell's syntax tree, for names.ts. */

import { closeClass, closeFunction, openScope, readName, type Scope } from './scope.ts';
import { fieldOf, nameOf, partsOf, type Syntax } from './syntax.ts';
import { bind, type Visit, visit, visitAll, visitAnnotation, visitField, type Walk } from './walk.ts';

export const visitFunction: Visit = (walk, node, scope) => {
  const parameters = fieldOf(node, 'parameters');
  for (const parameter of parameters === undefined ? [] : partsOf(parameters)) {
    visitField(walk, parameter, 'value', scope);
  }
  const around = typeScope(walk, node, scope);
  for (const parameter of parameters === undefined ? [] : partsOf(parameters)) {
    visitAnnotation(walk, fieldOf(parameter, 'type'), around);
  }
  visitAnnotation(walk, fieldOf(node, 'return_type'), around);
  const body = openScope('function', around);
  if (parameters !== undefined) bindParameters(walk, parameters, body);
  walk.module.flow.aside(() => visitField(walk, node, 'body', body));
  closeFunction(walk.module, body);
  bind(walk, fieldOf(node, 'name'), scope);
};

export const visitLambda: Visit = (walk, node, scope) => {
  const parameters = fieldOf(node, 'parameters');
  const body = openScope('function', scope);
  if (parameters !== undefined) {
    for (const parameter of partsOf(parameters)) visitField(walk, parameter, 'value', scope);
    bindParameters(walk, parameters, body);
  }
  walk.module.flow.aside(() => visitField(walk, node, 'body', body));
  closeFunction(walk.module, body);
};

function bindParameters(walk: Walk, parameters: Syntax, body: Scope): void {
  for (const parameter of partsOf(parameters)) {
    let name: Syntax | undefined = parameter;
    while (name !== undefined && name.type !== 'identifier') {
      name = fieldOf(name, 'name') ?? partsOf(name)[0];
    }
    if (name !== undefined) body.bound.add(nameOf(walk.source, name));
  }
}

/** The scope of a definition's type parameters, or `scope` itself if it has none. */
function typeScope(walk: Walk, node: Syntax, scope: Scope): Scope {
  const parameters = fieldOf(node, 'type_parameters');
  return parameters === undefined ? scope : bindTypeParameters(walk, parameters, scope);
}

/** Bounds are evaluated lazily, so their reads are late. */
function bindTypeParameters(walk: Walk, parameters: Syntax, scope: Scope): Scope {
  const around = openScope('inner', scope, true);
  const bounds: Syntax[] = [];
  for (const parameter of partsOf(parameters)) {
    const inner = partsOf(parameter)[0] ?? parameter;
    if (inner.type === 'constrained_type') {
      const [name, ...rest] = partsOf(inner);
      addTypeName(walk, name, around);
      bounds.push(...rest);
    } else addTypeName(walk, inner, around);
  }
  const late = openScope('function', around);
  visitAll(walk, bounds, late);
  closeFunction(walk.module, late);
  return around;
}

function addTypeName(walk: Walk, node: Syntax | undefined, scope: Scope): void {
  let at = node;
  while (at !== undefined && at.type !== 'identifier') at = partsOf(at)[0];
  if (at !== undefined) scope.bound.add(nameOf(walk.source, at));
}

export const visitClass: Visit = (walk, node, scope) => {
  const around = typeScope(walk, node, scope);
  visitField(walk, node, 'superclasses', around);
  const body = openScope('class', around);
  visitField(walk, node, 'body', body);
  closeClass(walk.module, body);
  bind(walk, fieldOf(node, 'name'), scope);
};

/** `type X[T] = value`: the value is evaluated lazily. */
export const visitTypeAlias: Visit = (walk, node, scope) => {
  const left = fieldOf(node, 'left');
  const name = left === undefined ? undefined : partsOf(left)[0];
  const generic = name?.type === 'generic_type' ? partsOf(name) : [];
  if (name !== undefined && name.type !== 'identifier' && generic.length === 0) {
    // `type(x).y = value` is an assignment, which the grammar parses as an alias.
    visitField(walk, node, 'right', scope);
    readName(walk.module, scope, 'type');
    visit(walk, name, scope);
    return;
  }
  const parameters = generic.find(({ type }) => type === 'type_parameter');
  const around = parameters === undefined ? scope : bindTypeParameters(walk, parameters, scope);
  const late = openScope('function', around);
  visitField(walk, node, 'right', late);
  closeFunction(walk.module, late);
  bind(walk, generic[0] ?? name, scope);
};
