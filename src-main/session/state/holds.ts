/** The holds of a server on notebooks and folders: while one lasts, nothing runs or is written there. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import { isWithin } from '../../notebook/removeNotebook.ts';

/**
 * A folder in which nothing runs and nothing is written (docs/spec/rest-notebooks.md, 4). `draining`: new runs are
 * refused, current ones may end and write; `held`: writes are refused too.
 */
export interface Hold {
  /** Absolute, with links resolved. */
  readonly path: string;
  phase: 'draining' | 'held';
  /** When it expires, epoch milliseconds; null while it drains. */
  expiresAtMs: number | null;
}

/** The holds of one server process; they end with it. */
export interface Holds {
  /** The hold that covers a folder. */
  over(dir: string): Hold | null;
  /** @throws AppError NOTEBOOK_QUIESCED if a parent, a subfolder or the folder itself has a hold */
  take(path: string): Hold;
  /** From now on nothing is written; it ends after `maxMs`. False if it was released in the meantime. */
  settle(hold: Hold, maxMs: number): boolean;
  /** False if exactly this folder is not held. */
  release(path: string): boolean;
  close(): void;
}

/** Creates the holds of one process. @param now milliseconds since the epoch */
export function createHolds(onReleased: (path: string) => void, now: () => number = Date.now): Holds {
  const holds = new Map<string, { readonly hold: Hold; timer: NodeJS.Timeout | null }>();
  const release = (path: string): boolean => {
    const hold = holds.get(path);
    if (hold === undefined) return false;
    if (hold.timer !== null) clearTimeout(hold.timer);
    holds.delete(path);
    onReleased(path);
    return true;
  };
  return {
    over(dir) {
      for (const { hold } of holds.values()) if (isWithin(dir, hold.path)) return hold;
      return null;
    },
    take(path) {
      for (const { hold } of holds.values()) {
        if (isWithin(path, hold.path) || isWithin(hold.path, path)) {
          throw new AppError('NOTEBOOK_QUIESCED', `${hold.path} is already on hold. Release it first.`);
        }
      }
      const hold: Hold = { path, phase: 'draining', expiresAtMs: null };
      holds.set(path, { hold, timer: null });
      return hold;
    },
    settle(hold, maxMs) {
      const current = holds.get(hold.path);
      if (current?.hold !== hold) return false;
      hold.phase = 'held';
      hold.expiresAtMs = now() + maxMs;
      current.timer = setTimeout(() => release(hold.path), maxMs);
      current.timer.unref();
      return true;
    },
    release,
    close() {
      for (const { timer } of holds.values()) if (timer !== null) clearTimeout(timer);
      holds.clear();
    },
  };
}

/** The message of everything that a hold refuses. */
export const HELD_MESSAGE =
  'The notebook is on hold. Nothing runs or changes until the hold is released or expires.';
