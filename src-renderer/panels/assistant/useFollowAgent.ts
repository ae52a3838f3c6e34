/** Hook that scrolls to the cell that an agent changes or runs, unless the user scrolls elsewhere or types. */

import { useEffect } from 'react';
import { beforeNextPaint } from '../../live/nextFrame.ts';
import { useSession } from '../../notebook/context.ts';
import { isOpen } from '../../state/assistant/turns.ts';
import { namedCellId } from '../../state/namedCell.ts';

/** How long after a change of an agent scrolling means that the user wants to look elsewhere. */
const ACTIVE_MS = 30_000;
const SCROLL_KEYS: ReadonlySet<string> = new Set(['PageUp', 'PageDown', 'Home', 'End']);

/**
 * Scrolls to the cell that an agent changes or runs, without moving the focus, until the user scrolls elsewhere. Never
 * scrolls while the user types in a cell.
 */
export function useFollowAgent(): void {
  const session = useSession();
  useEffect(() => {
    const { assistant, undo, store } = session;
    let shownAtMs = Number.NEGATIVE_INFINITY;
    const show = (cellId: string): void => {
      const { mode, model } = store.getState();
      shownAtMs = performance.now();
      if (!assistant.store.getState().follow || mode === 'edit' || model.cells[cellId] === undefined) return;
      session.want(cellId);
      // After the next paint, because a cell far away has to be rendered first.
      beforeNextPaint(() => {
        document
          .querySelector(`[data-cell-id="${CSS.escape(cellId)}"]`)
          ?.scrollIntoView({ block: 'nearest' });
      });
    };
    const stopChanges = undo.onAgentChange(({ changes }) => {
      const cell = changes.findLast((change) => change.kind === 'source' || change.kind === 'added');
      if (cell !== undefined && 'cellId' in cell) show(cell.cellId);
    });
    let step: string | null = null;
    const stopSteps = assistant.store.subscribe(({ turns }) => {
      const last = turns.at(-1);
      const piece = last !== undefined && isOpen(last) ? last.pieces.at(-1) : undefined;
      if (piece?.kind !== 'step' || piece.state !== 'running' || piece.id === step) return;
      step = piece.id;
      const cellId = piece.subject === null ? null : namedCellId(store.getState().model, piece.subject);
      if (cellId !== null) show(cellId);
    });
    const leave = (event: Event): void => {
      const { target } = event;
      if (!(target instanceof Element) || target.closest('[data-scroll-root]') === null) return;
      if (event instanceof KeyboardEvent && !SCROLL_KEYS.has(event.key)) return;
      const isActive = assistant.isBusy() || performance.now() - shownAtMs < ACTIVE_MS;
      if (isActive && assistant.store.getState().follow) assistant.setFollow(false);
    };
    const events = ['wheel', 'touchmove', 'keydown'] as const;
    for (const event of events) window.addEventListener(event, leave, { passive: true });
    return () => {
      stopChanges();
      stopSteps();
      for (const event of events) window.removeEventListener(event, leave);
    };
  }, [session]);
}
