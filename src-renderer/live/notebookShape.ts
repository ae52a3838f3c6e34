import type { Language } from '../../src-shared/wire/cell.ts';
import { applyOwnName } from '../state/applyFrame.ts';
import * as drafts from '../state/drafts.ts';
import type { NotebookView } from '../state/notebookStore.ts';
import { callRoute, RestError } from './rest.ts';

/** What the notebook's shape needs of its session. */
export interface ShapePort {
  readonly view: () => NotebookView;
  readonly set: (change: Partial<NotebookView>) => void;
}

/**
 * Adding, deleting, moving cells and renaming: what goes over REST. The server tells everybody, this window too, by
 * notebook_state; a refusal becomes a notice.
 */
export class NotebookShape {
  readonly #port: ShapePort;

  constructor(port: ShapePort) {
    this.#port = port;
  }

  /** Adds a cell below `afterId` (null: at the end) and starts editing it. */
  async addCell(place: { afterId: string | null; language: Language }): Promise<void> {
    const { order } = this.#port.view().model;
    const after = place.afterId ?? order.at(-1) ?? null;
    await this.#try(async () => {
      const cell = await callRoute('addCell', {
        params: this.#params(),
        body: { after_cell_id: after, language: place.language },
      });
      this.#port.set({ focusedId: cell.id, mode: 'edit' });
    });
  }

  /** Adds a cell above `beforeId`. */
  async addCellAbove(beforeId: string, language: Language): Promise<void> {
    const { order } = this.#port.view().model;
    const index = order.indexOf(beforeId);
    const above = order[index - 1];
    if (above !== undefined) return this.addCell({ afterId: above, language });
    await this.#try(async () => {
      const cell = await callRoute('addCell', {
        params: this.#params(),
        body: { after_cell_id: beforeId, language },
      });
      await this.#reorder([cell.id, ...order]);
      this.#port.set({ focusedId: cell.id, mode: 'edit' });
    });
  }

  async deleteCell(cellId: string): Promise<void> {
    const { order } = this.#port.view().model;
    const index = order.indexOf(cellId);
    await this.#try(async () => {
      await callRoute('deleteCell', { params: { ...this.#params(), cell_id: cellId } });
      const view = this.#port.view();
      const next = order[index + 1] ?? order[index - 1] ?? null;
      this.#port.set({
        deletingId: null,
        drafts: drafts.without(view.drafts, cellId),
        ...(view.focusedId === cellId ? { focusedId: next, mode: 'command' } : {}),
      });
    });
  }

  async moveCell(cellId: string, by: -1 | 1): Promise<void> {
    const order = [...this.#port.view().model.order];
    const from = order.indexOf(cellId);
    const to = from + by;
    if (from === -1 || to < 0 || to >= order.length) return;
    order.splice(from, 1);
    order.splice(to, 0, cellId);
    await this.#try(() => this.#reorder(order));
  }

  async rename(name: string): Promise<void> {
    await this.#try(async () => {
      const answer = await callRoute('renameNotebook', { params: this.#params(), body: { name } });
      this.#port.set({ model: applyOwnName(this.#port.view().model, answer.name) });
    });
  }

  async #reorder(order: readonly string[]): Promise<void> {
    await callRoute('reorderCells', { params: this.#params(), body: { cell_ids: [...order] } });
  }

  /** A refusal over REST becomes a notice; anything else is a fault of ours and surfaces as one. */
  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      this.#port.set({ notice: error.message });
    }
  }

  #params(): { sid: string } {
    return { sid: this.#port.view().sessionId };
  }
}
