/** Lays out what the desktop packages contain: the shell, and beside it the server, uv and the language server. */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { CACHE, DIST, ROOT, Stop, say } from './project.mjs';
import { capture } from './run.mjs';
import { readStamp } from './stamps.mjs';

/**
 * What is shipped beside the shell, per platform: the built server with the packages it does not bundle, and uv.
 * Whole files, never an archive: the server may run on a Node that does not support Electron's.
 */
const STAGE = join(CACHE, 'desktop');
const AUTHOR = 'The Cellar authors';

/**
 * Packages the server loads by name, and what of each is shipped. `test` sees paths inside the package; `*` in a name
 * is the target.
 */
export const SHIPPED_PACKAGES = {
  'better-sqlite3': (target) => (path) =>
    /^(package\.json|LICENSE|lib\/.*)$/.test(path) || path === `prebuilds/${target}.node`,
  '@duckdb/node-api': () => (path) => /^(package\.json|LICENSE|lib\/.*\.js)$/.test(path),
  '@duckdb/node-bindings': () => (path) => /^(package\.json|LICENSE|duckdb\.js)$/.test(path),
  '@duckdb/node-bindings-*': () => (path) => !path.endsWith('.md'),
  '@astral-sh/ruff-wasm-nodejs': () => (path) => !path.endsWith('.md'),
  '@lydell/node-pty': () => (path) => !/\.(md|d\.ts)$/.test(path),
  '@lydell/node-pty-*': () => (path) => !path.endsWith('.md'),
  '@fastify/swagger-ui': () => (path) =>
    /^(package\.json|LICENSE|static\/(swagger-ui\.css|swagger-ui-bundle\.js|favicon-32x32\.png))$/.test(path),
};

/** Target → pip's platform tag of its wheel of uv. */
const UV_WHEELS = {
  'linux-x64': 'manylinux2014_x86_64',
  'linux-arm64': 'manylinux2014_aarch64',
  'darwin-x64': 'macosx_10_12_x86_64',
  'darwin-arm64': 'macosx_11_0_arm64',
  'win32-x64': 'win_amd64',
  'win32-arm64': 'win_arm64',
};

function stageFolder(target) {
  return join(STAGE, target);
}

/** Lays out `server/`, `uv/` and `language/` for a target (`linux-x64`, …). The server must be built. */
export async function stageDesktop(target) {
  if (!Object.hasOwn(UV_WHEELS, target)) throw new Stop(`nothing is shipped for ${target}.`);
  const server = join(stageFolder(target), 'server');
  rmSync(server, { recursive: true, force: true });
  mkdirSync(server, { recursive: true });
  for (const path of serverFiles()) cpSync(join(ROOT, path), join(server, relative('dist', path)));
  cpSync(join(DIST, 'renderer'), join(server, 'renderer'), { recursive: true });
  stageExamples(join(server, 'examples'));
  for (const [name, files] of Object.entries(SHIPPED_PACKAGES))
    copyPackage(name.replace('*', target), files(target), server);
  await stageUv(target);
  await stageLanguage(target);
}

/** Leaves out the files that runs created in the checkout's examples. */
function stageExamples(to) {
  const excludedNames = /[\\/](\.svc|\.venv|uv\.lock|__pycache__)$/;
  cpSync(join(ROOT, 'examples'), to, { recursive: true, filter: (source) => !excludedNames.test(source) });
}

/** What the last build of the server made; `dist` may hold chunks of earlier ones. */
function serverFiles() {
  const builtFiles = ['server', 'worker', 'harness', 'shell'].flatMap(
    (name) => readStamp(name)?.outputs ?? [],
  );
  return builtFiles.filter((path) => !path.startsWith('dist/shell/') && !path.endsWith('.map'));
}

/** Lays out the app's own archive: the shell, under a manifest that names nothing else. */
export function stageShell() {
  const app = join(STAGE, 'app');
  const { name, version, description, license } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  );
  rmSync(app, { recursive: true, force: true });
  cpSync(join(DIST, 'shell'), app, { recursive: true });
  // Of the windows, on Linux; elsewhere the program's own is shown.
  cpSync(join(ROOT, 'packaging', 'icons', '256x256.png'), join(app, 'icon.png'));
  const manifest = {
    name,
    productName: 'Cellar',
    version,
    description,
    license,
    author: AUTHOR,
    main: 'main.cjs',
  };
  writeFileSync(join(app, 'package.json'), JSON.stringify(manifest, null, 2));
}

function copyPackage(name, isShipped, server) {
  const from = join(ROOT, 'node_modules', name);
  if (!existsSync(from)) throw new Stop(`${name} is not installed, and the app needs it.`);
  const files = readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(from, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter(isShipped);
  if (files.length === 0) throw new Stop(`${name} has none of the files it is shipped with.`);
  for (const file of files) cpSync(join(from, file), join(server, 'node_modules', name, file));
}

/** uv for the target from its hash-pinned wheel; an existing one is kept. */
async function stageUv(target) {
  const { UV_REQUIREMENT, UV_VERSION } = await import('../../src-main/environment/uv/uvWheel.ts');
  const program = target.startsWith('win32') ? 'uv.exe' : 'uv';
  const folder = join(stageFolder(target), 'uv', target);
  const versionStamp = join(stageFolder(target), `uv-${UV_VERSION}`);
  if (existsSync(join(folder, program)) && existsSync(versionStamp)) return;
  say(`fetching uv ${UV_VERSION} for ${target} …`);
  const scratch = mkdtempSync(join(STAGE, 'uv-'));
  try {
    const requirements = join(scratch, 'requirements.txt');
    writeFileSync(requirements, `${UV_REQUIREMENT}\n`);
    await must('python3', [
      ...['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:', '--require-hashes'],
      ...['--platform', UV_WHEELS[target], '--disable-pip-version-check', '-d', scratch, '-r', requirements],
    ]);
    const wheel = readdirSync(scratch).find((name) => name.endsWith('.whl'));
    await must('python3', ['-m', 'zipfile', '-e', join(scratch, wheel ?? ''), join(scratch, 'wheel')]);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    renameSync(join(scratch, 'wheel', `uv-${UV_VERSION}.data`, 'scripts', program), join(folder, program));
    chmodSync(join(folder, program), 0o755);
    writeFileSync(versionStamp, '');
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The language server and its stubs for the target, from their hash-pinned wheels; existing ones are kept. */
async function stageLanguage(target) {
  const { TOOL_REQUIREMENTS, TOOLS_NAME } = await import('../../src-main/lsp/tools/toolWheels.ts');
  const program = target.startsWith('win32') ? 'ty.exe' : 'ty';
  const folder = join(stageFolder(target), 'language', target);
  const versionStamp = join(stageFolder(target), TOOLS_NAME);
  if (existsSync(join(folder, 'bin', program)) && existsSync(versionStamp)) return;
  say(`fetching the Python language server for ${target} …`);
  const scratch = mkdtempSync(join(STAGE, 'language-'));
  try {
    const requirements = join(scratch, 'requirements.txt');
    writeFileSync(requirements, `${TOOL_REQUIREMENTS.join('\n')}\n`);
    await must('python3', [
      ...['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:', '--require-hashes'],
      // The stubs require a newer Python than this machine may have; they are never run.
      ...['--platform', UV_WHEELS[target], '--python-version', '3.13', '--disable-pip-version-check'],
      ...['-d', scratch, '-r', requirements],
    ]);
    const unpacked = join(scratch, 'unpacked');
    for (const wheel of readdirSync(scratch).filter((name) => name.endsWith('.whl')))
      await must('python3', ['-m', 'zipfile', '-e', join(scratch, wheel), unpacked]);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(join(folder, 'bin'), { recursive: true });
    const scripts = readdirSync(unpacked).find((name) => /^ty-.*\.data$/.test(name)) ?? '';
    renameSync(join(unpacked, scripts, 'scripts', program), join(folder, 'bin', program));
    chmodSync(join(folder, 'bin', program), 0o755);
    renameSync(join(unpacked, 'pandas-stubs'), join(folder, 'pandas-stubs'));
    for (const licence of readdirSync(unpacked).filter((name) => name.endsWith('.dist-info')))
      renameSync(join(unpacked, licence), join(folder, licence));
    writeFileSync(versionStamp, '');
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function must(file, args) {
  const { code, stderr } = await capture(file, args);
  if (code !== 0)
    throw new Stop(`a tool of the app could not be fetched: ${stderr.trim().split('\n').at(-1) ?? code}`);
}
