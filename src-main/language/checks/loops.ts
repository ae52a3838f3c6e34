import { lineOf } from '../../../src-shared/notebook/annotationDiagnostics.ts';
import { diagnose } from '../../../src-shared/notebook/diagnostics.ts';
import { readDirectives } from '../../../src-shared/notebook/directives.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { Diagnostic } from '../../../src-shared/wire/cell.ts';
import { NO_DIAGNOSTICS, type NotebookCheck } from './check.ts';

/** Reports a loop that starts from a cell that does not exist, or carries a name that the cell does not assign. */
export const checkLoop: NotebookCheck = ({ id, analysis, entry, source }, { cells }) => {
  const { loop } = analysis.annotations;
  if (loop === null || !LANGUAGES[entry.language].runsCode) return NO_DIAGNOSTICS;
  const diagnostics: Diagnostic[] = [];
  const directives = readDirectives(source);
  const line = lineOf(directives, 'loop');
  const { carry, startFromCell } = loop;
  const ids: ReadonlyMap<string, unknown> = cells;
  if (startFromCell === id) {
    diagnostics.push(
      diagnose('loop_start_from_unknown', 'A loop cannot start from itself.', line, startFromCell),
    );
  } else if (startFromCell !== null && !ids.has(startFromCell)) {
    const words = `start_from refers to cell ${startFromCell}, which does not exist.`;
    diagnostics.push(diagnose('loop_start_from_unknown', words, line, startFromCell));
  }
  // A cell that defines nothing may mutate its carry in place, which its text need not show.
  if (carry !== '' && analysis.defines.length > 0 && !analysis.defines.includes(carry)) {
    const words = `The cell does not assign "${carry}", so every iteration starts with the same value.`;
    diagnostics.push(diagnose('loop_carry_unknown', words, line, carry));
  }
  return diagnostics;
};
