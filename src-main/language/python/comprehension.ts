/** Visits comprehensions in a cell's syntax tree, for names.ts. */

import { openScope, type Scope } from './scope.ts';
import { fieldOf, nameOf, partsOf, type Syntax } from './syntax.ts';
import { type Visit, visit, visitAll, visitField, type Walk } from './walk.ts';

/** The first iterable is evaluated in the enclosing scope; targets are local to the whole comprehension. */
export const visitComprehension: Visit = (walk, node, scope) => {
  const inner = openScope('inner', scope);
  const clauses = node.children.filter(({ type }) => type === 'for_in_clause' || type === 'if_clause');
  for (const [at, clause] of clauses.entries()) {
    if (clause.type !== 'for_in_clause') continue;
    if (at === 0) visitIterables(walk, clause, scope);
    bindLocals(walk, fieldOf(clause, 'left'), inner);
  }
  // The iterable may be empty.
  walk.module.flow.maybe(() => {
    for (const [at, clause] of clauses.entries()) {
      if (clause.type === 'if_clause') visitAll(walk, clause.children, inner);
      else {
        if (at > 0) visitIterables(walk, clause, inner);
        visitTargetReads(walk, fieldOf(clause, 'left'), inner);
      }
    }
    visitField(walk, node, 'body', inner);
  });
};

function visitIterables(walk: Walk, clause: Syntax, scope: Scope): void {
  for (const child of clause.children) if (child.field === 'right' && child.named) visit(walk, child, scope);
}

function bindLocals(walk: Walk, target: Syntax | undefined, inner: Scope): void {
  if (target === undefined || target.type === 'subscript' || target.type === 'attribute') return;
  if (target.type === 'identifier') inner.bound.add(nameOf(walk.source, target));
  else for (const part of partsOf(target)) bindLocals(walk, part, inner);
}

function visitTargetReads(walk: Walk, target: Syntax | undefined, inner: Scope): void {
  if (target === undefined || target.type === 'identifier') return;
  if (target.type === 'subscript' || target.type === 'attribute') visit(walk, target, inner);
  else for (const part of partsOf(target)) visitTargetReads(walk, part, inner);
}
