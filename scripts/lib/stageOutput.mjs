/** The output of test stages that run at the same time: each has its own file, printed whole when the stage ends. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from './project.mjs';

/** The file that the running stage prints to; without one, our own streams. */
const current = new AsyncLocalStorage();

/** Where a stage leaves its report, its output, and the logs and pictures of its failed tests. */
export function folderOf(stage) {
  return join(CACHE, 'test-reports', stage.replaceAll(' ', '-'));
}

/** Removes what an earlier run left there. */
export function clearFolder(stage) {
  rmSync(folderOf(stage), { recursive: true, force: true });
  mkdirSync(folderOf(stage), { recursive: true });
}

/** Prints a text of the stage that runs. */
export function print(text) {
  const file = current.getStore();
  if (file === undefined) process.stdout.write(text);
  else writeSync(file, text);
}

/** The streams for a child process that was given `stdio`: those of the stage that runs, if it has any. */
export function streamsOf(stdio) {
  const file = current.getStore();
  if (file === undefined || stdio === 'pipe') return stdio;
  return (Array.isArray(stdio) ? stdio : [stdio, stdio, stdio]).map((one, at) =>
    at === 0 || one === 'ignore' ? 'ignore' : file,
  );
}

/** Runs a stage whose output goes to a file, and prints all of it at the end, even when it throws. */
export async function withOwnOutput(stage, body) {
  const path = join(folderOf(stage), 'output.log');
  const file = openSync(path, 'w');
  try {
    return await current.run(file, body);
  } finally {
    closeSync(file);
    process.stdout.write(`\n== ${stage}\n${readFileSync(path, 'utf8')}`);
  }
}
