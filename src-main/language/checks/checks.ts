import { byLine } from '../../../src-shared/notebook/diagnostics.ts';
import type { Diagnostic } from '../../../src-shared/wire/cell.ts';
import type { CheckedCell, CheckedNotebook, NotebookCheck } from './check.ts';
import { checkConnection } from './connections.ts';
import { checkKeptValues } from './keptValues.ts';
import { checkLoop } from './loops.ts';
import { checkMounts } from './mounts.ts';
import { checkReads } from './reads.ts';
import { checkSetup } from './setup.ts';
import { checkSharedCode } from './sharedCode.ts';
import { checkSqlText } from './sqlText.ts';
import { checkTables } from './tables.ts';
import { checkUnseen } from './unseen.ts';
import { checkPerVariant, checkVariant } from './variants.ts';
import { checkWorker } from './workers.ts';

/** One row per subject. A room that finds faults of its own adds its check here and nothing else. */
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
];

/** All that is to be said of a cell: what its text shows by itself, and what the notebook around it shows. */
export function diagnosticsOf(cell: CheckedCell, notebook: CheckedNotebook): readonly Diagnostic[] {
  let found = cell.analysis.diagnostics;
  for (const check of CHECKS) {
    const more = check(cell, notebook);
    if (more.length > 0) found = [...found, ...more];
  }
  return found === cell.analysis.diagnostics ? found : byLine(found);
}
