/** Installs the npm packages of package-lock.json for the scripts of this checkout, and finds the npm to do it with. */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, Stop, say } from './project.mjs';
import { run } from './run.mjs';

const LOCK = join(ROOT, 'package-lock.json');
const MODULES = join(ROOT, 'node_modules');
/** Inside node_modules, so that deleting that folder deletes the claim too. */
const STAMP = join(MODULES, '.cellar-stamp');

/**
 * Installs the packages when they are missing or the lock has changed. Install scripts are off: nothing here needs one,
 * and tree-sitter-python's would need a compiler.
 */
export async function ensureDependencies() {
  const digest = createHash('sha256').update(readFileSync(LOCK)).digest('hex');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === digest) return;
  if (!matchesLock()) {
    say('installing the locked npm packages (npm ci; about a minute the first time) …');
    const [file, args] = npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
    // npm's output goes to stderr: stdout belongs to the requested command.
    const code = await run(file, args, { stdio: ['ignore', 2, 2] });
    if (code !== 0) {
      throw new Stop(
        `npm ci ended with exit code ${code}; its output is above. Is the package registry reachable?`,
      );
    }
  }
  writeFileSync(STAMP, digest);
}

/** True when an installation outside these scripts (a manual `npm ci`) matches the lock exactly. */
function matchesLock() {
  const hidden = join(MODULES, '.package-lock.json');
  if (!existsSync(hidden)) return false;
  const lockedPackages = JSON.parse(readFileSync(LOCK, 'utf8')).packages;
  const present = JSON.parse(readFileSync(hidden, 'utf8')).packages;
  return Object.entries(lockedPackages).every(([path, { version, optional, devOptional }]) => {
    if (path === '') return true;
    if (!(path in present)) return optional === true || devOptional === true;
    return present[path].version === version && existsSync(join(ROOT, path));
  });
}

/** The npm that started this process, else the one on the PATH. */
export function npm(args) {
  const script = process.env.npm_execpath;
  if (script?.endsWith('.js') && existsSync(script)) return [process.execPath, [script, ...args]];
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm', args];
}
