/** Which sections are folded, by notebook, in localStorage, which may be full, forbidden or damaged. */
import * as z from 'zod';

const KEY = 'cellar.sections';
/** The most notebooks whose folded sections are stored; the one that was folded longest ago is dropped first. */
const MAX_NOTEBOOKS = 50;
const stored = z.array(z.object({ path: z.string(), folded: z.array(z.string()) }));
type Stored = z.infer<typeof stored>;

/** The headings of a notebook whose sections are folded. */
export function readFoldedSections(path: string | null): readonly string[] {
  return read().find((one) => one.path === path)?.folded ?? [];
}

export function writeFoldedSections(path: string | null, folded: readonly string[]): void {
  if (path === null) return;
  const others = read().filter((one) => one.path !== path);
  const all: Stored = folded.length === 0 ? others : [...others, { path, folded: [...folded] }];
  try {
    globalThis.localStorage?.setItem(KEY, JSON.stringify(all.slice(-MAX_NOTEBOOKS)));
  } catch (error) {
    console.warn('the folded sections could not be stored', error);
  }
}

function read(): Stored {
  try {
    const parsed = stored.safeParse(JSON.parse(globalThis.localStorage?.getItem(KEY) ?? '[]'));
    return parsed.success ? parsed.data : [];
  } catch (_forbiddenOrDamaged) {
    return [];
  }
}
