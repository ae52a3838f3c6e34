/** Computes the fingerprint of a local folder that is mounted, which shows whether its files have changed. */

import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AskThread } from '../lib/askThread.ts';
import { nullIfMissing } from '../lib/atomicFile.ts';

/** A digest of the state of a folder's files. */
interface FolderPrint {
  readonly token: string;
  readonly files: number;
  readonly bytes: number;
}

/** A larger folder is walked in a separate thread. */
const SMALL_ENTRIES = 400;

/**
 * The fingerprint of a folder: every file's path, size and change time, sorted (docs/spec/outside-data.md, 1). Large
 * folders are walked off the event loop; links to folders are not followed, so that there are no cycles.
 * @throws as `readdir` and `stat` do
 */
export async function folderPrint(dir: string): Promise<FolderPrint> {
  return (await smallPrint(dir)) ?? shared.ask(dir);
}

interface Found {
  readonly name: string;
  readonly line: string;
  readonly bytes: number;
}

/** The fingerprint of a small folder, the same as the thread computes; null once the folder turns out to be large. */
async function smallPrint(dir: string): Promise<FolderPrint | null> {
  const files: Found[] = [];
  let entries = 0;
  const walk = async (folder: string, prefix: string): Promise<boolean> => {
    const listed = await readdir(folder, { withFileTypes: true });
    entries += listed.length;
    if (entries > SMALL_ENTRIES) return false;
    for (const entry of listed) {
      const name = prefix + entry.name;
      if (entry.isDirectory()) {
        if (!(await walk(join(folder, entry.name), `${name}/`))) return false;
        continue;
      }
      // A file removed during the walk, or a dangling link.
      const stats = await stat(join(folder, entry.name), { bigint: true }).catch(nullIfMissing);
      if (stats === null) files.push({ name, line: `${name}:gone`, bytes: 0 });
      else files.push({ name, line: `${name}:${stats.size}:${stats.mtimeNs}`, bytes: Number(stats.size) });
    }
    return true;
  };
  if (!(await walk(dir, ''))) return null;
  files.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const hash = createHash('sha256');
  for (const { line } of files) hash.update(`${line}\n`);
  const bytes = files.reduce((sum, { bytes: size }) => sum + size, 0);
  return { token: hash.digest('hex'), files: files.length, bytes };
}

/** One thread for the whole process; its program does the same as {@link smallPrint}. */
const shared = new AskThread<string, FolderPrint>({
  name: 'folders',
  code: `
const { createHash } = require('node:crypto');
const { readdirSync, statSync } = require('node:fs');
const { join } = require('node:path');
function walk(folder, prefix, found) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = prefix + entry.name;
    if (entry.isDirectory()) { walk(join(folder, entry.name), name + '/', found); continue; }
    const seen = statSync(join(folder, entry.name), { bigint: true, throwIfNoEntry: false });
    found.push(seen === undefined ? { name, line: name + ':gone', bytes: 0 }
      : { name, line: name + ':' + seen.size + ':' + seen.mtimeNs, bytes: Number(seen.size) });
  }
}
function answer(dir) {
  const found = [];
  walk(dir, '', found);
  found.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const hash = createHash('sha256');
  let bytes = 0;
  for (const one of found) { hash.update(one.line + '\\n'); bytes += one.bytes; }
  return { token: hash.digest('hex'), files: found.length, bytes };
}`,
});
