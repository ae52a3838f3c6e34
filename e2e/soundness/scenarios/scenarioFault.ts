import type { PlainCell } from '../plain/plainInterpreter.ts';
import { differencesOf, hasRun, type Shown } from '../play/judge.ts';

/**
 * The first fault of a notebook as it is shown, compared with what a plain interpreter prints; null if there is none.
 * A difference is not a fault in a cell that has a warning, in cells that use a name in the warning, and in cells that
 * use what such cells define.
 */
export function faultOf(shown: Shown, plain: readonly PlainCell[]): string | null {
  const namesInWarnings = new Set<string>();
  const uses = (text: string): boolean =>
    [...namesInWarnings].some((name) => new RegExp(`\\b${name}\\b`).test(text));
  const everyName = new Set(shown.cells.flatMap(({ defines }) => defines));
  for (const [index, cell] of shown.cells.entries()) {
    const expected = plain[index];
    const warnings = (shown.messages.get(cell.id) ?? []).filter((text) => text !== cell.error);
    for (const name of everyName) {
      if (warnings.some((text) => new RegExp(`\\b${name}\\b`).test(text))) namesInWarnings.add(name);
    }
    const isExcused = warnings.length > 0 || uses(cell.source);
    if (isExcused) for (const name of cell.defines) namesInWarnings.add(name);
    if (expected === undefined || isExcused || cell.status !== 'ready') continue;
    if (!shown.cells.slice(0, index).every(hasRun)) continue;
    const differences = differencesOf(shown, cell, expected);
    if (differences.length > 0) return `${cell.id} ${differences.join('; ')}`;
  }
  return null;
}
