/** Limits how long a check of a folder may take, because an unreachable network folder never answers. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../../src-shared/wire/errors.ts';

/** Most sleeping disks wake up within this time. */
const DEADLINE_MS = 5_000;
/** Each hanging check blocks a thread of the pool, which has four. */
const MAX_HANGING = 2;

/**
 * Checks of folders that may never answer: an unreachable network folder blocks its reader indefinitely. A
 * folder with a running check is not checked again.
 */
interface FolderDeadline {
  /** @throws AppError conflict if the folder does not answer in time, and what `look` throws */
  within<T>(path: string, look: () => Promise<T>): Promise<T>;
}

/** Creates the deadline for checks of folders. @param deadlineMs milliseconds */
export function createFolderDeadline(deadlineMs = DEADLINE_MS): FolderDeadline {
  const hanging = new Set<string>();
  return {
    async within(path, look) {
      if (hanging.has(path)) throw silent(path);
      if (hanging.size >= MAX_HANGING) {
        throw new AppError(
          'conflict',
          `Another folder is not responding: ${[...hanging][0]}. Try again in a moment.`,
        );
      }
      const lookResult = look().finally(() => hanging.delete(path));
      let timer: NodeJS.Timeout | null = null;
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(() => resolve('late'), deadlineMs);
      });
      try {
        const first = await Promise.race([lookResult.then((value) => ({ value })), late]);
        if (first !== 'late') return first.value;
        // After a long block of the process the answer may already be there: take it first.
        const second = await Promise.race([
          lookResult.then((value) => ({ value })),
          nextTurn().then(() => nextTurn('late')),
        ]);
        if (typeof second === 'object') return second.value;
        hanging.add(path);
        lookResult.catch(() => undefined);
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
