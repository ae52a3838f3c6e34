/**
 * Finds the local modules (Python files of the notebook's folder) that cells import, and computes their part in the
 * cells' keys.
 */

import { closureOf, type ModuleFile } from '../../language/modules/closure.ts';
import type { CellState, ExpectedRun, SessionState } from '../state/state.ts';
import { importableModuleNames } from './setupCell.ts';

/**
 * The module names that the cells import, without duplicates: the folder may have modules with these names.
 */
export function moduleNamesOf(cells: Iterable<CellState>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { analysis } of cells) for (const name of analysis.moduleNames) names.add(name);
  return names;
}

/** The modules that cells import with a star. */
export function starModulesOf(cells: Iterable<CellState>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { analysis } of cells) for (const { text } of analysis.unseen.stars) names.add(text);
  return names;
}

/** The files of the notebook's folder that the cell or its set-up cell imports. */
export function modulesOf(state: SessionState, cell: CellState): readonly ModuleFile[] {
  return closureOf(state.modules, importableModuleNames(state, cell));
}

function lineOf({ path, digest }: ModuleFile): string {
  return `module:${path}:${digest}`;
}

/** The part of the cell's provenance for the local modules that it imports. */
export function moduleLines(state: SessionState, cell: CellState): readonly string[] {
  return modulesOf(state, cell).map(lineOf);
}

/** The line of a content key for a module that a value contains. */
export function carriedLine(file: ModuleFile): string {
  return `carried:${lineOf(file)}`;
}

/** Paths of the cell's own modules that changed since its last run, or that it no longer uses. */
export function changedModules(
  state: SessionState,
  cell: CellState,
  expected: ExpectedRun,
): readonly string[] {
  const { record } = cell;
  const own = modulesOf(state, cell);
  const before = record?.facts?.modules ?? [];
  if (record === null || (own.length === 0 && before.length === 0)) return [];
  const lines = new Set(record.inputs);
  const now = new Set(expected.modules.map(({ path }) => path));
  return [
    ...own.filter((file) => !lines.has(lineOf(file))).map(({ path }) => path),
    ...before.map(({ path }) => path).filter((path) => !now.has(path)),
  ];
}
