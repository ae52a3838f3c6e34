/** Opens, sends to, stops and closes the console inside a cell (a process with the cell's values, to try things in). */

import {
  type CellConsoles,
  withExpression,
  withInterrupt,
  withOpenConsole,
  withoutConsole,
  withoutEntries,
} from '../state/cellConsole.ts';
import { CELL_CONSOLE_WORDS } from '../words/cellConsole.ts';
import type { SessionPort } from './edits.ts';

/** The actions of the consoles inside cells: open, send, stop and close over the session's socket. */
export class ConsoleActions {
  readonly #port: SessionPort;

  constructor(port: SessionPort) {
    this.#port = port;
  }

  /** Shows a cell's console, opening it if necessary; the prompt gets the focus. */
  look(cellId: string): void {
    const view = this.#port.view();
    const cellConsole = view.model.cellConsoles[cellId];
    this.#port.set({ shownConsoleId: cellId, consoleFocusRequests: view.consoleFocusRequests + 1 });
    if (cellConsole === undefined || cellConsole.state === 'closed') this.start(cellId);
  }

  /** Shows the console with new values in a new process; the prompt gets the focus. */
  startOver(cellId: string): void {
    this.start(cellId);
    this.look(cellId);
  }

  /** Opens the console with the currently stored values, replacing one that is open. */
  start(cellId: string): void {
    if (!this.#port.send({ type: 'inspect_open', payload: { cell_id: cellId } })) {
      this.#port.set({ notice: CELL_CONSOLE_WORDS.notConnected });
      return;
    }
    this.#change((all) => withOpenConsole(all, cellId, storedResultKey(this.#port.view(), cellId)));
  }

  evaluate(cellId: string, expr: string): void {
    if (!this.#port.send({ type: 'inspect_eval', payload: { cell_id: cellId, expr } })) {
      this.#port.set({ notice: CELL_CONSOLE_WORDS.notConnected });
      return;
    }
    this.#change((all) => withExpression(all, cellId, expr));
  }

  /** Requests completions; the answer goes into the view. Fails silently when there is no connection. */
  complete(cellId: string, text: string): void {
    this.#port.send({ type: 'inspect_complete', payload: { cell_id: cellId, text } });
  }

  stop(cellId: string): void {
    if (!this.#port.send({ type: 'inspect_interrupt', payload: { cell_id: cellId } })) return;
    this.#change((all) => withInterrupt(all, cellId));
  }

  clear(cellId: string): void {
    this.#change((all) => withoutEntries(all, cellId));
  }

  /** Closes the console and removes it; another open one is shown. */
  close(cellId: string): void {
    const { model, shownConsoleId } = this.#port.view();
    if (model.cellConsoles[cellId]?.state !== 'closed') {
      this.#port.send({ type: 'inspect_close', payload: { cell_id: cellId } });
    }
    this.#change((all) => withoutConsole(all, cellId));
    if (shownConsoleId !== cellId) return;
    this.#port.set({ shownConsoleId: Object.keys(this.#port.view().model.cellConsoles).at(-1) ?? null });
  }

  #change(how: (all: CellConsoles) => CellConsoles): void {
    const { model } = this.#port.view();
    this.#port.set({ model: { ...model, cellConsoles: how(model.cellConsoles) } });
  }
}

/** Identifies the results that the cell has stored: differs after each run with another result. */
export function storedResultKey({ model }: ReturnType<SessionPort['view']>, cellId: string): string {
  const cell = model.cells[cellId]?.cell;
  return JSON.stringify([cell?.artifact_uris, cell?.display_outputs.map((output) => output.artifact_uri)]);
}
