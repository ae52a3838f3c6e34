/**
 * Stamps of builds: each records the files, by time and size, that something was built from, so that a build that is up
 * to date is skipped.
 */

import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { CACHE, ROOT } from './project.mjs';

/** The file of a stamp. Checking a stamp costs a stat per input (about 1 ms for 300), so every command can do it. */
function stampPath(name) {
  return join(CACHE, 'stamps', `${name}.json`);
}

/** The stamp as written, or null. */
export function readStamp(name) {
  try {
    return JSON.parse(readFileSync(stampPath(name), 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Whether no input has changed and every output exists; with `inputs`, also whether none was added. */
export function isFresh(stamp, inputs) {
  if (stamp === null) return false;
  if (inputs !== undefined && inputs.length !== Object.keys(stamp.inputs).length) return false;
  return (
    Object.entries(stamp.inputs).every(([path, mark]) => markOf(path) === mark) &&
    stamp.outputs.every((path) => statSync(join(ROOT, path), { throwIfNoEntry: false }) !== undefined)
  );
}

/** Marks of files as they are now; take them before building, so that an edit during the build makes it stale. */
export function marksOf(inputs) {
  return Object.fromEntries(inputs.map((path) => [path, markOf(path)]));
}

export function writeStamp(name, stamp) {
  writeWhole(stampPath(name), JSON.stringify(stamp));
}

function markOf(path) {
  const stats = statSync(join(ROOT, path), { throwIfNoEntry: false });
  return stats === undefined ? 'missing' : `${stats.mtimeMs}:${stats.size}`;
}

/** A concurrent reader, perhaps another command, sees the old file or the new one. */
export function writeWhole(path, data) {
  mkdirSync(dirname(path), { recursive: true });
  const temp = `${path}.${process.pid}.tmp`;
  writeFileSync(temp, data);
  renameSync(temp, path);
}

/** All files below a folder of the checkout, relative to it, but for those `skip` matches. */
export function filesBelow(folder, skip) {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath ?? entry.path, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !skip.test(path))
    .sort();
}
