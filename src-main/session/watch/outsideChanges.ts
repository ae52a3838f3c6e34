import type { CellId } from '../../../src-shared/notebook/ids.ts';

/** Texts kept per cell: an edit made from an older one is refused with both texts instead of being merged. */
const MAX_TEXTS = 8;

/**
 * Changes of cells by others that were read, counted as the state counts them (`SessionState.outside`), with the text
 * each of them replaced: the last one both sides had, for edits that were made before the change was known.
 */
export class OutsideChanges {
  /** The text of the file each cell's last edit was refused with: `force` is about that one. */
  readonly #told = new Map<CellId, string>();
  readonly #byCell = new Map<CellId, { count: number; readonly replaced: string[] }>();

  /** Somebody else's text was taken in, in the place of `replaced`. */
  add(id: CellId, replaced: string): void {
    const known = this.#byCell.get(id) ?? { count: 0, replaced: [] };
    known.count += 1;
    known.replaced.push(replaced);
    if (known.replaced.length > MAX_TEXTS) known.replaced.shift();
    this.#byCell.set(id, known);
  }

  tell(id: CellId, text: string): void {
    this.#told.set(id, text);
  }

  wasTold(id: CellId, text: string): boolean {
    return this.#told.get(id) === text;
  }

  /** What an edit was made from that knew of so many changes: `seen` where it knew of all. */
  baseOf(id: CellId, knownChanges: number): string | 'seen' | 'forgotten' {
    const { count = 0, replaced = [] } = this.#byCell.get(id) ?? {};
    if (knownChanges >= count) return 'seen';
    return replaced[replaced.length - (count - knownChanges)] ?? 'forgotten';
  }
}
