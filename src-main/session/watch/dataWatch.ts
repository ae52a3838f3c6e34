/** Checks the external data of a notebook's cells between runs, so that statuses follow changes of the data. */

import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { DataAccess } from '../../mount/dataAccess.ts';
import type { DataFact, DataItem } from '../../mount/dataItem.ts';
import { allData } from '../keys/data.ts';
import type { SessionState } from '../state/state.ts';

interface DataWatchOptions {
  readonly data: DataAccess;
  /** Called with checks that show a change. */
  readonly onSeen: (facts: readonly DataFact[]) => void;
  readonly onError: (error: unknown) => void;
  /** Minimum interval between requests to a server that only update a status, in ms. */
  readonly remoteMs: number;
  /** The path of local data; null if no folder watch can see it. */
  readonly pathOf: (item: DataItem) => string | null;
}

/** Checks the external data of cells between runs, so that their statuses follow it. */
export interface DataWatch {
  /** Call after every event; cheap without external data. */
  follow(state: SessionState): void;
  close(): void;
}

/** A write in several steps counts as one change. */
const SETTLE_MS = 150;
/** Interval of checks without a reported change: watches do not see sub-folders. */
const LOCAL_MS = 5_000;
/** A check may take at most 1/SHARE of the time between two checks. */
const SHARE = 20;

interface WatchedItem {
  readonly item: DataItem;
  readonly path: string | null;
  watchers: FSWatcher[];
  dueAtMs: number;
}

/**
 * States: quiet (nothing to check: no timer, no watch) ⇄ watching (one timer for the next check that is due,
 * one watch a local place) → closed. Checks never overlap.
 */
export function createDataWatch(options: DataWatchOptions): DataWatch {
  const watched = new Map<string, WatchedItem>();
  const closing = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  let looking = false;
  let seenCells: SessionState['cells'] | null = null;
  let seenFile: SessionState['file'] | null = null;
  let last: SessionState['data'] = new Map();

  const schedule = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (watched.size === 0 || looking || closing.signal.aborted) return;
    const due = Math.min(...Array.from(watched.values(), ({ dueAtMs }) => dueAtMs));
    timer = setTimeout(() => void look(), Math.max(SETTLE_MS, due - Date.now()));
    timer.unref();
  };

  const look = async (): Promise<void> => {
    timer = null;
    looking = true;
    const now = Date.now();
    const due = [...watched.values()].filter(({ dueAtMs }) => dueAtMs <= now + SETTLE_MS);
    for (const one of due) one.dueAtMs = Number.POSITIVE_INFINITY;
    try {
      const facts = await options.data.check(
        due.map(({ item }) => item),
        { purpose: 'status', signal: closing.signal },
      );
      const tookMs = Date.now() - now;
      for (const one of due) {
        const pause = Math.max(one.path === null ? options.remoteMs : LOCAL_MS, tookMs * SHARE);
        one.dueAtMs = Math.min(one.dueAtMs, Date.now() + pause);
      }
      if (closing.signal.aborted) return;
      const news = facts.filter((fact) => !saysTheSame(last.get(fact.key), fact));
      if (news.length > 0) options.onSeen(news);
    } catch (error) {
      for (const one of due) one.dueAtMs = Math.min(one.dueAtMs, Date.now() + options.remoteMs);
      options.onError(error);
    } finally {
      looking = false;
      schedule();
    }
  };

  const openWatch = (one: WatchedItem): void => {
    const { path } = one;
    if (path === null) return;
    const changed = (): void => {
      one.dueAtMs = Math.min(one.dueAtMs, Date.now() + SETTLE_MS);
      schedule();
    };
    // The parent folder reports when data is written, replaced, created and removed; its own folder reports
    // its content.
    const name = basename(path);
    const places: readonly (readonly [string, (file: string | null) => boolean])[] = [
      [dirname(path), (file) => file === null || file === name],
      [path, () => true],
    ];
    for (const [place, isOurs] of places) {
      try {
        const watcher = watch(place, { persistent: false }, (_kind, file) => {
          if (isOurs(file)) changed();
        });
        watcher.on('error', changed);
        one.watchers.push(watcher);
      } catch (_unwatchable) {
        // Missing or not watchable: checked by the timer only.
      }
    }
  };

  return {
    follow(state) {
      // Files and servers that an untrusted folder names are not contacted before the user trusts it.
      if (!state.trusted) return;
      last = state.data;
      if (closing.signal.aborted || (state.cells === seenCells && state.file === seenFile)) return;
      seenCells = state.cells;
      seenFile = state.file;
      const items = allData(state);
      if (items.size === 0 && watched.size === 0) return;
      for (const [key, one] of watched) {
        if (items.has(key)) continue;
        stop(one);
        watched.delete(key);
      }
      for (const [key, item] of items) {
        if (watched.has(key)) continue;
        const path = options.pathOf(item);
        const isKnown = state.data.has(key);
        const dueAtMs = Date.now() + (isKnown ? (path === null ? options.remoteMs : LOCAL_MS) : SETTLE_MS);
        const one: WatchedItem = { item, path, watchers: [], dueAtMs };
        watched.set(key, one);
        openWatch(one);
      }
      schedule();
    },
    close() {
      closing.abort();
      if (timer !== null) clearTimeout(timer);
      for (const one of watched.values()) stop(one);
      watched.clear();
    },
  };
}

function stop(one: WatchedItem): void {
  for (const watcher of one.watchers) watcher.close();
  one.watchers = [];
}

function saysTheSame(a: DataFact | undefined, b: DataFact): boolean {
  return a !== undefined && a.token === b.token && a.problem === b.problem;
}
