/** Builds the desktop shell (Electron's main process and preload script) into `dist/shell` with esbuild. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, Stop, say } from './project.mjs';
import { isFresh, marksOf, readStamp, writeStamp, writeWhole } from './stamps.mjs';

/** File in `dist/` → source. The oldest Electron the tests run on has Node 16 and loads no ESM. */
const SHELL = {
  'shell/main': 'src-main/shell/main.ts',
  'shell/preload': 'src-main/shell/preload.ts',
  serverEntry: 'src-main/shell/serverEntry.ts',
};
const OWN_INPUTS = ['scripts/lib/shellBuild.mjs', 'package-lock.json'];

/** Bundles what is stale of the desktop shell into `dist/shell`. */
export async function buildShell() {
  if (isFresh(readStamp('shell'))) return;
  const { build } = await import('esbuild');
  const started = performance.now();
  const result = await build({
    absWorkingDir: ROOT,
    entryPoints: Object.entries(SHELL).map(([out, source]) => ({ in: source, out })),
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node16',
    external: ['electron'],
    legalComments: 'none',
    logLevel: 'error',
    metafile: true,
    write: false,
  }).catch((error) => {
    throw error.errors === undefined ? error : new Stop('the desktop shell could not be built; see above.');
  });
  const inputs = marksOf([...Object.keys(result.metafile.inputs), ...OWN_INPUTS]);
  for (const file of result.outputFiles) writeWhole(file.path, file.contents);
  const outputs = Object.keys(SHELL).map((out) => `dist/${out}.cjs`);
  for (const path of readStamp('shell')?.outputs ?? []) {
    if (!outputs.includes(path)) rmSync(join(ROOT, path), { force: true });
  }
  writeStamp('shell', { inputs, outputs });
  say(`built the desktop shell (${Math.round(performance.now() - started)} ms)`);
}
