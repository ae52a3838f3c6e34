/** The setting whether long console lines wrap: one for all consoles, stored in localStorage. */

import { useSyncExternalStore } from 'react';

/** The localStorage key of the setting. */
const KEY = 'cellar.console.wrap';
const listeners = new Set<() => void>();
let isWrapping: boolean | null = null;

function read(): boolean {
  if (isWrapping !== null) return isWrapping;
  try {
    isWrapping = localStorage.getItem(KEY) === 'yes';
  } catch (_forbidden) {
    isWrapping = false;
  }
  return isWrapping;
}

function choose(wrap: boolean): void {
  isWrapping = wrap;
  try {
    localStorage.setItem(KEY, wrap ? 'yes' : 'no');
  } catch (error) {
    console.warn('the choice to wrap long lines cannot be stored in this browser', error);
  }
  for (const listener of listeners) listener();
}

function watch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useWrap(): [boolean, (wrap: boolean) => void] {
  return [useSyncExternalStore(watch, read), choose];
}
