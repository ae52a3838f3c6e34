/**
 * Texts that were typed into cells which another person deleted meanwhile: kept until a new cell has them or they are
 * discarded.
 */

import type { NotebookView } from '../state/notebookStore.ts';
import type { Orphan, OrphanText } from '../state/orphans.ts';

/** What `OrphanTexts` needs of its session. */
interface OrphanTextsSession {
  readonly view: () => Pick<NotebookView, 'orphanTexts'>;
  readonly set: (change: Pick<NotebookView, 'orphanTexts'>) => void;
  /** Makes a new cell from a text. @returns whether the cell now exists */
  readonly recreate: (text: Orphan) => Promise<boolean>;
  /** Reports that the text of the cell with this name is now in a new cell. */
  readonly say: (name: string) => void;
}

/** Texts whose cells another person deleted: each is kept until a new cell has it, or the person discards it. */
export class OrphanTexts {
  readonly #port: OrphanTextsSession;

  constructor(port: OrphanTextsSession) {
    this.#port = port;
  }

  take(orphans: readonly Orphan[]): void {
    for (const text of orphans) void this.#place(text);
  }

  /** Tries again to create cells for the texts that the server refused; it may accept them by now. */
  tryAgain(): void {
    for (const text of this.#port.view().orphanTexts) if (text.state === 'refused') void this.#place(text);
  }

  discard(cellId: string): void {
    this.#port.set({ orphanTexts: this.#others(cellId) });
  }

  async #place(text: Orphan): Promise<void> {
    this.#note(text, 'placing');
    let isPlaced = false;
    try {
      isPlaced = await this.#port.recreate(text);
    } finally {
      if (isPlaced) this.discard(text.cellId);
      else this.#note(text, 'refused');
    }
    if (isPlaced) this.#port.say(text.name);
  }

  #note(text: Orphan, state: OrphanText['state']): void {
    this.#port.set({ orphanTexts: [...this.#others(text.cellId), { ...text, state }] });
  }

  #others(cellId: string): readonly OrphanText[] {
    return this.#port.view().orphanTexts.filter((other) => other.cellId !== cellId);
  }
}
