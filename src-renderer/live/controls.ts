/** Sends the values of controls (sliders and other fields of widget cells) to the server while a person moves them. */

import type { WidgetValue } from '../../src-shared/notebook/widgets.ts';
import type { Widget } from '../../src-shared/wire/widget.ts';
import { isAnyRunning, type PendingValues, pendingValuesOf, unsettled } from '../state/pendingValues.ts';
import type { SessionPort } from './edits.ts';

/** The least time, in ms, between two values sent while a control is dragged; typed values are sent after a pause. */
const DRAG_MS = 100;
const TYPE_MS = 250;

export type Pace = 'drag' | 'type' | 'now';

/**
 * Moves of controls: shown immediately and sent at a pace the server can follow, one update of a cell at a time. While
 * the notebook is busy, they wait.
 */
export class Controls {
  readonly #port: SessionPort;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #sentAt = new Map<string, number>();
  /**
   * The cell's widget object at the time its update was sent; a different object means that the server has answered.
   */
  readonly #asked = new Map<string, Widget | undefined>();
  /** Cells whose update was refused because the notebook was busy. */
  readonly #held = new Set<string>();
  #seenRefusal = -1;

  constructor(port: SessionPort) {
    this.#port = port;
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  move(
    cellId: string,
    move: { readonly name: string; readonly value: WidgetValue; readonly pace: Pace },
  ): void {
    const { name, value, pace } = move;
    this.#set(cellId, new Map(pendingValuesOf(this.#port.view(), cellId)).set(name, { value, sent: false }));
    const since = Date.now() - (this.#sentAt.get(cellId) ?? 0);
    const wait = pace === 'now' ? 0 : pace === 'type' ? TYPE_MS : DRAG_MS - since;
    if (wait <= 0) this.#send(cellId);
    else this.#sendIn(cellId, wait, pace === 'type');
  }

  /** After frames: removes answered moves, and sends waiting ones. */
  goOn(): void {
    const { moves, model } = this.#port.view();
    const cellIds = Object.keys(moves);
    if (cellIds.length === 0) return;
    this.#takeRefusal();
    const isRunning = isAnyRunning(model);
    if (!isRunning) this.#held.clear();
    for (const cellId of cellIds) {
      const cell = model.cells[cellId]?.cell;
      const isAnswered = this.#asked.has(cellId) && this.#asked.get(cellId) !== cell?.widget;
      if (isAnswered) this.#asked.delete(cellId);
      const remaining = unsettled(pendingValuesOf(this.#port.view(), cellId), cell, {
        answered: !isRunning && !this.#asked.has(cellId),
      });
      this.#set(cellId, remaining);
      const isDue = [...remaining.values()].some(({ sent: isSent }) => !isSent);
      if (isDue && !this.#timers.has(cellId)) this.#sendIn(cellId, this.#waitOf(cellId), false);
    }
  }

  /** The socket is lost: whether the sent values arrived is unknown, so they are sent again on the next one. */
  unlinked(): void {
    this.#asked.clear();
    this.#held.clear();
    for (const [cellId, moves] of Object.entries(this.#port.view().moves)) {
      this.#set(cellId, new Map([...moves].map(([name, { value }]) => [name, { value, sent: false }])));
    }
  }

  /** Handles the refusal of an update: if the notebook is busy, the value is sent later; otherwise it is dropped. */
  #takeRefusal(): void {
    const { model } = this.#port.view();
    const { refusal } = model;
    const cellId = refusal?.cell_id;
    if (refusal === null || cellId === undefined || refusal.seq <= this.#seenRefusal) return;
    this.#seenRefusal = refusal.seq;
    if (!this.#asked.delete(cellId)) return;
    const moves = pendingValuesOf(this.#port.view(), cellId);
    if (refusal.code !== 'notebook_busy') {
      this.#set(cellId, new Map([...moves].filter(([, { sent: isSent }]) => !isSent)));
      return;
    }
    this.#held.add(cellId);
    this.#set(cellId, new Map([...moves].map(([name, { value }]) => [name, { value, sent: false }])));
    this.#port.set({ model: { ...this.#port.view().model, refusal: null } });
  }

  #waitOf(cellId: string): number {
    return Math.max(0, DRAG_MS - (Date.now() - (this.#sentAt.get(cellId) ?? 0)));
  }

  #sendIn(cellId: string, ms: number, restarts: boolean): void {
    const timer = this.#timers.get(cellId);
    if (timer !== undefined && !restarts) return;
    clearTimeout(timer);
    const send = (): void => {
      this.#timers.delete(cellId);
      this.#send(cellId);
    };
    this.#timers.set(cellId, setTimeout(send, ms));
  }

  #send(cellId: string): void {
    if (this.#asked.has(cellId) || this.#held.has(cellId)) return;
    const moves = pendingValuesOf(this.#port.view(), cellId);
    const due = [...moves].filter(([, { sent: isSent }]) => !isSent);
    if (due.length === 0) return;
    const values = Object.fromEntries(due.map(([name, { value }]) => [name, value]));
    if (!this.#port.send({ type: 'widget_update', payload: { cell_id: cellId, values } })) return;
    this.#sentAt.set(cellId, Date.now());
    this.#asked.set(cellId, this.#port.view().model.cells[cellId]?.cell.widget);
    this.#set(cellId, new Map([...moves].map(([name, { value }]) => [name, { value, sent: true }])));
  }

  #set(cellId: string, moves: PendingValues): void {
    const before = this.#port.view().moves;
    if (before[cellId] === moves) return;
    const { [cellId]: _old, ...others } = before;
    this.#port.set({ moves: moves.size === 0 ? others : { ...others, [cellId]: moves } });
  }
}
