/** Finds or downloads Electron for `npm start`, and decides between the desktop window and the browser. */

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT, Stop, say } from './project.mjs';
import { capture } from './run.mjs';

/** npm's package of Electron. Its program is a separate download, which the package makes at its first use. */
const ELECTRON_PACKAGE = join(ROOT, 'node_modules', 'electron');
const MEBIBYTE = 2 ** 20;

/**
 * How to show Cellar. Downloads Electron if it is missing and there is a screen.
 * @returns `{electron}`, its program, or `{browser}`, the reason why the browser is used instead
 */
export async function chooseView({
  args = process.argv.slice(2),
  env = process.env,
  platform = process.platform,
  home = ELECTRON_PACKAGE,
} = {}) {
  if (args.includes('--browser')) return { browser: 'as requested by --browser' };
  if (env.CELLAR_ELECTRON) {
    if (!existsSync(env.CELLAR_ELECTRON))
      throw new Stop(`there is no ${env.CELLAR_ELECTRON} (CELLAR_ELECTRON).`);
    if (hasScreen(platform, env)) return { electron: env.CELLAR_ELECTRON };
  }
  if (!hasScreen(platform, env))
    return { browser: 'there is no screen here (DISPLAY and WAYLAND_DISPLAY are not set)' };
  const electron = findElectron(home);
  if (electron !== null) return { electron };
  const problem = await bringElectron(home, env);
  const downloadedElectron = problem === null ? findElectron(home) : null;
  if (downloadedElectron !== null) return { electron: downloadedElectron };
  return {
    browser: `Electron could not be downloaded (${problem ?? 'its program is missing afterwards'}); the next start tries again`,
  };
}

function hasScreen(platform, env) {
  return platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/** The program of the installed Electron, if it is there whole and of the package's version; else null. */
function findElectron(home = ELECTRON_PACKAGE) {
  try {
    const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
    const path = join(home, 'dist', readFileSync(join(home, 'path.txt'), 'utf8').trim());
    const is = readFileSync(join(home, 'dist', 'version'), 'utf8')
      .trim()
      .replace(/^v/, '');
    return is === version && existsSync(path) ? path : null;
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Downloads Electron by its package's own means: its cache, its checksums, and its settings for mirrors
 * (`ELECTRON_MIRROR`, `npm_config_electron_mirror`, …).
 * @returns null, or a short reason for the failure
 */
async function bringElectron(home, env) {
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  say(`downloading Electron ${version} for the desktop window, once …`);
  // A separate process: the settings are read from its environment, and Node handles the proxy.
  const { code, stderr } = await capture(
    process.execPath,
    [join(ROOT, 'scripts', 'lib', 'bringElectron.mjs'), home],
    {
      env: { NODE_USE_ENV_PROXY: '1', ...env },
      onErrorLine: (line) => {
        const progress = PROGRESS.exec(line);
        if (progress !== null) say(`Electron: ${progress[1]}`);
        return progress === null;
      },
    },
  );
  if (code === 0) return null;
  const words = stderr.split('\n').filter((line) => line.trim() !== '' && !/^\s+at /.test(line));
  return words.at(-1)?.trim() || `exit code ${code}`;
}

const PROGRESS = /^progress: (.*)$/;

/**
 * In a separate process: downloads what the package's `install.js` unpacks, reporting progress, and has it unpacked.
 * @throws Error when the file cannot be downloaded, or is not the one the package names
 */
export async function download(home) {
  const require = createRequire(join(home, 'install.js'));
  const { downloadArtifact } = require('@electron/get');
  const { version } = require('./package.json');
  const { env } = process;
  let printedTenths = 0;
  await downloadArtifact({
    version,
    artifactName: 'electron',
    force: env.force_no_cache === 'true',
    cacheRoot: env.electron_config_cache,
    checksums:
      env.electron_use_remote_checksums || env.npm_config_electron_use_remote_checksums
        ? undefined
        : require('./checksums.json'),
    platform: env.ELECTRON_INSTALL_PLATFORM || env.npm_config_platform || process.platform,
    arch: env.ELECTRON_INSTALL_ARCH || env.npm_config_arch || process.arch,
    downloadOptions: {
      quiet: true,
      async getProgressCallback({ transferred, total }) {
        const tenth =
          total === null ? Math.floor(transferred / (10 * MEBIBYTE)) : Math.floor((10 * transferred) / total);
        if (tenth <= printedTenths) return;
        printedTenths = tenth;
        const of = total === null ? '' : ` of ${Math.ceil(total / MEBIBYTE)}`;
        process.stderr.write(`progress: ${Math.ceil(transferred / MEBIBYTE)}${of} MiB\n`);
      },
    },
  });
  // Finds the file in the cache and ends this process if it cannot unpack it.
  require('./install.js');
}
