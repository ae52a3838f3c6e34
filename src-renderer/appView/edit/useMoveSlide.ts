/** Moves slides of an app by buttons, keys and dragging; keeps the focus and announces the move. */

import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { slidesOf } from '../../../src-shared/notebook/app/slides.ts';
import { appLayoutOf } from '../../live/appLayout.ts';
import { useSession, useView, useViewSame } from '../../notebook/context.ts';
import { APP_WORDS as W } from '../../words/appLayout.ts';
import { moveSlide } from '../arrange/moveSlide.ts';
import { partName } from '../arrange/partName.ts';

const FIELDS = 'input, textarea, select, [contenteditable], [role=slider], [role=combobox]';

export interface SlideMoves {
  readonly slides: readonly (readonly string[])[];
  /** The name of each slide: that of its first cell. */
  readonly names: readonly string[];
  /** The text that a screen reader announces. */
  readonly said: string;
  /** Moves a slide, both places from 0. The focus stays where it is, or goes to `focus`. */
  readonly move: (from: number, to: number, focus?: HTMLElement | null) => void;
  /** Alt with an arrow key moves the slide that has the focus inside it; text fields keep these keys. */
  readonly onKey: (event: KeyboardEvent<HTMLElement>, at: number) => void;
}

/** The slides of the app, and how they are moved. */
export function useMoveSlide(ids: readonly string[]): SlideMoves {
  const session = useSession();
  const layout = useView(appLayoutOf);
  const order = useView((view) => view.model.order);
  const slides = slidesOf(ids, layout, order);
  const names = useViewSame(
    ({ model }) => slides.map(([id]) => partName(model, id ?? '')),
    (a, b) => a.length === b.length && a.every((name, at) => name === b[at]),
  );
  const [said, setSaid] = useState('');
  // An element loses the focus when it moves in the page, or when it is a button that a move to the end disables.
  const focused = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    const element = focused.current;
    focused.current = null;
    if (element === null || !element.isConnected) return;
    const other = element.parentElement?.querySelector<HTMLElement>('button:not(:disabled)');
    if (element.matches(':disabled')) other?.focus();
    else element.focus();
  });
  const move: SlideMoves['move'] = (from, to, focus) => {
    const name = names[from] ?? '';
    if (slides[to] === undefined || from === to) {
      setSaid(W.slideStays(name));
      return;
    }
    const active = document.activeElement;
    focused.current = focus ?? (active instanceof HTMLElement ? active : null);
    setSaid(W.slideMoved(name, to + 1, slides.length));
    void session.appLayouts.change(moveSlide({ ids, order, layout }, from, to));
  };
  const onKey: SlideMoves['onKey'] = (event, at) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const hasOther = event.ctrlKey || event.metaKey || event.shiftKey;
    if (by === undefined || !event.altKey || hasOther || event.defaultPrevented) return;
    if (event.target instanceof Element && event.target.closest(FIELDS) !== null) return;
    event.preventDefault();
    move(at, at + by);
  };
  return { slides, names, said, move, onKey };
}
