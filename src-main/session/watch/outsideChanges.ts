/** Remembers the texts of cells that other programs replaced, as the base for merging edits of the window. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';

/** Texts remembered per cell: an edit of an older one is refused with both texts instead of being merged. */
const MAX_TEXTS = 8;

/**
 * External changes of cells that were read, counted as in the state (`SessionState.outside`), with the text
 * each of them replaced: the common base for edits that were made before the change was known.
 */
export class OutsideChanges {
  /** For each cell, the text of the file its last edit was refused with: `force` refers to it. */
  readonly #refusedTexts = new Map<CellId, string>();
  readonly #byCell = new Map<CellId, { count: number; readonly replaced: string[] }>();

  /** An external text was applied in place of `replaced`. */
  add(id: CellId, replaced: string): void {
    const changes = this.#byCell.get(id) ?? { count: 0, replaced: [] };
    changes.count += 1;
    changes.replaced.push(replaced);
    if (changes.replaced.length > MAX_TEXTS) changes.replaced.shift();
    this.#byCell.set(id, changes);
  }

  /** Remembers the text of the file with which an edit of the cell was refused. */
  noteRefusal(id: CellId, text: string): void {
    this.#refusedTexts.set(id, text);
  }

  /** Whether the last refused edit of the cell was refused with this text of the file. */
  wasRefusedWith(id: CellId, text: string): boolean {
    return this.#refusedTexts.get(id) === text;
  }

  /** The base of an edit whose author had seen this many changes: `seen` if it was all of them. */
  baseOf(id: CellId, knownChanges: number): string | 'seen' | 'forgotten' {
    const { count = 0, replaced = [] } = this.#byCell.get(id) ?? {};
    if (knownChanges >= count) return 'seen';
    return replaced[replaced.length - (count - knownChanges)] ?? 'forgotten';
  }
}
