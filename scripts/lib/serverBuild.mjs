/** Builds the server and its workers into `dist/` with esbuild, if a source has changed since the last build. */

import { readFileSync, rmSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { HTTP_BY_REQUIRE } from './httpByRequire.mjs';
import { PACKAGE_ALIASES } from './packageAliases.mjs';
import { DIST, ROOT, Stop, say } from './project.mjs';
import { filesBelow, isFresh, marksOf, readStamp, writeStamp, writeWhole } from './stamps.mjs';
import { bundleWorker } from './workerBuild.mjs';

/** File in `dist/` → source it is bundled from. */
const SERVER = {
  'svc.mjs': 'src-main/cli/entry.ts',
  'hosted.mjs': 'src-main/cli/hosted.ts',
  'tableWorker.js': 'src-main/table/service/tableWorker.ts',
  'sqlWorker.js': 'src-main/sql/sqlWorker.ts',
  'sqlProcess.js': 'src-main/sql/sqlProcess.ts',
  'schemaWorker.js': 'src-main/run/prompt/schemaWorker.ts',
  'ruffWorker.js': 'src-main/lsp/ruff/ruffWorker.ts',
};
/** Bundles of server code that the scripts use: with it they install uv and find Pythons. */
const TOOLS = {
  'resolveUv.mjs': 'src-main/environment/uv/resolveUv.ts',
  'findPythons.mjs': 'src-main/environment/uv/findPythons.ts',
};
/** Packages that are not bundled: native ones, those that load files of their own, and optional accelerators. */
const EXTERNAL = [
  'better-sqlite3',
  '@duckdb/node-api',
  '@fastify/swagger-ui',
  '@astral-sh/ruff-wasm-nodejs',
  '@lydell/node-pty',
  'electron',
  'bufferutil',
  'utf-8-validate',
  'pino-pretty',
  'pg-native',
];
/** File in `dist/` → the package's. The parser loads its own from the folder of its code; `/redoc` its script. */
const COPIED = {
  'web-tree-sitter.wasm': 'node_modules/web-tree-sitter/web-tree-sitter.wasm',
  'wasm/web-tree-sitter.wasm': 'node_modules/web-tree-sitter/web-tree-sitter.wasm',
  'agent-skill/SKILL.md': 'resources/agent-skill/SKILL.md',
  'redoc.standalone.js': 'node_modules/redoc/bundles/redoc.standalone.js',
  'wasm/tree-sitter-python.wasm': 'node_modules/tree-sitter-python/tree-sitter-python.wasm',
};
/** Bundled CommonJS packages still use these. */
const BANNER = [
  `import { createRequire as cellarRequire } from 'node:module';`,
  'const require = cellarRequire(import.meta.url);',
  'const cellarFilename = import.meta.filename, cellarDirname = import.meta.dirname;',
].join('\n');
const NOT_SHIPPED = /__pycache__|\.pyc$|\/tests\/|\/fixtures\//;
/** The inputs of a build other than the sources it read. */
const OWN_INPUTS = ['serverBuild', 'packageAliases', 'httpByRequire']
  .map((name) => `scripts/lib/${name}.mjs`)
  .concat('package-lock.json');

/** True when `dist/` is up to date. Takes a few milliseconds. */
export function isServerFresh() {
  const bundles = ['server', 'worker'].every((name) => isFresh(readStamp(name)));
  return bundles && isFresh(readStamp('harness'), harnessFiles());
}

/** Builds what is stale of: the bundle, the single-file worker, the table worker, the wasm files, the harness copy. */
export async function buildServer() {
  if (!isFresh(readStamp('server'))) {
    const started = performance.now();
    await bundle('server', SERVER, copyFiles);
    say(`built the server (${Math.round(performance.now() - started)} ms)`);
  }
  if (!isFresh(readStamp('worker'))) await bundleOneFile();
  const files = harnessFiles();
  if (!isFresh(readStamp('harness'), files)) copyHarness(files);
}

/** Bundles the worker as one file, which is copied to other machines by ssh. */
async function bundleOneFile() {
  const { contents, sources } = await bundleWorker();
  const to = join(DIST, 'svc-worker.cjs');
  writeWhole(to, contents);
  const own = sources.filter((path) => !path.includes('node_modules'));
  const inputs = marksOf([...own, ...OWN_INPUTS, 'scripts/lib/workerBuild.mjs']);
  writeStamp('worker', { inputs, outputs: [fromRoot(to)] });
}

/** The modules of the server that these scripts use; they build even if the server does not. */
export async function buildTools() {
  if (!isFresh(readStamp('tools'))) await bundle('tools', TOOLS, () => []);
}

/** Bundles `entries` and stamps the result under `name`. `copyMore` returns further outputs it made. */
async function bundle(name, entries, copyMore) {
  const { build } = await import('esbuild');
  const options = {
    absWorkingDir: ROOT,
    entryPoints: Object.entries(entries).map(([file, source]) => ({ in: source, out: stemOf(file) })),
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    chunkNames: `${name}-[hash]`,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.14',
    external: EXTERNAL,
    alias: PACKAGE_ALIASES,
    plugins: [HTTP_BY_REQUIRE],
    banner: { js: BANNER },
    // Under other names: a package may declare these itself.
    define: { __filename: 'cellarFilename', __dirname: 'cellarDirname' },
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'error',
    metafile: true,
    write: false,
  };
  const result = await build(options).catch((error) => {
    throw error.errors === undefined ? error : new Stop(`the ${name} could not be built; see above.`);
  });
  const sources = Object.keys(result.metafile.inputs).filter((path) => !path.includes('node_modules'));
  const inputs = marksOf([...sources, ...OWN_INPUTS]);
  const outputs = [...writeOutputs(result.outputFiles, entries), ...copyMore()];
  const before = readStamp(name);
  const previous = (before?.outputs ?? []).filter((path) => !outputs.includes(path));
  // A running server of the previous build may still load its chunks; those of earlier builds are removed.
  for (const path of before?.older ?? []) {
    if (!previous.includes(path) && !outputs.includes(path)) rmSync(join(ROOT, path), { force: true });
  }
  writeStamp(name, { inputs, outputs, older: previous });
}

function stemOf(file) {
  return file.replace(/\.m?js$/, '');
}

/** Chunks first, entries last: a server started during this finds every chunk its entry names. */
function writeOutputs(files, entries) {
  const stems = Object.keys(entries).map(stemOf);
  const isEntry = (file) => stems.includes(stemOf(basename(file.path)));
  return [...files.filter((file) => !isEntry(file)), ...files.filter(isEntry)].map((file) => {
    // Worker threads and processes are started by these names.
    const path = file.path.replace(
      /(tableWorker|sqlWorker|sqlProcess|schemaWorker|ruffWorker)\.mjs/,
      '$1.js',
    );
    writeWhole(path, file.contents);
    return fromRoot(path);
  });
}

function copyFiles() {
  return Object.entries(COPIED).map(([file, path]) => {
    const to = join(DIST, file);
    writeWhole(to, readFileSync(join(ROOT, path)));
    return fromRoot(to);
  });
}

function harnessFiles() {
  return filesBelow('harness', NOT_SHIPPED);
}

function copyHarness(files) {
  const inputs = marksOf(files);
  const outputs = files.map((path) => `dist/${path}`);
  const before = readStamp('harness');
  for (const path of files) writeWhole(join(DIST, path), readFileSync(join(ROOT, path)));
  for (const path of before?.outputs ?? [])
    if (!outputs.includes(path)) rmSync(join(ROOT, path), { force: true });
  writeStamp('harness', { inputs, outputs });
}

function fromRoot(path) {
  return relative(ROOT, path).replaceAll('\\', '/');
}
