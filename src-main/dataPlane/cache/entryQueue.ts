import type { HeldEntry } from './rowGroupCache.ts';

/**
 * Passes the row-group cache's entries of a data file to a reader, in the order of the row groups, while later ones are
 * being fetched. `close` releases the entries that the reader did not take.
 */
export class EntryQueue {
  readonly #entries = new Map<number, HeldEntry>();
  #order: readonly number[] | null = null;
  #failure: { readonly error: unknown } | null = null;
  #isClosed = false;
  #wake = (): void => undefined;

  /** The row groups that the reader gets. */
  expect(rowGroups: readonly number[]): void {
    this.#order = rowGroups;
    this.#wake();
  }

  put(rowGroup: number, entry: HeldEntry): void {
    if (this.#isClosed) entry.release();
    else this.#entries.set(rowGroup, entry);
    this.#wake();
  }

  fail(error: unknown): void {
    this.#failure = { error };
    this.#wake();
  }

  /** The next entry; release it. Null after the last one. @throws what the fetch failed with */
  async take(at: number): Promise<HeldEntry | null> {
    for (;;) {
      const rowGroup = this.#order?.[at];
      const entry = rowGroup === undefined ? undefined : this.#entries.get(rowGroup);
      if (rowGroup !== undefined && entry !== undefined) {
        this.#entries.delete(rowGroup);
        return entry;
      }
      if (this.#order !== null && rowGroup === undefined) return null;
      this.throwIfFailed();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** @throws what the fetch failed with */
  throwIfFailed(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }

  close(): void {
    this.#isClosed = true;
    for (const entry of this.#entries.values()) entry.release();
    this.#entries.clear();
  }
}
