import { useSyncExternalStore } from 'react';

/** Whether long console lines are wrapped: one choice for all consoles, kept. */
const KEY = 'cellar.console.wrap';
const listeners = new Set<() => void>();
let chosen: boolean | null = null;

function read(): boolean {
  chosen ??= localStorage.getItem(KEY) === 'yes';
  return chosen;
}

function choose(wrap: boolean): void {
  chosen = wrap;
  localStorage.setItem(KEY, wrap ? 'yes' : 'no');
  for (const listener of listeners) listener();
}

function watch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useWrap(): [boolean, (wrap: boolean) => void] {
  return [useSyncExternalStore(watch, read), choose];
}
