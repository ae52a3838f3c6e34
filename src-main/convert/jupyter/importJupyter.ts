import { join } from 'node:path';
import { AppError } from '../../../src-shared/wire/errors.ts';
import { createNotebook } from '../../notebook/createNotebook.ts';
import { IMPORT_RECORD, importRecordText } from '../../notebook/importRecord.ts';
import { type Beside, type Converted, convertJupyter } from './convertJupyter.ts';
import { importReport } from './importReport.ts';

/** The report of an import, in the notebook's folder. */
export const REPORT_FILE = 'import_report.md';

export interface JupyterImport {
  readonly text: string;
  readonly name: string;
  readonly parentDir: string;
  /** `3.12` */
  readonly pythonVersion: string;
  readonly beside?: Beside;
  /** Whether packages may be built, and come from addresses, at once. */
  readonly allowsBuilds?: boolean;
}

/**
 * A notebook folder out of a Jupyter notebook: made beside its place and moved there whole.
 * @throws AppError bad_request for what is no such notebook or a name no folder can have, conflict where it is taken
 */
export async function importJupyter(
  options: JupyterImport,
): Promise<{ readonly dir: string; readonly converted: Converted }> {
  const converted = convertJupyter(options.text, options.beside);
  const report = importReport(converted, { name: options.name, path: null, more: [] });
  const created = await createNotebook({
    parentDir: options.parentDir,
    name: options.name,
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
    },
  });
  if (created.kind === 'exists') throw new AppError('conflict', created.message);
  if (created.kind === 'refused') throw new AppError('bad_request', created.message);
  return { dir: created.dir, converted };
}

export function reportPath(dir: string): string {
  return join(dir, REPORT_FILE);
}
