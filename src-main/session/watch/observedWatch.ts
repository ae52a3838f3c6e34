import { type FSWatcher, watch } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { observingCells } from '../keys/observed.ts';
import type { SessionState } from '../state/state.ts';
import type { DataWatch } from './dataWatch.ts';

/** Follows all of them as one. */
export function together(...watches: readonly DataWatch[]): DataWatch {
  return {
    follow(state) {
      for (const watch of watches) watch.follow(state);
    },
    close() {
      for (const watch of watches) watch.close();
    },
  };
}

/** What is written in several steps is one change. */
const SETTLE_MS = 100;
/** How often a look is asked for although nothing said that something changed. */
const PAUSE_MS = 3_000;
/** Folders watched at the same time; the others are looked at by the clock. */
const MOST_FOLDERS = 64;

/**
 * Asks for a look at the files runs were seen to use, whenever one of them may have changed.
 * States: quiet (no facts: no timer, no watch) ⇄ watching (one timer, a watch per folder) → closed.
 * @param look takes a look; cheap, a stat for each file
 */
export function createObservedWatch(look: () => void): DataWatch {
  const watchers = new Map<string, FSWatcher>();
  let seenCells: SessionState['cells'] | null = null;
  let due: NodeJS.Timeout | null = null;
  let dueAtMs = Number.POSITIVE_INFINITY;
  let closed = false;

  const plan = (delayMs: number): void => {
    const at = Date.now() + delayMs;
    if (closed || at >= dueAtMs) return;
    if (due !== null) clearTimeout(due);
    dueAtMs = at;
    due = setTimeout(() => {
      due = null;
      dueAtMs = Number.POSITIVE_INFINITY;
      if (watchers.size > 0 || isWatching) plan(PAUSE_MS);
      look();
    }, delayMs);
    due.unref();
  };
  let isWatching = false;

  const stop = (): void => {
    if (due !== null) clearTimeout(due);
    due = null;
    dueAtMs = Number.POSITIVE_INFINITY;
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  };

  const begin = (folder: string): void => {
    try {
      const watcher = watch(folder, { persistent: false }, () => plan(SETTLE_MS));
      watcher.on('error', () => plan(SETTLE_MS));
      watchers.set(folder, watcher);
    } catch (error) {
      // Not there, or not to be watched: the clock asks for a look.
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
  };

  return {
    follow(state) {
      // Of a folder that nobody trusts, what its results name is not looked at.
      if (closed || state.cells === seenCells || !state.trusted) return;
      seenCells = state.cells;
      const folders = foldersOf(state);
      isWatching = folders.size > 0;
      for (const [folder, watcher] of watchers) {
        if (folders.has(folder)) continue;
        watcher.close();
        watchers.delete(folder);
      }
      for (const folder of folders) {
        if (watchers.size >= MOST_FOLDERS) break;
        if (!watchers.has(folder)) begin(folder);
      }
      if (isWatching) plan(PAUSE_MS);
      else stop();
    },
    close() {
      closed = true;
      stop();
    },
  };
}

const NO_FOLDERS: ReadonlySet<string> = new Set();

function foldersOf(state: SessionState): ReadonlySet<string> {
  let folders: Set<string> | null = null;
  for (const [, observed] of observingCells(state.cells)) {
    for (const { reads, absent, listed, wrote } of observed) {
      const files = [...reads.map(({ path }) => path), ...absent, ...wrote.map(({ path }) => path)];
      if (files.length === 0 && listed.length === 0) continue;
      folders ??= new Set();
      const place = (path: string): string => (isAbsolute(path) ? path : join(state.path, path));
      for (const path of files) folders.add(dirname(place(path)));
      for (const { path } of listed) folders.add(place(path));
    }
  }
  return folders ?? NO_FOLDERS;
}
