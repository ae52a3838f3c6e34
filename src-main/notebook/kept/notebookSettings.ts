import * as z from 'zod';
import { AUTO_RUN_OFF, autoRun } from '../../../src-shared/wire/autoRun.ts';
import { errnoOf } from '../../lib/atomicFile.ts';
import { READ_LIMITS } from '../../lib/guardedFolder/limits.ts';
import { setAside } from '../../lib/guardedFolder/names.ts';
import { type Place, placeIn } from '../../lib/guardedFolder/place.ts';
import { readFileAt } from '../../lib/guardedFolder/read.ts';
import { PlaceRefusal } from '../../lib/guardedFolder/refusal.ts';
import { replaceFile } from '../../lib/guardedFolder/replace.ts';

/**
 * `.svc/settings.json`: a user's settings for this notebook on this machine. They are not in notebook.toml,
 * because the number of concurrent processes depends on the machine.
 */
const settings = z.object({
  /** How many cells of one run may work at the same time; null: the server's value. */
  parallel_cells: z.number().int().min(1).max(64).nullable().default(null),
  /** Which runs begin without a request. */
  auto_run: autoRun.default(AUTO_RUN_OFF),
});
export type NotebookSettings = Readonly<z.infer<typeof settings>>;

const NONE: NotebookSettings = { parallel_cells: null, auto_run: AUTO_RUN_OFF };

function placeOf(dir: string): Place {
  return placeIn(dir, '.svc/settings.json');
}

/**
 * Loads the settings; with `repairs` a damaged file is set aside as `settings.json.bad` and the defaults
 * apply.
 */
export async function loadNotebookSettings(
  dir: string,
  { repairs = true }: { readonly repairs?: boolean } = {},
): Promise<NotebookSettings> {
  const place = placeOf(dir);
  try {
    const bytes = await readFileAt(place, { maxBytes: READ_LIMITS.record });
    return settings.parse(JSON.parse(bytes.toString('utf8')));
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT') return NONE;
    const isDamaged = error instanceof SyntaxError || error instanceof z.ZodError;
    if (!isDamaged && !(error instanceof PlaceRefusal)) throw error;
    if (repairs) await setAside(place);
    return NONE;
  }
}

/** @throws the disk's error */
export async function saveNotebookSettings(dir: string, values: NotebookSettings): Promise<void> {
  await replaceFile(placeOf(dir), JSON.stringify(values));
}
