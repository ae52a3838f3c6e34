/** The commands used last from the palette, stored in localStorage. */

import * as z from 'zod';

const KEY = 'cellar.commands.recent';
const MAX_RECENT = 5;
const storedIds = z.array(z.string());

/** The ids of those commands, newest first; empty if the stored list cannot be read. */
export function recentCommands(): readonly string[] {
  try {
    const parsed = storedIds.safeParse(JSON.parse(localStorage.getItem(KEY) ?? '[]'));
    return parsed.success ? parsed.data : [];
  } catch (error) {
    console.warn('the recently used commands could not be read', error);
    return [];
  }
}

export function rememberCommand(id: string): void {
  const ids = [id, ...recentCommands().filter((other) => other !== id)].slice(0, MAX_RECENT);
  try {
    localStorage.setItem(KEY, JSON.stringify(ids));
  } catch (error) {
    console.warn('the used command could not be stored', error);
  }
}
