/**
 * Makes the scripts run on a Node that is new enough: restarts the running script under the Node of the dependencies.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, Stop } from './project.mjs';
import { run } from './run.mjs';

/** better-sqlite3 segfaults below Node-API 10, which came with this version. */
const LOWEST = [22, 14];

function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > LOWEST[0] || (major === LOWEST[0] && minor >= LOWEST[1]);
}

/** The Node that runs Cellar: this one if it is new enough, else the one that came with the dependencies; or null. */
function findNode() {
  if (isNewEnough(process.versions.node)) return process.execPath;
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  const path = join(ROOT, 'node_modules', `node-${platform}-${process.arch}`, 'bin', file);
  return existsSync(path) ? path : null;
}

/**
 * Starts the running script again under a Node that is new enough, with the same arguments, and waits for it.
 * @returns null when this process is that Node already, else the exit code to end with
 * @throws Stop when there is no such Node, saying what to do
 */
export async function underNode() {
  if (isNewEnough(process.versions.node)) return null;
  const node = findNode();
  if (node === null) {
    throw new Stop(
      `this is Node ${process.versions.node}; Cellar needs ${LOWEST.join('.')} or newer, and none comes ready-made ` +
        `for ${process.platform} ${process.arch}. Install a current Node and start again.`,
    );
  }
  return run(node, process.argv.slice(1), { cwd: process.cwd() });
}
