/** Warns when a function from another cell uses an older value of a name than it would in a single kernel. */

import { diagnose } from '../../../src-shared/notebook/diagnostics.ts';
import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { Diagnostic } from '../../../src-shared/wire/cell.ts';
import { type CheckedCell, type CheckedNotebook, NO_DIAGNOSTICS, type NotebookCheck } from './check.ts';
import { heldCode } from './heldCode.ts';

/**
 * Whether a cell calls other cells' code that reads names at call time: its diagnostics then depend on cells it has no
 * edge to.
 */
export function callsReadingCode({ id }: Pick<CheckedCell, 'id'>, notebook: CheckedNotebook): boolean {
  for (const [name, giver] of notebook.graph.wiring.get(id) ?? []) {
    if (heldCode(name, giver, notebook).length > 0) return true;
  }
  return false;
}

/**
 * A function uses the values that its names have where it is defined (docs/spec/analysis-and-graph.md, 2). In a single
 * kernel it would use those at the time of the call, so this warns when a cell in between assigns such a name, and the
 * cell uses the function, or a value that holds it. Cellar's own check (docs/extensions.md).
 */
export const checkKeptValues: NotebookCheck = (cell, notebook) => {
  const diagnostics: Diagnostic[] = [];
  for (const [name, giver] of notebook.graph.wiring.get(cell.id) ?? []) {
    for (const { symbol, definedIn, lateNames } of heldCode(name, giver, notebook)) {
      for (const lateName of lateNames) {
        const definer = definerFor(lateName, definedIn, notebook);
        if (definer === undefined) continue;
        const around = { giver: definedIn.id, cell, notebook };
        if (rebinds(cell, lateName, definer) || isReboundBetween(lateName, definer, around))
          diagnostics.push(
            diagnose('keeps_earlier_value', messageFor(name, symbol, lateName), null, lateName),
          );
      }
    }
  }
  return diagnostics.length === 0 ? NO_DIAGNOSTICS : diagnostics;
};

function messageFor(name: string, symbol: string, lateName: string): string {
  const code = name === symbol ? `\`${name}\`` : `\`${name}\` holds \`${symbol}\`, which`;
  return `${code} uses \`${lateName}\` as it was where \`${symbol}\` is defined, not the value it has here. Pass \`${lateName}\` to \`${symbol}\` as an argument, or assign it above the cell that defines \`${symbol}\`.`;
}

/** The cell whose value of the name travels with the giver's code: one above it, or the giver itself. */
function definerFor(
  read: string,
  giver: CheckedCell,
  { cells, graph }: CheckedNotebook,
): CheckedCell | undefined {
  const above = graph.wiring.get(giver.id)?.get(read);
  if (above !== undefined) return cells.get(above);
  return giver.analysis.defines.includes(read) ? giver : undefined;
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
