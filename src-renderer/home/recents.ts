/**
 * The list of notebooks that were opened in this browser. It is stored in the browser; the server only checks which of
 * them still exist.
 */

import * as z from 'zod';

const recent = z.object({
  path: z.string(),
  name: z.string(),
  openedAtMs: z.number(),
  pinned: z.boolean().default(false),
});
export type Recent = z.infer<typeof recent>;

const KEY = 'cellar.recents';
/** Above this number, the notebooks opened longest ago are removed; pinned ones never are. */
const MAX_RECENTS = 500;

/** The list if localStorage is forbidden or full; it then lasts as long as this page. */
let inThisWindow: string | null = null;

function stored(): string | null {
  try {
    return inThisWindow ?? localStorage.getItem(KEY);
  } catch (_forbidden) {
    return null;
  }
}

function keep(text: string): void {
  try {
    localStorage.setItem(KEY, text);
    inThisWindow = null;
  } catch (error) {
    console.warn('the list of recent notebooks cannot be stored in this browser', error);
    inThisWindow = text;
  }
}

/** Pinned first, then newest first. A list that cannot be read counts as empty. */
export function readRecents(): readonly Recent[] {
  const text = stored();
  if (text === null) return [];
  try {
    return inOrder(z.array(recent).parse(JSON.parse(text)));
  } catch (error) {
    console.warn('could not read the list of recent notebooks; starting with an empty one', error);
    return [];
  }
}

/** Puts a notebook at the top; a pinned one stays pinned. */
export function rememberRecent(path: string, name: string): void {
  const all = readRecents();
  const pinned = all.find((one) => one.path === path)?.pinned ?? false;
  const rest = all.filter((one) => one.path !== path);
  writeRecents([{ path, name, openedAtMs: Date.now(), pinned }, ...rest]);
}

export function forgetRecent(path: string): void {
  writeRecents(readRecents().filter((one) => one.path !== path));
}

export function pinRecent(path: string, pinned: boolean): void {
  writeRecents(readRecents().map((one) => (one.path === path ? { ...one, pinned } : one)));
}

/** Replaces the list, to undo a removal. */
export function writeRecents(recents: readonly Recent[]): void {
  keep(JSON.stringify(inOrder(recents).slice(0, MAX_RECENTS)));
}

function inOrder(recents: readonly Recent[]): readonly Recent[] {
  return [...recents].sort((a, b) => Number(b.pinned) - Number(a.pinned) || b.openedAtMs - a.openedAtMs);
}
