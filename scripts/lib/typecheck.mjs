/** Runs the TypeScript compiler on the source roots, two at a time, for `npm run typecheck` and `npm test`. */

import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { program, ROOT } from './project.mjs';
import { capture } from './run.mjs';
import { print } from './stageOutput.mjs';

/** One tsconfig each, so that the DOM in the server or Node in the window does not compile. Longest first. */
const TYPE_ROOTS = ['src-main', 'src-renderer', 'e2e', 'src-shared'];

/** Checks each root, two at a time, and prints the errors. @returns [{root, ok}] */
export async function typecheck(roots = TYPE_ROOTS) {
  const waiting = roots.filter((root) => existsSync(join(ROOT, root, 'tsconfig.json')));
  const results = [];
  const next = async () => {
    for (let root = waiting.shift(); root !== undefined; root = waiting.shift()) {
      // Two roots side by side fill two cores: more threads for one would check the libraries several times.
      const { code, stdout, stderr } = await capture(process.execPath, [
        program('typescript-native', 'bin', 'tsc'),
        ...['-p', root, '--pretty', 'false', '--singleThreaded'],
      ]);
      print(`${root}: ${code === 0 ? 'ok' : `failed\n${stdout}${stderr}`.trimEnd()}\n`);
      results.push({ root, ok: code === 0 });
    }
  };
  await Promise.all(Array.from({ length: Math.min(2, cpus().length) }, next));
  return results;
}
