/** The list of all checks, and the diagnostics of a cell that they and the language's reader find. */

import { sortedByLine } from '../../../src-shared/notebook/diagnostics.ts';
import type { Diagnostic } from '../../../src-shared/wire/cell.ts';
import type { CheckedCell, CheckedNotebook, NotebookCheck } from './check.ts';
import { checkConnection } from './connections.ts';
import { checkKeptValues } from './keptValues.ts';
import { checkLoop } from './loops.ts';
import { checkMounts } from './mounts.ts';
import { checkReads } from './reads.ts';
import { checkSetup } from './setup.ts';
import { checkSharedCode } from './sharedCode.ts';
import { checkSharedObjects } from './sharedObjects.ts';
import { checkSqlText } from './sqlText.ts';
import { checkTables } from './tables.ts';
import { checkUnseen } from './unseen.ts';
import { checkPerVariant, checkVariant } from './variants.ts';
import { checkWorker } from './workers.ts';

/** All checks. A new check is added here and nowhere else. */
const CHECKS: readonly NotebookCheck[] = [
  checkWorker,
  checkMounts,
  checkTables,
  checkLoop,
  checkConnection,
  checkSqlText,
  checkReads,
  checkVariant,
  checkPerVariant,
  checkSharedCode,
  checkSetup,
  checkUnseen,
  checkKeptValues,
  checkSharedObjects,
];

/** All diagnostics of a cell: those of its text, and those that depend on the rest of the notebook. */
export function diagnosticsOf(cell: CheckedCell, notebook: CheckedNotebook): readonly Diagnostic[] {
  let diagnostics = cell.analysis.diagnostics;
  for (const check of CHECKS) {
    const added = check(cell, notebook);
    if (added.length > 0) diagnostics = [...diagnostics, ...added];
  }
  return diagnostics === cell.analysis.diagnostics ? diagnostics : sortedByLine(diagnostics);
}
