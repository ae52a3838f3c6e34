/** Assigns the cells of an app view to sections of the notebook, by the headings of its text cells. */

import type { Cell } from '../../wire/cell.ts';
import { headingsOf } from '../headings.ts';
import { LANGUAGES } from '../languages/languages.ts';
import type { TabCell } from './tabs.ts';

/**
 * The cells of the app with their sections: a section begins at each text cell whose first heading is of the highest
 * level in the notebook. If only one heading has that level and others are below it, it is the title, and the next
 * level defines the sections.
 * @param cells all cells of the notebook, in its order
 * @param ids of the cells in the app
 */
export function tabCellsOf(cells: readonly Cell[], ids: ReadonlySet<string>): readonly TabCell[] {
  const headings = new Map<string, { readonly level: number; readonly text: string }>();
  for (const { id, language, source } of cells) {
    if (LANGUAGES[language].runs) continue;
    const [heading] = headingsOf(source);
    if (heading !== undefined) headings.set(id, heading);
  }
  const level = sectionLevel([...headings.values()].map((heading) => heading.level));
  const result: TabCell[] = [];
  let section: string | null = null;
  for (const { id } of cells) {
    const heading = headings.get(id);
    if (heading?.level === level && heading.text !== '') section = heading.text;
    if (ids.has(id)) result.push({ id, section });
  }
  return result;
}

function sectionLevel(levels: readonly number[]): number {
  const highest = Math.min(...levels);
  const lower = levels.filter((level) => level > highest);
  return levels.length - lower.length === 1 && lower.length > 0 ? Math.min(...lower) : highest;
}
