/** Texts that were typed into cells which another person deleted. */

import type { NotebookView } from '../state/notebookStore.ts';
import type { HomelessText, Orphan } from '../state/orphans.ts';

/** What it needs of its session. */
interface HomelessPort {
  readonly view: () => Pick<NotebookView, 'homeless'>;
  readonly set: (change: Pick<NotebookView, 'homeless'>) => void;
  /** Makes a new cell from a text. @returns whether the cell now exists */
  readonly rehouse: (text: Orphan) => Promise<boolean>;
  /** Of which cell the text is in a new one. */
  readonly say: (name: string) => void;
}

/** Texts whose cells another person deleted: each is kept until a new cell has it, or the person discards it. */
export class Homeless {
  readonly #port: HomelessPort;

  constructor(port: HomelessPort) {
    this.#port = port;
  }

  take(orphans: readonly Orphan[]): void {
    for (const text of orphans) void this.#place(text);
  }

  /** Those that no cell could be made for: the server may think otherwise by now. */
  tryAgain(): void {
    for (const text of this.#port.view().homeless) if (text.state === 'refused') void this.#place(text);
  }

  letGo(cellId: string): void {
    this.#port.set({ homeless: this.#others(cellId) });
  }

  async #place(text: Orphan): Promise<void> {
    this.#note(text, 'placing');
    let isPlaced = false;
    try {
      isPlaced = await this.#port.rehouse(text);
    } finally {
      if (isPlaced) this.letGo(text.cellId);
      else this.#note(text, 'refused');
    }
    if (isPlaced) this.#port.say(text.name);
  }

  #note(text: Orphan, state: HomelessText['state']): void {
    this.#port.set({ homeless: [...this.#others(text.cellId), { ...text, state }] });
  }

  #others(cellId: string): readonly HomelessText[] {
    return this.#port.view().homeless.filter((other) => other.cellId !== cellId);
  }
}
