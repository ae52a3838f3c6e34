/** Finds names that a Python cell reads and that no cell defines, for a warning before it runs. */

import { LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';
import type { Cell } from '../../src-shared/wire/cell.ts';
import type { NotebookModel } from './notebookModel.ts';

/** Names that the harness adds to every cell (docs/spec/harness.md, 2), and those that every module has. */
const GIVEN: ReadonlySet<string> = new Set([
  'display',
  'Markdown',
  '__name__',
  '__file__',
  '__doc__',
  '__builtins__',
]);

/** Code that may define names in ways that analysis of the text cannot find. */
const MAKES_NAMES = /\bimport\s*\*|\b(exec|eval|globals|locals|vars)\s*\(|\bNameError\b/;

/**
 * Names that a Python cell reads and that no cell defines, so that running it would end in a NameError. Only certain
 * cases are reported: a name that any cell defines, even one below, is not.
 */
export function unboundNames(model: NotebookModel, cell: Cell): readonly string[] {
  if (!LANGUAGES[cell.language].hasServices || !cell.variant_active || MAKES_NAMES.test(cell.source))
    return [];
  const { annotations, builtin_references, mounts } = cell;
  const knownNames = new Set([
    ...GIVEN,
    ...builtin_references,
    ...cell.defines,
    ...cell.mutation_defines,
    ...mounts.map(({ name }) => name),
    ...annotations.mounts.map(({ name }) => name),
    ...annotations.tables.map(({ name }) => name),
    ...(annotations.loop === null ? [] : [annotations.loop.carry]),
  ]);
  const unknown = cell.references.filter((name) => !knownNames.has(name));
  if (unknown.length === 0) return unknown;
  const defined = new Set(model.order.flatMap((id) => model.cells[id]?.cell.defines ?? []));
  // Annotations for fetched files and datasets are not part of the frames, so the text is searched for them.
  return unknown.filter((name) => !defined.has(name) && !isAnnotated(cell.source, name));
}

/** Whether a comment line with an annotation contains the name. */
function isAnnotated(source: string, name: string): boolean {
  return source.split('\n').some((line) => /^\s*#\s*@/.test(line) && line.split(/\W+/).includes(name));
}
