import type { PlainCell } from '../plain/plainInterpreter.ts';
import { differencesOf, hasRun, type Shown } from '../play/judge.ts';

/**
 * The first fault of a notebook as it is shown; null if there is none. A difference is not a fault in a cell that has a
 * warning, in cells that use a name in the warning, and in cells that use what such cells define.
 */
export function faultOf(
  shown: Shown,
  plain: readonly PlainCell[],
  said: (source: string) => readonly string[],
): string | null {
  const warnedOf = new Set<string>();
  const uses = (text: string): boolean =>
    [...warnedOf].some((name) => new RegExp(`\\b${name}\\b`).test(text));
  const everyName = new Set(shown.cells.flatMap(({ defines }) => defines));
  for (const [index, cell] of shown.cells.entries()) {
    const right = plain[index];
    const words = said(cell.source);
    for (const name of everyName) {
      if (words.some((text) => new RegExp(`\\b${name}\\b`).test(text))) warnedOf.add(name);
    }
    const isExcused = words.length > 0 || uses(cell.source);
    if (isExcused) for (const name of cell.defines) warnedOf.add(name);
    if (right === undefined || isExcused || cell.status !== 'ready') continue;
    if (!shown.cells.slice(0, index).every(hasRun)) continue;
    const differences = differencesOf(shown, cell, right);
    if (differences.length > 0) return `${cell.id} ${differences.join('; ')}`;
  }
  return null;
}
