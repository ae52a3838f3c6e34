import { setImmediate as turn } from 'node:timers/promises';
import { AppError } from '../../../src-shared/wire/errors.ts';

/** A disk that sleeps wakes up in that time, mostly. */
const DEADLINE_MS = 5_000;
/** Looks that hang keep a thread of the pool each, and the pool has four. */
const MOST_HANGING = 2;

/**
 * Looks at folders that may never answer: one on a network that went away keeps whoever asks for as long as it likes.
 * A folder that is still being looked at is not looked at again.
 */
export interface FolderDeadline {
  /** @throws AppError conflict where the folder does not answer in time, and what `look` throws */
  within<T>(path: string, look: () => Promise<T>): Promise<T>;
}

export function createFolderDeadline(deadlineMs = DEADLINE_MS): FolderDeadline {
  const hanging = new Set<string>();
  return {
    async within(path, look) {
      if (hanging.has(path)) throw silent(path);
      if (hanging.size >= MOST_HANGING) {
        throw new AppError(
          'conflict',
          `Another folder is not responding: ${[...hanging][0]}. Try again in a moment.`,
        );
      }
      const looked = look().finally(() => hanging.delete(path));
      let timer: NodeJS.Timeout | null = null;
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(() => resolve('late'), deadlineMs);
      });
      try {
        const first = await Promise.race([looked.then((value) => ({ value })), late]);
        if (first !== 'late') return first.value;
        // A process that was busy for so long has the answer lying there: hear it first.
        const second = await Promise.race([
          looked.then((value) => ({ value })),
          turn().then(() => turn('late')),
        ]);
        if (typeof second === 'object') return second.value;
        hanging.add(path);
        looked.catch(() => undefined);
        throw silent(path);
      } finally {
        if (timer !== null) clearTimeout(timer);
      }
    },
  };
}

function silent(path: string): AppError {
  return new AppError(
    'conflict',
    `The folder ${path} is not responding. If it is on a network or external disk, check the connection, then try again.`,
  );
}
