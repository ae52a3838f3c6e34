/**
 * The right to write to a notebook's folder. For a trusted folder it is taken on opening. Opening an untrusted folder
 * changes nothing in it, so its lock is taken with the user's first change.
 */

import { hostname } from 'node:os';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { ownName } from '../../notebook/folder/ownPlaces.ts';
import { acquireWriter } from '../../notebook/writerLock.ts';

/** The right to write to one folder, and how it is taken and released. */
export interface WriterClaim {
  /** Whether the folder may be written now. */
  readonly isTaken: () => boolean;
  /** @throws AppError NOTEBOOK_IN_USE naming the holder, and the refusals of `acquireWriter` */
  readonly take: () => Promise<void>;
  /** Releases the lock if it was taken. */
  readonly release: () => Promise<void>;
}

/** Takes nothing yet. @param dir the notebook's folder */
export function createWriterClaim(dir: NotebookFolder): WriterClaim {
  let taking: Promise<() => Promise<void>> | null = null;
  let isTaken = false;
  return {
    isTaken: () => isTaken,
    async take() {
      taking ??= takeWriter(dir);
      try {
        await taking;
        isTaken = true;
      } catch (error) {
        // The current holder may release it: the next change tries again.
        taking = null;
        throw error;
      }
    },
    async release() {
      const pending = taking;
      if (pending === null) return;
      isTaken = false;
      const release = await pending;
      await release();
    },
  };
}

/** A process on another machine, or in another container, has the notebook open. */
export class HeldElsewhere extends AppError {
  readonly host: string;

  constructor(message: string, { pid, host }: { readonly pid: number; readonly host: string }) {
    super('NOTEBOOK_IN_USE', message, { pid });
    this.host = host;
  }
}

async function takeWriter(dir: NotebookFolder): Promise<() => Promise<void>> {
  const writer = await acquireWriter(dir);
  if (writer.kind !== 'busy') return () => writer.release();
  const message = `Process ${writer.pid} on ${writer.host} has this notebook open. Close it there, or use its window.`;
  if (writer.host === hostname()) throw new AppError('NOTEBOOK_IN_USE', message, { pid: writer.pid });
  throw new HeldElsewhere(
    `${message} If that machine is gone, delete ${ownName('writerLock')} in the notebook folder.`,
    writer,
  );
}
