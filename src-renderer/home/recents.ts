import { z } from 'zod';

const recent = z.object({ path: z.string(), name: z.string(), openedAtMs: z.number() });
export type Recent = z.infer<typeof recent>;

const KEY = 'cellar.recents';
const MAX_RECENTS = 20;

/** Notebooks opened in this browser, newest first. A list that cannot be read counts as empty. */
export function readRecents(): readonly Recent[] {
  const kept = localStorage.getItem(KEY);
  if (kept === null) return [];
  try {
    return z.array(recent).parse(JSON.parse(kept));
  } catch (error) {
    console.warn('the list of recent notebooks could not be read and starts anew', error);
    return [];
  }
}

export function rememberRecent(path: string, name: string): void {
  const rest = readRecents().filter((one) => one.path !== path);
  write([{ path, name, openedAtMs: Date.now() }, ...rest].slice(0, MAX_RECENTS));
}

export function forgetRecent(path: string): void {
  write(readRecents().filter((one) => one.path !== path));
}

function write(recents: readonly Recent[]): void {
  localStorage.setItem(KEY, JSON.stringify(recents));
}
