import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { AppError } from '../../../src-shared/wire/errors.ts';
import { MAX_JUPYTER_BYTES } from '../../../src-shared/wire/routes/transfer.ts';
import type { Beside } from '../../convert/jupyter/convertJupyter.ts';
import { importJupyter } from '../../convert/jupyter/importJupyter.ts';
import { importReport } from '../../convert/jupyter/importReport.ts';
import { importSnapshot } from '../../convert/snapshot/importSnapshot.ts';
import { errnoOf } from '../../lib/atomicFile.ts';
import { readPlainFile } from '../../lib/plainFile.ts';
import { readNotebook } from '../../notebook/notebookFiles.ts';
import { guarded, parseArguments, UsageError } from '../arguments.ts';
import { serverUrl, tokenIn } from '../target/target.ts';
import { snapshotSummary } from './importSummary.ts';
import { makeEnvironment } from './new.ts';

/** `svc import F [--out DIR] [--check-deps] [--server URL]`: a notebook of a .ipynb or a snapshot (semantics 16). */
export function importFile(args: readonly string[]): Promise<number> {
  return guarded(async () => {
    const { values, positionals } = parseArguments(args, {
      out: { type: 'string' },
      'check-deps': { type: 'boolean', default: false },
      server: { type: 'string' },
      session: { type: 'string' },
      'token-file': { type: 'string' },
    });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new UsageError('svc import takes one .ipynb or .zip');
    if (!/\.(ipynb|zip)$/i.test(file)) throw new UsageError(`${file} is neither a .ipynb nor a .zip`);
    const from = resolve(file);
    if (!existsSync(from)) throw new UsageError(`There is no file ${from}`);
    const stem = basename(from)
      .replace(/\.(ipynb|zip)$/i, '')
      .replace(/\.snapshot$/i, '');
    if (values.server === undefined && values.session !== undefined)
      throw new UsageError('--session is of a running server: --server URL says which');
    if (values.server !== undefined) {
      const { importOnServer } = await import('./importOnServer.ts');
      return importOnServer({
        ...{ file: from, out: values.out ?? null, session: values.session ?? null },
        ...{ url: serverUrl(values.server), token: await tokenIn(values['token-file']) },
        checkDeps: values['check-deps'],
      });
    }
    const place = resolve(values.out ?? stem);
    const name = values.out === undefined ? stem : basename(place);
    try {
      const isJupyter = /\.ipynb$/i.test(from);
      const made = isJupyter
        ? await fromJupyter(from, { parentDir: dirname(place), name })
        : await fromSnapshot(from, { parentDir: dirname(place), name });
      process.stdout.write(`${made.dir}\n${made.summary}`);
      return values['check-deps'] && !(await makeEnvironment(made.dir)) ? 1 : 0;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      process.stderr.write(`svc: ${error.message}\n`);
      return 1;
    }
  });
}

interface Place {
  readonly parentDir: string;
  readonly name: string;
}

async function fromJupyter(file: string, place: Place) {
  const { findPythons } = await import('../../environment/findPythons.ts');
  const text = (await readPlainFile(file, { maxBytes: MAX_JUPYTER_BYTES })).toString('utf8');
  const pythonVersion = (await findPythons())[0]?.minor ?? '3.12';
  const beside = await besideOf(dirname(file));
  const { dir, converted } = await importJupyter({ text, ...place, pythonVersion, beside });
  return { dir, summary: importReport(converted, { name: place.name, path: null, more: [] }).report_text };
}

async function fromSnapshot(zip: string, place: Place) {
  const siblings = existsSync(place.parentDir) ? readdirSync(place.parentDir) : [];
  const ids = await Promise.all(
    siblings.map((name) =>
      readNotebook(join(place.parentDir, name)).then(
        ({ file }) => file.notebookId,
        () => null,
      ),
    ),
  );
  const { dir, report } = await importSnapshot({ zip, ...place, isTaken: (id) => ids.includes(id) });
  return { dir, summary: snapshotSummary(report) };
}

/** The packages and modules that lie beside a Jupyter notebook. */
async function besideOf(folder: string): Promise<Beside> {
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
