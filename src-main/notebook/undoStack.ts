import { lstat, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type UndoStack, undoStack } from '../../src-shared/wire/undo.ts';
import { errnoOf, writeFileAtomic } from '../lib/atomicFile.ts';
import { NOT_PLAIN, readPlainFile } from '../lib/plainFile.ts';

/**
 * `.svc/undo.json`: what was done to the notebook and can be undone, as the window that did it recorded it. It may be
 * lost without harm to the notebook; whether an entry still applies is asked of the notebook when it is undone.
 */

const EMPTY: UndoStack = { done: [], undone: [] };

/** Entries kept of each side, and the characters of both; the oldest go first. */
export const MAX_KEPT_ENTRIES = 200;
export const MAX_KEPT_CHARACTERS = 2_000_000;

function pathOf(dir: string): string {
  return join(dir, '.svc', 'undo.json');
}

/** The kept stack. A damaged file is set aside as `undo.json.bad`, which is said in `problem`. */
export async function loadUndoStack(
  dir: string,
): Promise<{ readonly stack: UndoStack; readonly problem: string | null }> {
  const path = pathOf(dir);
  let text: string;
  try {
    text = (await readPlainFile(path)).toString('utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { stack: EMPTY, problem: null };
    if (errnoOf(error) !== NOT_PLAIN && errnoOf(error) !== 'ELOOP') throw error;
    text = '';
  }
  const parsed = undoStack.safeParse(jsonOf(text));
  if (parsed.success) return { stack: parsed.data, problem: null };
  await rm(`${path}.bad`, { recursive: true, force: true });
  await rename(path, `${path}.bad`);
  const problem =
    'What was done before cannot be undone: its record was damaged and is set aside as .svc/undo.json.bad.';
  return { stack: EMPTY, problem };
}

/** Keeps the newest of a stack. @returns how many entries can be undone after a restart */
export async function saveUndoStack(dir: string, stack: UndoStack): Promise<number> {
  const path = pathOf(dir);
  const found = await lstat(path).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  });
  // A link in its place would lead out of the notebook.
  if (found?.isSymbolicLink()) await rm(path);
  const kept = newestOf(stack);
  await writeFileAtomic(path, JSON.stringify(kept), { mode: 0o600 });
  return kept.done.length;
}

function newestOf({ done, undone }: UndoStack): UndoStack {
  let room = MAX_KEPT_CHARACTERS;
  const fitting = (entries: UndoStack['done']): UndoStack['done'] => {
    const kept: UndoStack['done'] = [];
    for (const entry of entries.slice(-MAX_KEPT_ENTRIES).reverse()) {
      room -= JSON.stringify(entry).length;
      // An entry below one that is gone could not be reached.
      if (room < 0) break;
      kept.unshift(entry);
    }
    return kept;
  };
  return { done: fitting(done), undone: fitting(undone) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
