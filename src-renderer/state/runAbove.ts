/** Setting: runs that need other cells do not ask. */

import * as z from 'zod';

/**
 * Notebooks whose cells run what they need above them without asking first. A person's own choice, so it is stored in
 * this browser and not in the notebook.
 */

const KEY = 'cellar.runAbove';
/** The oldest choices are forgotten first. */
const MOST = 200;
const paths = z.array(z.string());

/** The part of `localStorage` this needs. A browser may forbid it. */
interface ChoiceStorage {
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
}

/** Used in place of a storage that is forbidden or full: the choice lasts as long as the page. */
let inThisWindow: readonly string[] | null = null;

/** @param path the notebook's folder; null before it is known */
export function runsAbove(
  path: string | null,
  storage: ChoiceStorage | undefined = globalThis.localStorage,
): boolean {
  return path !== null && chosen(storage).includes(path);
}

export function setRunsAbove(
  path: string,
  on: boolean,
  storage: ChoiceStorage | undefined = globalThis.localStorage,
): void {
  const others = chosen(storage).filter((other) => other !== path);
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

function chosen(storage: ChoiceStorage | undefined): readonly string[] {
  if (inThisWindow !== null) return inThisWindow;
  try {
    const parsed = paths.safeParse(JSON.parse(storage?.getItem(KEY) ?? '[]'));
    return parsed.success ? parsed.data : [];
  } catch (_forbiddenOrDamaged) {
    return [];
  }
}
