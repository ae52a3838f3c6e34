import { join } from 'node:path';
import { placeIn } from '../../lib/guardedFolder/place.ts';
import { lookAt } from '../../lib/guardedFolder/read.ts';
import { replaceFile } from '../../lib/guardedFolder/replace.ts';
import { readIfThere } from '../folder/projectFile.ts';
import { hasInterpreter, readMarker, sitePackages, venvDir, venvPython } from '../venv/venv.ts';
import { runTool } from './runTool.ts';

const DONE = '.svc-compiled';
const TIMEOUT_MS = 300_000;
/** Never imported by a notebook, and about half of the large packages. */
const SKIPPED = String.raw`[/\\]tests?[/\\]`;

/**
 * Compiles the packages of a notebook's `.venv`, at low priority: uv does not, and an image may forbid Python to keep
 * what it compiles itself, which makes `import pandas` three times slower in every fresh process. Nobody waits for
 * this; stopping it leaves some files uncompiled and nothing else, and the next call goes on. An environment that is
 * done says so in a file of its own, so asking again (at every open) costs a stat.
 */
export async function compileBytecode(
  dir: string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  const venv = venvDir(dir);
  const done = join(venv, DONE);
  if (!(await hasInterpreter(venv)) || (await readIfThere(done)) !== null) return;
  // What a link leads to is another program's environment, and is only read.
  if (lookAt(placeIn(dir, '.venv'))?.isSymbolicLink() === true) return;
  const before = await readMarker(venv);
  const end = await runTool({
    file: venvPython(venv),
    args: ['-I', '-m', 'compileall', '-q', '-q', '-x', SKIPPED, ...(await sitePackages(venv))],
    env: process.env,
    timeoutMs: TIMEOUT_MS,
    niceness: 10,
    ...(options.signal ? { signal: options.signal } : {}),
  });
  // Exit code 1: some file does not compile, and never will.
  const finished = end.kind === 'exited' && end.code <= 1;
  // A sync may have put another environment in its place meanwhile.
  const same = before !== null && (await readMarker(venv))?.id === before.id;
  if (finished && same) await replaceFile(placeIn(dir, '.venv', DONE), '');
}
