/** Bundles the window into `dist/renderer` when its sources changed; a running server never serves a partial build. */

import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DIST, program, ROOT, Stop, say } from './project.mjs';
import { run } from './run.mjs';
import { filesBelow, isFresh, marksOf, readStamp, writeStamp } from './stamps.mjs';

const NOT_INPUT = /\.test\.tsx?$|\.tsbuildinfo$/;

function inputs() {
  return [
    ...filesBelow('src-renderer', NOT_INPUT),
    ...filesBelow('src-shared', NOT_INPUT),
    'tsconfig.base.json',
    'package-lock.json',
  ];
}

export async function buildRenderer() {
  if (!existsSync(join(ROOT, 'src-renderer', 'index.html'))) return;
  const files = inputs();
  if (isFresh(readStamp('renderer'), files)) return;
  const started = performance.now();
  const marks = marksOf(files);
  const beside = `renderer-${process.pid}`;
  const target = join(DIST, 'renderer');
  const args = [
    'build',
    'src-renderer',
    '--outDir',
    `../dist/${beside}`,
    '--emptyOutDir',
    '--logLevel',
    'warn',
  ];
  try {
    const code = await run(process.execPath, [program('vite', 'bin', 'vite.js'), ...args], {
      stdio: ['ignore', 2, 2],
    });
    if (code !== 0) throw new Stop("the window could not be built; the bundler's output is above.");
    rmSync(target, { recursive: true, force: true });
    renameSync(join(DIST, beside), target);
  } finally {
    rmSync(join(DIST, beside), { recursive: true, force: true });
  }
  writeStamp('renderer', { inputs: marks, outputs: ['dist/renderer/index.html'] });
  say(`built the window (${Math.round(performance.now() - started)} ms)`);
}
