/** Builds the single-file worker `svc-worker.cjs` with esbuild, and puts the harness beside it. */

import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ALIASES } from './packageAliases.mjs';
import { ROOT, Stop } from './project.mjs';
import { filesBelow } from './stamps.mjs';

const NOT_SHIPPED = /__pycache__|\.pyc$|\/tests\/|\/fixtures\//;
/** Optional accelerators and cosmetics that packages do without. */
const OPTIONAL = ['bufferutil', 'utf-8-validate', 'pino-pretty'];
/** Native, and not needed by a worker: reaching one is a bug. */
const FORBIDDEN = /node_modules\/(better-sqlite3|@duckdb|electron|web-tree-sitter|snowflake-sdk)\//;

/** Runs before anything else in the file: an older Node would start it, and then every run would fail. */
const NODE_CHECK = [
  "{ const node = process.versions.node, [major, minor] = node.split('.').map(Number);",
  'if (major < 22 || (major === 22 && minor < 15)) {',
  "process.stderr.write('svc-worker: this is Node ' + node + ', and a worker needs 22.15 or newer. Install a newer Node.\\n');",
  'process.exit(2); } }',
].join(' ');

/** Builds `<dir>/svc-worker.cjs` and the harness beside it: all that a bare Node needs to run cells. */
export async function buildWorker(dir) {
  mkdirSync(dir, { recursive: true });
  const { contents } = await bundleWorker();
  writeFileSync(join(dir, 'svc-worker.cjs'), contents);
  for (const path of filesBelow('harness', NOT_SHIPPED)) cpSync(join(ROOT, path), join(dir, path));
}

/** The single-file worker without its harness, and the sources it was built from. */
export async function bundleWorker() {
  const { build } = await import('esbuild');
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['src-main/cli/workerMain.ts'],
    outfile: 'svc-worker.cjs',
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22.14',
    external: OPTIONAL,
    alias: PACKAGE_ALIASES,
    // The harness is in the same folder as the file.
    define: { 'import.meta.url': 'cellarUrl', 'import.meta.dirname': '__dirname' },
    banner: {
      js: `#!/usr/bin/env node\n${NODE_CHECK}\nconst cellarUrl = require('node:url').pathToFileURL(__filename).href;`,
    },
    legalComments: 'none',
    logLevel: 'error',
    metafile: true,
    write: false,
  });
  const inputs = Object.keys(metafile.inputs);
  const wrong = inputs.filter((path) => FORBIDDEN.test(path));
  if (wrong.length > 0) throw new Stop(`the worker reaches what it must do without: ${wrong[0]}`);
  return { contents: outputFiles[0].contents, sources: inputs };
}
