/**
 * Changes the notebook's cells and their order over REST, one request each. A call resolves once this window has seen
 * its effect, so that the next action applies to the current notebook.
 */
import type { Language, Mount } from '../../src-shared/wire/cell.ts';
import { applyOwnSource } from '../state/applyFrame.ts';
import { applyOwnMounts, applyOwnName, applyOwnOrder, applyOwnSettings } from '../state/applyOwn.ts';
import * as drafts from '../state/drafts.ts';
import type { NotebookStore, NotebookView } from '../state/notebookStore.ts';
import { connectionsWith, connectionsWithout, type DeclaredOf } from '../state/sqlStart.ts';
import { groupsOf } from '../state/variants.ts';
import { callRoute } from './rest.ts';

/** How long after the server's answer notebook_state may announce a change, in ms. */
const CATCH_UP_MS = 5_000;

/** @throws RestError from every method: the server's refusal, with a message that can be shown */
export interface Structure {
  /** Adds an empty cell below another (null: at the end). Returns its id. */
  readonly add: (place: { readonly afterId: string | null; readonly language: Language }) => Promise<string>;
  /**
   * Declares a connection to an in-memory DuckDB or to the database file `of`, or removes it if nothing uses it.
   * @returns whether anything changed
   */
  readonly declareConnection: (change: {
    readonly name: string;
    readonly after: boolean;
    readonly of?: DeclaredOf;
  }) => Promise<boolean>;
  /** Deletes a cell as it is shown: typed text is saved first, so that a restore includes it. */
  readonly remove: (cellId: string) => Promise<void>;
  /** Restores a deleted cell with its place, text, tests and results. */
  readonly restore: (cellId: string) => Promise<void>;
  /** Changes the order; shown immediately, before the server has answered. */
  readonly reorder: (order: readonly string[]) => Promise<void>;
  readonly rename: (name: string) => Promise<void>;
  /** Replaces the notebook's own mounts. */
  readonly setMounts: (mounts: readonly Mount[]) => Promise<void>;
  /** Adds a copy of a group's active variant. Returns the id of its cell. */
  readonly addVariant: (group: string) => Promise<string>;
  /** Sets which variant is active, and whether one of them runs or all. */
  readonly chooseVariant: (choice: VariantChoice) => Promise<void>;
}

export interface VariantChoice {
  readonly group: string;
  readonly active: string;
  readonly mode: 'switch' | 'sweep';
}

export function createStructure(store: NotebookStore): Structure {
  const params = (): { sid: string } => ({ sid: store.getState().sessionId });
  const set = (change: Partial<NotebookView>): void => store.setState(change);
  return {
    add: async ({ afterId, language }) => {
      const body = { after_cell_id: afterId, language };
      const cell = await callRoute('addCell', { params: params(), body });
      await untilView(store, (view) => view.model.order.includes(cell.id));
      return cell.id;
    },
    declareConnection: async ({ name, after, of }) => {
      const view = store.getState();
      const newConnections = after ? connectionsWith(view, name, of) : connectionsWithout(view, name, of);
      if (newConnections === null) return false;
      const body = { connections: [...newConnections] };
      const answer = await callRoute('setConnections', { params: params(), body });
      set({ model: applyOwnSettings(store.getState().model, answer) });
      return true;
    },
    remove: async (cellId) => {
      const draft = store.getState().drafts[cellId];
      const call = { params: { ...params(), cell_id: cellId } };
      if (draft !== undefined) {
        // With the base, so that text another person wrote since is neither overwritten nor deleted unseen.
        const body = { source: draft.text, base: draft.sent.at(-1) ?? draft.base };
        await callRoute('editCell', { ...call, body });
        // The server has the text now, so it is deleted with the cell and must not become an orphaned text.
        const { model, drafts: all } = store.getState();
        set({ drafts: drafts.withoutDraft(all, cellId), model: applyOwnSource(model, cellId, draft.text) });
      }
      await callRoute('deleteCell', call);
      await untilView(store, (view) => !view.model.order.includes(cellId));
      set({ drafts: drafts.withoutDraft(store.getState().drafts, cellId), deletingId: null });
    },
    restore: async (cellId) => {
      await callRoute('restoreCell', { params: { ...params(), cell_id: cellId } });
      await untilView(store, (view) => view.model.order.includes(cellId));
    },
    reorder: async (order) => {
      const { model } = store.getState();
      const reordered = applyOwnOrder(model, order);
      set({ model: reordered });
      try {
        await callRoute('reorderCells', { params: params(), body: { cell_ids: [...order] } });
      } catch (error) {
        const now = store.getState().model;
        if (now.order === reordered.order) set({ model: { ...now, order: model.order } });
        throw error;
      }
    },
    addVariant: async (group) => {
      // The group may be new: wait until the server has announced it.
      await untilView(store, (view) => groupsOf(view).some((one) => one.group === group));
      const answer = await callRoute('addVariant', { params: { ...params(), group_id: group } });
      await untilView(store, (view) => view.model.order.includes(answer.new_cell_id));
      return answer.new_cell_id;
    },
    chooseVariant: async ({ group, active, mode }) => {
      const call = { params: { ...params(), group_id: group }, body: { active, mode } };
      await callRoute('chooseVariant', call);
      await untilView(store, (view) => {
        const now = groupsOf(view).find((one) => one.group === group);
        return now === undefined || (now.active_name === active && now.mode === mode);
      });
    },
    rename: async (name) => {
      const answer = await callRoute('renameNotebook', { params: params(), body: { name } });
      set({ model: applyOwnName(store.getState().model, answer.name) });
    },
    setMounts: async (mounts) => {
      const answer = await callRoute('setMounts', { params: params(), body: { mounts: [...mounts] } });
      set({ model: applyOwnMounts(store.getState().model, answer.mounts) });
    },
  };
}

/** Waits until the view meets a condition; after a lost connection, that is after the reconnect. */
function untilView(store: NotebookStore, is: (view: NotebookView) => boolean): Promise<void> {
  if (is(store.getState())) return Promise.resolve();
  return new Promise((resolve) => {
    const settle = (): void => {
      stop();
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(settle, CATCH_UP_MS);
    const stop = store.subscribe((view) => {
      if (is(view)) settle();
    });
  });
}
