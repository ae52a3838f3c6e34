/** Loads and saves a user's own settings for a notebook on this machine, in `.svc/settings.json`. */

import * as z from 'zod';
import { AUTO_RUN_OFF, autoRun } from '../../../src-shared/wire/autoRun.ts';
import type { NotebookFolder } from '../folder/notebookFolder.ts';
import { ownPlace } from '../folder/ownPlaces.ts';
import { type LoadOptions, loadRecord, saveRecord } from '../folder/record.ts';

/** The settings. They are not in notebook.toml, because the number of concurrent processes depends on the machine. */
const settings = z.object({
  /** How many cells of one run may work at the same time; null: the server's value. */
  parallel_cells: z.number().int().min(1).max(64).nullable().default(null),
  /** Which runs begin without a request. */
  auto_run: autoRun.default(AUTO_RUN_OFF),
});
type NotebookSettings = Readonly<z.infer<typeof settings>>;

const NONE: NotebookSettings = { parallel_cells: null, auto_run: AUTO_RUN_OFF };

/**
 * Loads the settings; with `repairs` a damaged file is renamed to `settings.json.bad`.
 * @param options `onDamaged` is called for a damaged file
 */
export async function loadNotebookSettings(
  dir: NotebookFolder,
  { onDamaged, ...options }: Pick<LoadOptions, 'repairs'> & { readonly onDamaged?: () => void } = {},
): Promise<NotebookSettings> {
  const { value, isDamaged } = await loadRecord(ownPlace(dir, 'settings'), settings, options);
  if (isDamaged) onDamaged?.();
  return value ?? NONE;
}

/** Saves the settings. @throws the disk's error */
export async function saveNotebookSettings(dir: NotebookFolder, values: NotebookSettings): Promise<void> {
  await saveRecord(ownPlace(dir, 'settings'), values);
}
