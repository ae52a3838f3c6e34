/**
 * Reports to the server when an edit of this window is finished, so that a notebook with live runs can run what it made
 * stale.
 */

import { AUTO_RUN_OFF, type AutoRun } from '../../src-shared/wire/autoRun.ts';
import type { ClientFrame } from '../../src-shared/wire/frames/client.ts';
import type { ReceivedFrame } from '../../src-shared/wire/frames/server.ts';
import type { NotebookView } from '../state/notebookStore.ts';
import { callRoute } from './rest.ts';

interface AutoRunPort {
  readonly view: () => NotebookView;
  readonly send: (frame: ClientFrame) => boolean;
}

/** The notebook's setting, as the server reports it. */
export function autoRunOf({ model }: Pick<NotebookView, 'model'>): AutoRun {
  return model.meta?.auto_run ?? AUTO_RUN_OFF;
}

/**
 * Reports to the server when an edit of this window is finished, so that a notebook with live runs can run what it made
 * stale. An edit is finished once its text is saved and the caret has left the cell: a text that is still being typed
 * must not run. A run that was requested here also counts as an edit, so that the cells downstream of it run.
 */
export class AutoRuns {
  readonly #port: AutoRunPort;
  /** Cells that were edited here, until their edit is finished. */
  readonly #edited = new Set<string>();
  /** Cells whose run was requested here and has not ended. */
  readonly #requested = new Set<string>();

  constructor(port: AutoRunPort) {
    this.#port = port;
  }

  /** Called at every change of the window. */
  readonly changed = (now: NotebookView, before: NotebookView): void => {
    if (now.drafts !== before.drafts) {
      for (const [id, draft] of Object.entries(before.drafts)) {
        if (draft.state === 'sent' && now.drafts[id] === undefined) this.#edited.add(id);
      }
    }
    if (this.#edited.size > 0) this.#goOn();
  };

  readonly requested = (cellIds: readonly string[]): void => {
    for (const id of cellIds) this.#requested.add(id);
  };

  heard(frames: readonly ReceivedFrame[]): void {
    for (const { type, payload } of frames) {
      if (type === 'cell_error') this.#requested.delete(payload.cell_id);
      if (type !== 'cell_output' || !this.#requested.delete(payload.cell_id)) continue;
      this.#edited.add(payload.cell_id);
    }
    if (this.#edited.size > 0) this.#goOn();
  }

  /** Changes the notebook's setting. @throws RestError */
  async set(change: Partial<AutoRun>): Promise<void> {
    const view = this.#port.view();
    const { except, ...rest } = { ...autoRunOf(view), ...change };
    const auto_run = { ...rest, except: [...except] };
    await callRoute('setNotebookSettings', { params: { sid: view.sessionId }, body: { auto_run } });
  }

  /** Sends the cells whose edits are finished. */
  #goOn(): void {
    const view = this.#port.view();
    if (autoRunOf(view).mode !== 'live') {
      this.#edited.clear();
      return;
    }
    if (view.link.kind !== 'live') return;
    const { model, drafts, focusedId, mode } = view;
    const typing = mode === 'edit' ? focusedId : null;
    const finished = [...this.#edited].filter((id) => drafts[id] === undefined && id !== typing);
    for (const id of finished) this.#edited.delete(id);
    const cell_ids = finished.filter((id) => model.cells[id] !== undefined);
    if (cell_ids.length > 0 && !this.#port.send({ type: 'auto_run', payload: { cell_ids } }))
      for (const id of cell_ids) this.#edited.add(id);
  }
}
