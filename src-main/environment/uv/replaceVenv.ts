/** Puts a finished Python environment in place of the notebook's old one, and rolls back when it does not work. */

import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { readMarker, venvDir, venvPython } from '../venv/venv.ts';
import {
  discardStaged,
  removeRetired,
  SWAP_DISK,
  type SwapDisk,
  swapBack,
  swapIn,
} from '../venv/venvPlaces.ts';
import { captureTool } from './runTool.ts';

/** Only a machine that hangs takes this long to start a Python. */
const START_MS = 60_000;

interface ReplaceOptions {
  readonly disk?: SwapDisk;
  /** Whether the interpreter starts in its final place. */
  readonly starts?: (python: string) => Promise<boolean>;
}

/**
 * Puts the finished environment `.svc/venv-<id>` in place of the old one and starts its interpreter there once.
 * @returns why it failed; then the old one is in place. Null: it is in place
 */
export async function replaceVenv(
  dir: NotebookFolder,
  id: string,
  { disk = SWAP_DISK, starts = interpreterStarts }: ReplaceOptions = {},
): Promise<string | null> {
  try {
    await swapIn(dir, id, disk);
    if (await starts(venvPython(venvDir(dir)))) {
      // Nothing waits for this; what cannot be removed now is removed when the notebook opens next.
      removeRetired(dir, id, disk).catch(() => undefined);
      return null;
    }
    await swapBack(dir, id, disk);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `the new environment could not be put in place: ${reason}`;
  }
  return 'the new environment does not start, so the old one stays in use.';
}

/**
 * After a failed {@link replaceVenv} or build: restores the files with `undoFiles` and removes the unfinished
 * environment. When the new environment could not be moved out of place again, the files stay those that it was
 * made from.
 */
export async function rollBackVenv(
  { dir, id }: { readonly dir: NotebookFolder; readonly id: string },
  undoFiles: () => Promise<void>,
  disk: SwapDisk = SWAP_DISK,
): Promise<void> {
  if ((await readMarker(venvDir(dir)))?.id !== id) await undoFiles();
  // After the files: of two environments, the one that matches them is put in place.
  await discardStaged(dir, id, disk);
}

async function interpreterStarts(python: string): Promise<boolean> {
  const { end } = await captureTool({
    file: python,
    args: ['-I', '-c', 'import sys; sys.exit(sys.prefix == sys.base_prefix)'],
    env: process.env,
    timeoutMs: START_MS,
  });
  return end.kind === 'exited' && end.code === 0;
}
