import { diagnose } from '../../../src-shared/notebook/diagnostics.ts';
import type { GivenCode } from '../../../src-shared/notebook/forwardNames.ts';
import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { Diagnostic } from '../../../src-shared/wire/cell.ts';
import type { CellAnalysis } from '../analyzeCell.ts';
import { codeReadsOf } from '../python/codeReads.ts';
import { type CheckedCell, type CheckedNotebook, NONE, type NotebookCheck } from './check.ts';

const codes = new WeakMap<CellAnalysis, GivenCode>();

/** The names that a function or class of a cell reads when it is called, those of its own cell included. */
function lateNames(giver: CheckedCell | undefined, name: string): readonly string[] {
  if (giver === undefined || !LANGUAGES[giver.analysis.language].sharesCode) return [];
  let code = codes.get(giver.analysis);
  if (code === undefined) {
    code = codeReadsOf(giver.analysis);
    codes.set(giver.analysis, code);
  }
  const reads = code.get(name);
  return reads?.isCode === true ? [...reads.late, ...reads.own] : [];
}

/**
 * Whether a cell calls other cells' code that reads names at call time: its diagnostics then depend on cells it has no
 * edge to.
 */
export function callsReadingCode(
  { id }: Pick<CheckedCell, 'id'>,
  { cells, graph }: CheckedNotebook,
): boolean {
  for (const [name, giver] of graph.wiring.get(id) ?? []) {
    if (lateNames(cells.get(giver), name).length > 0) return true;
  }
  return false;
}

/**
 * A function uses the values that its names have where it is defined (analysis-and-graph 2). In a single kernel it
 * would use those at the time of the call, so this warns when a cell in between assigns such a name. Cellar's own
 * check (docs/extensions.md).
 */
export const checkKeptValues: NotebookCheck = (cell, notebook) => {
  const { graph, cells } = notebook;
  const diagnostics: Diagnostic[] = [];
  for (const [name, giver] of graph.wiring.get(cell.id) ?? []) {
    for (const lateName of lateNames(cells.get(giver), name)) {
      const definer = definerFor(lateName, giver, notebook);
      if (definer === undefined) continue;
      const isOther =
        rebinds(cell, lateName, definer) || isReboundBetween(lateName, definer, { giver, cell, notebook });
      if (isOther)
        diagnostics.push(diagnose('keeps_earlier_value', messageFor(name, lateName), null, lateName));
    }
  }
  return diagnostics.length === 0 ? NONE : diagnostics;
};

function messageFor(name: string, read: string): string {
  return `\`${name}\` uses \`${read}\` as it was where \`${name}\` is defined, not the value it has here. Pass \`${read}\` to \`${name}\` as an argument, or assign it above the cell that defines \`${name}\`.`;
}

/** The cell whose value of the name travels with the giver's code: one above it, or the giver itself. */
function definerFor(read: string, giver: CellId, { cells, graph }: CheckedNotebook): CheckedCell | undefined {
  const above = graph.wiring.get(giver)?.get(read);
  if (above !== undefined) return cells.get(above);
  const own = cells.get(giver);
  return own?.analysis.defines.includes(read) === true ? own : undefined;
}

/** Whether the cell assigns the name another value; two imports of a name bind the same module. */
function rebinds({ analysis }: CheckedCell, read: string, definer: CheckedCell): boolean {
  const isImport = analysis.importedNames.includes(read) && definer.analysis.importedNames.includes(read);
  return analysis.defines.includes(read) && !isImport;
}

/** Whether a cell after the giver and before the caller assigns the name. */
function isReboundBetween(
  read: string,
  definer: CheckedCell,
  around: { readonly giver: CellId; readonly cell: CheckedCell; readonly notebook: CheckedNotebook },
): boolean {
  const { cells, graph } = around.notebook;
  let isPast = false;
  for (const [id, between] of cells) {
    if (id === around.cell.id) return false;
    if (isPast && !graph.inactive.has(id) && rebinds(between, read, definer)) return true;
    if (id === around.giver) isPast = true;
  }
  return false;
}
