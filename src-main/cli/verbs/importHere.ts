/** Makes a notebook folder on this machine from a .ipynb file or a snapshot, for `svc import` without `--server`. */

import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../../../src-shared/wire/errors.ts';
import { MAX_JUPYTER_BYTES } from '../../../src-shared/wire/routes/transfer.ts';
import type { FolderFacts } from '../../convert/jupyter/convertJupyter.ts';
import { importJupyter } from '../../convert/jupyter/importJupyter.ts';
import { importReport } from '../../convert/jupyter/importReport.ts';
import { importSnapshot } from '../../convert/snapshot/importSnapshot.ts';
import { errnoOf } from '../../lib/atomicFile.ts';
import { NOT_PLAIN, readPlainFile, TOO_LONG } from '../../lib/plainFile.ts';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { readNotebook } from '../../notebook/notebookFiles.ts';
import { snapshotSummary } from './importSummary.ts';
import { makeEnvironment } from './new.ts';

/** Makes a notebook folder from a file on this machine. @returns 0, or 1 if that or the requested environment fails */
export async function importHere({
  file,
  checkDeps,
  ...place
}: Place & { readonly file: string; readonly checkDeps: boolean }): Promise<number> {
  try {
    const isJupyter = /\.ipynb$/i.test(file);
    const notebook = isJupyter ? await fromJupyter(file, place) : await fromSnapshot(file, place);
    process.stdout.write(`${notebook.dir}\n${notebook.summary}`);
    return checkDeps && !(await makeEnvironment(notebook.dir)) ? 1 : 0;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    process.stderr.write(`svc: ${error.message}\n`);
    return 1;
  }
}

interface Place {
  readonly parentDir: string;
  readonly name: string;
  /** Whether packages are built from source, and downloaded from URLs, without asking. */
  readonly allowsBuilds: boolean;
  /** The folder to create; by default it is derived from the name. */
  readonly folder?: string | undefined;
}

/** @throws AppError for a file that is too large or cannot be read */
async function jupyterBytes(file: string): Promise<Buffer> {
  try {
    return await readPlainFile(file, { maxBytes: MAX_JUPYTER_BYTES });
  } catch (error) {
    const code = errnoOf(error);
    if (code === TOO_LONG) {
      const message = `${file} is larger than 50 MB, the limit of an import. Clear its outputs in Jupyter and save it, then import it again.`;
      throw new AppError('payload_too_large', message);
    }
    if (code === NOT_PLAIN || code === 'EISDIR') throw new AppError('bad_request', `${file} is not a file.`);
    if (code === 'EACCES' || code === 'EPERM')
      throw new AppError('bad_request', `${file} cannot be read: permission denied.`);
    throw error;
  }
}

async function fromJupyter(file: string, place: Place) {
  const { findPythons } = await import('../../environment/uv/findPythons.ts');
  const bytes = await jupyterBytes(file);
  const pythonVersion = (await findPythons())[0]?.minor ?? '3.12';
  const beside = await besideOf(dirname(file));
  const { dir, converted } = await importJupyter({ bytes, ...place, pythonVersion, beside });
  return { dir, summary: importReport(converted, { name: place.name, path: null, more: [] }).report_text };
}

async function fromSnapshot(zip: string, place: Place) {
  const siblings = existsSync(place.parentDir) ? readdirSync(place.parentDir) : [];
  const ids = await Promise.all(
    siblings.map((name) =>
      readNotebook(notebookFolder(join(place.parentDir, name))).then(
        ({ file }) => file.notebookId,
        () => null,
      ),
    ),
  );
  const { dir, report } = await importSnapshot({ zip, ...place, isTaken: (id) => ids.includes(id) });
  return { dir, summary: snapshotSummary(report) };
}

/** The packages and modules beside a Jupyter notebook. */
async function besideOf(folder: string): Promise<FolderFacts> {
  const { readPackageList } = await import('../../environment/imports/packageList.ts');
  const { ImportError } = await import('../../environment/imports/importError.ts');
  const { markerFacts } = await import('../../environment/imports/marker.ts');
  const requirements: string[] = [];
  for (const name of ['requirements.txt', 'pyproject.toml']) {
    try {
      const text = await readFile(join(folder, name), 'utf8');
      requirements.push(...readPackageList(name, text, markerFacts('3.12')).requirements);
    } catch (error) {
      if (errnoOf(error) === 'ENOENT' || error instanceof ImportError) continue;
      throw error;
    }
  }
  return {
    requirements,
    isLocal: (module) => existsSync(join(folder, `${module}.py`)) || existsSync(join(folder, module)),
  };
}
