/** Reads the import statements of a cell: the modules they load, and the names they bind. */

import { fieldOf, partsOf, type Syntax, textOf } from './syntax.ts';

/**
 * The top-level modules that a program imports outside function bodies: a warm interpreter may load them in advance.
 * Sorted, without relative imports.
 */
export function readImports({
  text,
  root,
}: {
  readonly text: string;
  readonly root: Syntax;
}): readonly string[] {
  const modules = new Set<string>();
  collect(text, root, modules);
  return [...modules].sort();
}

/** The names that a cell's imports bind at module level, sorted. */
export function readImportedNames({
  text,
  root,
}: {
  readonly text: string;
  readonly root: Syntax;
}): readonly string[] {
  const names = new Set<string>();
  collectNames(text, root, names);
  return [...names].sort();
}

function collectNames(source: string, node: Syntax, names: Set<string>): void {
  if (node.type === 'import_statement' || node.type === 'import_from_statement') {
    const module = fieldOf(node, 'module_name');
    for (const part of partsOf(node)) {
      if (part === module) continue;
      const target = part.type === 'aliased_import' ? fieldOf(part, 'alias') : partsOf(part)[0];
      if (target !== undefined) names.add(textOf(source, target));
    }
    return;
  }
  // A class body has its own names.
  if (node.type.startsWith('class_')) return;
  for (const child of node.children)
    if (HOLDS_STATEMENTS.test(child.type)) collectNames(source, child, names);
}

function collect(source: string, node: Syntax, modules: Set<string>): void {
  if (node.type === 'import_statement') {
    for (const part of partsOf(node)) {
      const name = part.type === 'aliased_import' ? fieldOf(part, 'name') : part;
      if (name !== undefined) addModule(source, name, modules);
    }
    return;
  }
  if (node.type === 'import_from_statement') {
    const module = fieldOf(node, 'module_name');
    if (module?.type === 'dotted_name') addModule(source, module, modules);
    return;
  }
  for (const child of node.children) if (HOLDS_STATEMENTS.test(child.type)) collect(source, child, modules);
}

/** Node types that can contain an import that runs with the cell. */
const HOLDS_STATEMENTS =
  /^(import_|block$|.*_clause$|(if|for|while|try|with|match)_statement$|class_|decorated_)/;

function addModule(source: string, dotted: Syntax, modules: Set<string>): void {
  const [first] = partsOf(dotted);
  if (first !== undefined) modules.add(textOf(source, first));
}
