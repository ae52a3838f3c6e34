/** The walk over a cell's syntax tree that reads its names: its shared state, and the functions that visit nodes. */

import { bindName, type ModuleNames, type Scope } from './scope.ts';
import { fieldOf, nameOf, partsOf, rootName, type Syntax } from './syntax.ts';

/** The state that all visits of one program share. */
export interface Walk {
  readonly source: string;
  readonly module: ModuleNames;
  /** False under `from __future__ import annotations`: annotations are then never evaluated. */
  readonly readsAnnotations: boolean;
  /** Node types whose children do not simply run in order. */
  readonly visits: Readonly<Record<string, Visit | undefined>>;
  /** Names that a call looks up through a string. */
  readonly texts: ReadonlyMap<Syntax, readonly string[]>;
}

/** Records the names that a node reads and binds, in the order Python would. */
export type Visit = (walk: Walk, node: Syntax, scope: Scope) => void;

/** Visits one node, by the function for its type if it has one. */
export function visit(walk: Walk, node: Syntax, scope: Scope): void {
  const special = walk.visits[node.type];
  if (special !== undefined) special(walk, node, scope);
  else visitAll(walk, node.children, scope);
}

/** Visits nodes in order; keywords and punctuation are skipped. */
export function visitAll(walk: Walk, nodes: readonly Syntax[], scope: Scope): void {
  for (const node of nodes) if (node.named) visit(walk, node, scope);
}

/** Visits the child of a node with this role, if there is one. */
export function visitField(walk: Walk, node: Syntax, field: string, scope: Scope): void {
  const child = fieldOf(node, field);
  if (child !== undefined) visit(walk, child, scope);
}

/** Visits an annotation, unless Python never evaluates it. */
export function visitAnnotation(walk: Walk, node: Syntax | undefined, scope: Scope): void {
  if (node !== undefined && walk.readsAnnotations) visit(walk, node, scope);
}

/** Records that a node binds its name in a scope. */
export function bind(walk: Walk, node: Syntax | undefined, scope: Scope): void {
  if (node !== undefined) bindName(walk.module, scope, nameOf(walk.source, node));
}

/** Assigning to an attribute or subscript changes its root name in place, if the assignment is at module level. */
function changeInPlace(walk: Walk, node: Syntax, scope: Scope): void {
  const root = rootName(walk.source, node);
  if (root !== null && scope.kind === 'module') walk.module.changedInPlace.add(root);
  visit(walk, node, scope);
}

export const bindTarget: Visit = (walk, node, scope) => {
  if (node.type === 'identifier') bind(walk, node, scope);
  else if (node.type === 'subscript' || node.type === 'attribute') changeInPlace(walk, node, scope);
  else for (const part of partsOf(node)) bindTarget(walk, part, scope);
};
