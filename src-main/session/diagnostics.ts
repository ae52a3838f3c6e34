import type { CellId } from '../../src-shared/notebook/ids.ts';
import type { Diagnostic } from '../../src-shared/wire/cell.ts';
import type { CheckedNotebook } from '../language/checks/check.ts';
import { diagnosticsOf } from '../language/checks/checks.ts';
import type { CellState, SessionState } from './state.ts';

/**
 * Every cell with what is wrong in it now (semantics 1.3: on open, reload and edit). Cells of which nothing new is
 * to be said keep their identity.
 */
export function withDiagnostics(state: SessionState): SessionState {
  const notebook: CheckedNotebook = state;
  let cells: Map<CellId, CellState> | null = null;
  for (const [id, cell] of state.cells) {
    const diagnostics = diagnosticsOf(cell, notebook);
    if (diagnostics === cell.diagnostics || sameList(diagnostics, cell.diagnostics)) continue;
    cells ??= new Map(state.cells);
    cells.set(id, { ...cell, diagnostics });
  }
  return cells === null ? state : { ...state, cells };
}

function sameList(a: readonly Diagnostic[], b: readonly Diagnostic[]): boolean {
  return (
    a.length === b.length &&
    a.every((one, i) => {
      const other = b[i];
      return (
        one === other ||
        (one.code === other?.code &&
          one.severity === other.severity &&
          one.line === other.line &&
          one.message === other.message &&
          one.subject === other.subject)
      );
    })
  );
}
