/** Watches the files that runs were seen to use, so that changed ones make cells stale. */

import { type FSWatcher, watch } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { observingCells } from '../keys/observed.ts';
import type { SessionState } from '../state/state.ts';
import type { DataWatch } from './dataWatch.ts';

/** Combines several watches into one. */
export function combineWatches(...watches: readonly DataWatch[]): DataWatch {
  return {
    follow(state) {
      for (const watch of watches) watch.follow(state);
    },
    close() {
      for (const watch of watches) watch.close();
    },
  };
}

/** A write in several steps counts as one change. */
const SETTLE_MS = 100;
/** Interval of checks without a reported change. */
const PAUSE_MS = 3_000;
/** Maximum number of watched folders; the others are checked by the timer. */
const MAX_FOLDERS = 64;

/**
 * Triggers a check of the files that runs used, whenever one of them may have changed. States: quiet (no
 * facts: no timer, no watch) ⇄ watching (one timer, a watch per folder) → closed. @param look performs the
 * check; cheap, a stat for each file
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
      // Missing or not watchable: the timer triggers the checks.
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
  };

  return {
    follow(state) {
      // In an untrusted folder, the files its results name are not checked.
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
        if (watchers.size >= MAX_FOLDERS) break;
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
