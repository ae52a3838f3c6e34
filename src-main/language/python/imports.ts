import { fieldOf, partsOf, type Syntax, textOf } from './syntax.ts';

/**
 * The top-level modules a program imports while it runs, outside function bodies: what a warm interpreter
 * may load beforehand. Sorted; relative imports name no module of their own.
 */
export function readImports({
  text,
  root,
}: {
  readonly text: string;
  readonly root: Syntax;
}): readonly string[] {
  const found = new Set<string>();
  collect(text, root, found);
  return [...found].sort();
}

/** The names imports bind where a cell's own names are bound. Sorted. */
export function readImportedNames({
  text,
  root,
}: {
  readonly text: string;
  readonly root: Syntax;
}): readonly string[] {
  const found = new Set<string>();
  collectNames(text, root, found);
  return [...found].sort();
}

function collectNames(source: string, node: Syntax, found: Set<string>): void {
  if (node.type === 'import_statement' || node.type === 'import_from_statement') {
    const module = fieldOf(node, 'module_name');
    for (const part of partsOf(node)) {
      if (part === module) continue;
      const bound = part.type === 'aliased_import' ? fieldOf(part, 'alias') : partsOf(part)[0];
      if (bound !== undefined) found.add(textOf(source, bound));
    }
    return;
  }
  // A class has names of its own.
  if (node.type.startsWith('class_')) return;
  for (const child of node.children)
    if (HOLDS_STATEMENTS.test(child.type)) collectNames(source, child, found);
}

function collect(source: string, node: Syntax, found: Set<string>): void {
  if (node.type === 'import_statement') {
    for (const part of partsOf(node)) {
      const name = part.type === 'aliased_import' ? fieldOf(part, 'name') : part;
      if (name !== undefined) addModule(source, name, found);
    }
    return;
  }
  if (node.type === 'import_from_statement') {
    const module = fieldOf(node, 'module_name');
    if (module?.type === 'dotted_name') addModule(source, module, found);
    return;
  }
  for (const child of node.children) if (HOLDS_STATEMENTS.test(child.type)) collect(source, child, found);
}

/** Every node type that can hold an import which runs with the cell. */
const HOLDS_STATEMENTS =
  /^(import_|block$|.*_clause$|(if|for|while|try|with|match)_statement$|class_|decorated_)/;

function addModule(source: string, dotted: Syntax, found: Set<string>): void {
  const [first] = partsOf(dotted);
  if (first !== undefined) found.add(textOf(source, first));
}
