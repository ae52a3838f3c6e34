/** Finds the functions and classes that a cell gets from other cells, directly or inside values, for keptValues.ts. */

import type { GivenCode } from '../../../src-shared/notebook/forwardNames.ts';
import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { CellAnalysis } from '../cellAnalysis.ts';
import { codeReadsOf } from '../python/codeReads.ts';
import type { CheckedCell, CheckedNotebook } from './check.ts';

/** A function or class, and the cell that defines it. */
interface HeldCode {
  readonly symbol: string;
  readonly definedIn: CheckedCell;
  /** The names it reads when it is called, those of its own cell included. */
  readonly lateNames: readonly string[];
}

type Cells = Pick<CheckedNotebook, 'cells' | 'graph'>;

/**
 * The functions and classes that another cell's name brings along: itself, or those its value may hold
 * (python/heldNames.ts), also from cells above. Only code that reads names when it is called.
 */
export function heldCode(name: string, giver: CellId, notebook: Cells): readonly HeldCode[] {
  const code: HeldCode[] = [];
  addCode({ name, isCalled: false }, giver, { notebook, code, visited: new Set() });
  return code;
}

interface Search {
  readonly notebook: Cells;
  readonly code: HeldCode[];
  readonly visited: Set<string>;
}

/** @param use.isCalled the value is what a call of the name returns: it holds classes, but not functions */
function addCode(
  use: { readonly name: string; readonly isCalled: boolean },
  id: CellId,
  search: Search,
): void {
  const { name, isCalled } = use;
  const cell = search.notebook.cells.get(id);
  if (cell === undefined || !LANGUAGES[cell.analysis.language].sharesCode) return;
  const key = `${id} ${name} ${isCalled}`;
  if (search.visited.has(key)) return;
  search.visited.add(key);
  if (!cell.analysis.defines.includes(name)) {
    const above = search.notebook.graph.wiring.get(id)?.get(name);
    if (above !== undefined) addCode(use, above, search);
    return;
  }
  const reads = codeOf(cell.analysis).get(name);
  if (reads?.isCode === true) {
    const lateNames = [...reads.late, ...reads.own];
    if (lateNames.length > 0 && (!isCalled || isClass(cell.analysis, name)))
      search.code.push({ symbol: name, definedIn: cell, lateNames });
    return;
  }
  const heldNames = isCalled ? undefined : cell.analysis.heldNames.get(name);
  for (const part of heldNames?.parts ?? [])
    if (part !== name) addCode({ name: part, isCalled: false }, id, search);
  for (const call of heldNames?.calls ?? []) addCode({ name: call, isCalled: true }, id, search);
}

const codes = new WeakMap<CellAnalysis, GivenCode>();

function codeOf(analysis: CellAnalysis): GivenCode {
  let code = codes.get(analysis);
  if (code === undefined) {
    code = codeReadsOf(analysis);
    codes.set(analysis, code);
  }
  return code;
}

function isClass({ sharedCode }: CellAnalysis, name: string): boolean {
  return (
    sharedCode?.statements.some(({ kind, symbols }) => kind === 'class' && symbols.includes(name)) ?? false
  );
}
