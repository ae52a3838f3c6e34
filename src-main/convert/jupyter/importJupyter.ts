/** Imports a Jupyter notebook as a new notebook folder. */

import { join } from 'node:path';
import { AppError } from '../../../src-shared/wire/errors.ts';
import { createAnalyzer } from '../../language/analyzeCell.ts';
import { createNotebook } from '../../notebook/createNotebook.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { IMPORTED_OUTPUTS_FILE, importedOutputsText } from '../../notebook/stored/importedOutputs.ts';
import { IMPORT_RECORD, importRecordText } from '../../notebook/stored/importRecord.ts';
import { cellFindings } from './cellFindings.ts';
import type { ConvertedNotebook } from './convertedNotebook.ts';
import { convertJupyter, type FolderFacts } from './convertJupyter.ts';
import type { Finding } from './findings.ts';
import { importReport } from './importReport.ts';
import { decodeJupyter } from './readJupyter.ts';

/** The report of an import, in the notebook's folder. */
export const REPORT_FILE = 'import_report.md';

interface JupyterImport {
  readonly bytes: Uint8Array;
  readonly name: string;
  /** The folder to create; otherwise made from the name. */
  readonly folder?: string | undefined;
  readonly parentDir: string;
  /** The Python of the new notebook, such as `3.12`. */
  readonly pythonVersion: string;
  readonly beside?: FolderFacts;
  /** Whether packages may be built, and downloaded from URLs, without asking. */
  readonly allowsBuilds?: boolean;
}

/**
 * Creates a notebook folder from a Jupyter notebook. It is written beside its final place, and renamed when complete.
 * @throws AppError bad_request for any other file or a name no folder can have, conflict if it is in use
 */
export async function importJupyter(
  options: JupyterImport,
): Promise<{ readonly dir: NotebookFolder; readonly converted: ConvertedNotebook }> {
  const conversion = convertJupyter(decodeJupyter(options.bytes), options.beside);
  const cellFaults = cellFindings(conversion, await createAnalyzer());
  const places = new Map(conversion.cells.map(({ id }, at) => [id, at]));
  const placeOf = ({ cellId }: Finding): number => (cellId === null ? -1 : (places.get(cellId) ?? -1));
  const findings = [...conversion.findings, ...cellFaults].sort((a, b) => placeOf(a) - placeOf(b));
  const converted = { ...conversion, findings };
  const report = importReport(converted, { name: options.name, path: null, more: [] });
  const created = await createNotebook({
    parentDir: options.parentDir,
    name: options.name,
    folder: options.folder,
    pythonVersion: options.pythonVersion,
    starterCell: false,
    cells: converted.cells,
    dependencies: [...converted.dependencies, ...(options.allowsBuilds === true ? converted.waiting : [])],
    files: {
      [REPORT_FILE]: report.report_text,
      [IMPORT_RECORD]: importRecordText({
        kind: 'jupyter',
        builds: options.allowsBuilds ?? false,
        waiting: options.allowsBuilds === true ? [] : [...converted.waiting],
      }),
      ...(conversion.outputs.size === 0
        ? {}
        : { [IMPORTED_OUTPUTS_FILE]: importedOutputsText(conversion.outputs) }),
    },
  });
  if (created.kind === 'exists') throw new AppError('conflict', created.message);
  if (created.kind === 'refused') throw new AppError('bad_request', created.message);
  return { dir: created.dir, converted };
}

export function reportPath(dir: NotebookFolder): string {
  return join(dir, REPORT_FILE);
}
