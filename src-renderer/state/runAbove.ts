/**
 * Stores which notebooks run the cells that a cell needs without asking. This is a choice of the user, so it is stored in
 * this browser and not in the notebook.
 */

import * as z from 'zod';

const KEY = 'cellar.runAbove';
/** The most notebooks stored; the oldest choices are removed first. */
const MOST = 200;
const paths = z.array(z.string());

/** The part of `localStorage` that is needed; a browser may forbid it. */
interface ChoiceStorage {
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
}

/** Used if storage is forbidden or full: the choice then lasts as long as the page. */
let inThisWindow: readonly string[] | null = null;

/** @param path the notebook's folder; null before it is known */
export function runsAbove(
  path: string | null,
  storage: ChoiceStorage | undefined = globalThis.localStorage,
): boolean {
  return path !== null && storedChoices(storage).includes(path);
}

export function setRunsAbove(
  path: string,
  on: boolean,
  storage: ChoiceStorage | undefined = globalThis.localStorage,
): void {
  const others = storedChoices(storage).filter((other) => other !== path);
  const next = on ? [...others, path].slice(-MOST) : others;
  try {
    if (storage === undefined) inThisWindow = next;
    else {
      storage.setItem(KEY, JSON.stringify(next));
      inThisWindow = null;
    }
  } catch (_forbiddenOrFull) {
    inThisWindow = next;
  }
}

function storedChoices(storage: ChoiceStorage | undefined): readonly string[] {
  if (inThisWindow !== null) return inThisWindow;
  try {
    const parsed = paths.safeParse(JSON.parse(storage?.getItem(KEY) ?? '[]'));
    return parsed.success ? parsed.data : [];
  } catch (_forbiddenOrDamaged) {
    return [];
  }
}
