import { lineOf } from '../../../src-shared/notebook/annotationDiagnostics.ts';
import { diagnose } from '../../../src-shared/notebook/diagnostics.ts';
import { readDirectives } from '../../../src-shared/notebook/directives.ts';
import type { Diagnostic } from '../../../src-shared/wire/cell.ts';
import { NONE, type NotebookCheck } from './check.ts';

/** A loop that starts from a cell that is not there, or carries what the cell does not assign. */
export const checkLoop: NotebookCheck = ({ id, analysis, entry, source }, { cells }) => {
  const { loop } = analysis.annotations;
  if (loop === null || (entry.language !== 'python' && entry.language !== 'r')) return NONE;
  const found: Diagnostic[] = [];
  const directives = readDirectives(source);
  const line = lineOf(directives, 'loop');
  const { carry, startFromCell } = loop;
  const ids: ReadonlyMap<string, unknown> = cells;
  if (startFromCell === id) {
    found.push(diagnose('loop_start_from_unknown', 'A loop cannot start from itself.', line, startFromCell));
  } else if (startFromCell !== null && !ids.has(startFromCell)) {
    const words = `start_from refers to cell ${startFromCell}, which does not exist.`;
    found.push(diagnose('loop_start_from_unknown', words, line, startFromCell));
  }
  // A cell that defines nothing may change its carry in ways no reading of it shows.
  if (carry !== '' && analysis.defines.length > 0 && !analysis.defines.includes(carry)) {
    const words = `The cell does not assign "${carry}", so every iteration starts with the same value.`;
    found.push(diagnose('loop_carry_unknown', words, line, carry));
  }
  return found;
};
