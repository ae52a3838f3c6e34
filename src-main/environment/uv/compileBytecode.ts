/** Compiles a notebook's installed packages to bytecode in the background after a sync, so that imports are faster. */

import { join } from 'node:path';
import { placeIn } from '../../lib/guardedFolder/place.ts';
import { lstatAt } from '../../lib/guardedFolder/read.ts';
import { replaceFile } from '../../lib/guardedFolder/replace.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { readIfThere } from '../folder/projectFile.ts';
import { hasInterpreter, readMarker, sitePackages, venvDir, venvPython } from '../venv/venv.ts';
import { runTool } from './runTool.ts';

const DONE = '.svc-compiled';
const TIMEOUT_MS = 300_000;
/** Matches test folders: a notebook never imports them, and they are about half of large packages. */
const SKIPPED = String.raw`[/\\]tests?[/\\]`;

/**
 * Compiles the packages of a notebook's `.venv` at low priority. uv does not compile them, and an image may prevent
 * Python from storing compiled files, which makes `import pandas` three times slower in every fresh process. Nothing
 * waits for this; when it is stopped, some files stay uncompiled, and the next call continues. A marker file records a
 * finished environment, so calling this again (at every open) costs one stat.
 */
export async function compileBytecode(
  dir: NotebookFolder,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  const venv = venvDir(dir);
  const markerPath = join(venv, DONE);
  if (!(await hasInterpreter(venv)) || (await readIfThere(markerPath)) !== null) return;
  // Behind a link there is another program's environment, which is only read.
  if (lstatAt(placeIn(dir, '.venv'))?.isSymbolicLink() === true) return;
  const before = await readMarker(venv);
  const end = await runTool({
    file: venvPython(venv),
    args: ['-I', '-m', 'compileall', '-q', '-q', '-x', SKIPPED, ...(await sitePackages(venv))],
    env: process.env,
    timeoutMs: TIMEOUT_MS,
    niceness: 10,
    ...(options.signal ? { signal: options.signal } : {}),
  });
  // Exit code 1: a file cannot be compiled, and never will be.
  const finished = end.kind === 'exited' && end.code <= 1;
  // A sync may have put another environment in place meanwhile.
  const same = before !== null && (await readMarker(venv))?.id === before.id;
  if (finished && same) await replaceFile(placeIn(dir, '.venv', DONE), '');
}
