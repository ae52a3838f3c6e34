import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { makeStateFolder } from '../../environment/stateFolder.ts';
import { errnoOf } from '../../lib/atomicFile.ts';
import { loadSidecar, saveSidecar } from '../../notebook/sidecarFile.ts';

/** A run that is under way on a worker, so that a program that comes after this one can ask for it. */
const heldRun = z.object({
  build_id: z.string(),
  worker: z.string(),
  url: z.string(),
  provenance_hash: z.string(),
  source_hash: z.string(),
});
export type HeldRun = z.infer<typeof heldRun>;

/** A run that is over by then has nothing one could come back to. */
const AFTER_MS = 100;

const nameOf = (cellId: string): string | null =>
  /^[\w-]{1,100}$/.test(cellId) ? `remote-run-${cellId}.json` : null;

/** What was under way when the program before this one ended; null where it ended in order. */
export async function lastRun(dir: string, cellId: string): Promise<HeldRun | null> {
  const name = nameOf(cellId);
  return name === null ? null : (await loadSidecar(dir, name, heldRun)).value;
}

/** Writes a run down while it lasts. */
export interface Holding {
  /** `stays`: the worker may still be at it, and the next run of the cell asks first. */
  end(stays: boolean): Promise<void>;
}

export function holdRun(dir: string, cellId: string, run: HeldRun): Holding {
  const name = nameOf(cellId);
  let written: Promise<void> | null = null;
  const write = (): Promise<void> => {
    written ??= name === null ? Promise.resolve() : save(dir, name, run);
    return written;
  };
  const timer = setTimeout(() => void write(), AFTER_MS);
  return {
    async end(stays) {
      clearTimeout(timer);
      if (stays) return write();
      if (written === null || name === null) return;
      await written;
      await rm(join(dir, '.svc', name), { force: true });
    },
  };
}

export async function forgetRun(dir: string, cellId: string): Promise<void> {
  const name = nameOf(cellId);
  if (name !== null) await rm(join(dir, '.svc', name), { force: true });
}

async function save(dir: string, name: string, run: HeldRun): Promise<void> {
  try {
    if (await makeStateFolder(dir)) await saveSidecar(dir, name, run);
  } catch (error) {
    // Without it the cell runs anew after a crash, as without this file; a full disk is told by what needs it.
    if (errnoOf(error) === null) throw error;
  }
}
