import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import { headingsOf } from '../../state/headings.ts';
import type { NotebookModel } from '../../state/notebookModel.ts';
import type { TabCell } from './tabs.ts';

/**
 * The cells of the app with their sections: a section begins at each text cell whose first heading is of the highest
 * level in the notebook. A single heading of that level above others is the title, and the next level makes the sections.
 */
export function tabCellsOf(
  { order, cells }: Pick<NotebookModel, 'order' | 'cells'>,
  ids: readonly string[],
): readonly TabCell[] {
  const headings = new Map<string, { readonly level: number; readonly text: string }>();
  for (const id of order) {
    const cell = cells[id]?.cell;
    if (cell === undefined || LANGUAGES[cell.language].runs) continue;
    const [heading] = headingsOf(cell.source);
    if (heading !== undefined) headings.set(id, heading);
  }
  const level = sectionLevel([...headings.values()].map((heading) => heading.level));
  const idSet = new Set(ids);
  const result: TabCell[] = [];
  let section: string | null = null;
  for (const id of order) {
    const heading = headings.get(id);
    if (heading?.level === level && heading.text !== '') section = heading.text;
    if (idSet.has(id)) result.push({ id, section });
  }
  return result;
}

function sectionLevel(levels: readonly number[]): number {
  const highest = Math.min(...levels);
  const lower = levels.filter((level) => level > highest);
  return levels.length - lower.length === 1 && lower.length > 0 ? Math.min(...lower) : highest;
}
