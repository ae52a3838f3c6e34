/** Finds the calls in a cell that seed random number generators, such as `np.random.seed(1)`. */

import { fieldOf, nameOf, partsOf, type Syntax, textOf } from './syntax.ts';

/** A call that sets the state of a process-wide random number generator. */
export interface SeedCall {
  /** The called function as written in the program: `np.random.seed`. */
  readonly call: string;
  /** The line in the cell, from 1. */
  readonly line: number;
}

/** Functions that seed a process-wide generator. `numpy.random.default_rng` is not one: it creates a generator. */
const SEEDS: ReadonlySet<string> = new Set([
  'random.seed',
  'random.setstate',
  'numpy.random.seed',
  'numpy.random.set_state',
  'torch.manual_seed',
  'torch.seed',
  'torch.set_rng_state',
  'torch.random.manual_seed',
  'torch.cuda.manual_seed',
  'torch.cuda.manual_seed_all',
  'torch.mps.manual_seed',
  'tensorflow.random.set_seed',
  'tensorflow.keras.utils.set_random_seed',
  'keras.utils.set_random_seed',
  'transformers.set_seed',
  'lightning.seed_everything',
  'lightning.pytorch.seed_everything',
  'pytorch_lightning.seed_everything',
]);

/** The calls of a program that seed a process-wide generator, also through imports under another name. */
export function readSeedCalls({
  text,
  root,
}: {
  readonly text: string;
  readonly root: Syntax;
}): readonly SeedCall[] {
  if (!/seed|state/.test(text)) return [];
  const names = new Map<string, string>();
  collectImports(text, root, names);
  const calls: SeedCall[] = [];
  collectCalls(text, root, { names, calls });
  return calls;
}

function collectImports(source: string, node: Syntax, names: Map<string, string>): void {
  if (node.type === 'import_statement' || node.type === 'import_from_statement') {
    const module = fieldOf(node, 'module_name');
    const from = module === undefined ? '' : `${textOf(source, module)}.`;
    for (const part of partsOf(node)) {
      if (part === module) continue;
      const isRenamed = part.type === 'aliased_import';
      const name = textOf(source, (isRenamed ? fieldOf(part, 'name') : part) ?? part);
      const alias = isRenamed ? fieldOf(part, 'alias') : undefined;
      // `import a.b` binds `a`, which needs no entry.
      if (alias !== undefined) names.set(nameOf(source, alias), from + name);
      else if (from !== '') names.set(name, from + name);
    }
    return;
  }
  for (const child of node.children) if (child.children.length > 0) collectImports(source, child, names);
}

function collectCalls(
  source: string,
  node: Syntax,
  into: { readonly names: ReadonlyMap<string, string>; readonly calls: SeedCall[] },
): void {
  const callee = node.type === 'call' ? fieldOf(node, 'function') : undefined;
  if (callee !== undefined) {
    const call = textOf(source, callee).replace(/\s+/g, '');
    const [head = '', ...rest] = call.split('.');
    const dotted = [into.names.get(head) ?? head, ...rest].join('.');
    if (SEEDS.has(dotted)) into.calls.push({ call, line: lineOf(source, node) });
  }
  for (const child of node.children) if (child.children.length > 0) collectCalls(source, child, into);
}

function lineOf(source: string, node: Syntax): number {
  return source.slice(0, node.start).split('\n').length;
}
