/**
 * The slides layout of an app view: shows one slide at a time, with keys, buttons and full screen; prints all of them.
 */

import './slides.css';
import { ChevronLeft, ChevronRight, Maximize, Minimize } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { slidesOf } from '../../src-shared/notebook/app/slides.ts';
import { appLayoutOf } from '../live/appLayout.ts';
import { useView } from '../notebook/context.ts';
import { IconButton } from '../ui/Button.tsx';
import { toast } from '../ui/toastStore.ts';
import { APP_WORDS as W } from '../words/appLayout.ts';
import { AppPart } from './AppPart.tsx';
import { slideAfterKey } from './arrange/slideKeys.ts';

/** A slide show. Slides that were shown stay in the page; all are printed, one below the other. */
export function AppSlides(props: {
  ids: readonly string[];
  printing: boolean;
  /** The slide that the URL names, from 1; null: the first. */
  at: number | null;
  onSlide: (number: number) => void;
}) {
  const { ids, printing, at, onSlide } = props;
  const layout = useView(appLayoutOf);
  const order = useView((view) => view.model.order);
  const slides = slidesOf(ids, layout, order);
  const [chosen, setChosen] = useState((at ?? 1) - 1);
  // The URL changed within the same app: a link, or the browser's Back button.
  useEffect(() => setChosen((at ?? 1) - 1), [at]);
  const current = Math.min(chosen, slides.length - 1);
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const deck = useRef<HTMLElement>(null);
  const [isFull, toggleFull, leaveFull] = useFullScreen(deck);
  const go = (next: number): void => {
    if (next === current) return;
    setChosen(next);
    onSlide(next + 1);
  };
  useSlideKeys((key) => {
    // Most browsers leave full screen on Escape themselves; some send the key to the page.
    if (key === 'f' || (key === 'Escape' && isFull)) {
      void (key === 'f' ? toggleFull() : leaveFull());
      return true;
    }
    const next = slideAfterKey(key, current, slides.length);
    if (next !== null) go(next);
    return next !== null;
  });
  const key = slides[current]?.[0] ?? '';
  if (!seen.has(key)) setSeen(new Set(seen).add(key));
  const count = slides.length;
  return (
    <section className="app-deck" aria-label={W.slides} aria-roledescription="slide show" ref={deck}>
      {slides.map((cells, index) =>
        index === current || printing || seen.has(cells[0] ?? '') ? (
          <section
            key={cells[0]}
            className="app-slide"
            aria-roledescription="slide"
            aria-label={W.slide(index + 1, count)}
            hidden={index !== current}
            // A long slide scrolls, by keyboard too.
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be focusable to scroll by keyboard
            tabIndex={0}
          >
            <div className="app-slide-body">
              {cells.map((id) => (
                <AppPart key={id} id={id} kind="slides" editing={false} />
              ))}
            </div>
          </section>
        ) : null,
      )}
      <div className="app-deck-bar" role="toolbar" aria-label={W.slides}>
        <IconButton label={W.previous} keys="←" disabled={current <= 0} onClick={() => go(current - 1)}>
          <ChevronLeft aria-hidden="true" />
        </IconButton>
        <span className="app-deck-number" role="status" aria-label={W.slide(current + 1, count)}>
          {W.slideNumber(current + 1, count)}
        </span>
        <IconButton label={W.next} keys="→" disabled={current >= count - 1} onClick={() => go(current + 1)}>
          <ChevronRight aria-hidden="true" />
        </IconButton>
        <IconButton label={isFull ? W.leave : W.present} keys="f" onClick={() => void toggleFull()}>
          {isFull ? <Minimize aria-hidden="true" /> : <Maximize aria-hidden="true" />}
        </IconButton>
      </div>
    </section>
  );
}

/** Calls the handler for keys that no field, list or table of the page needs. It returns true if it used the key. */
function useSlideKeys(handler: (key: string) => boolean): void {
  const latest = useRef(handler);
  useEffect(() => {
    latest.current = handler;
  });
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      if (event.isComposing || needsKeys(event.target, event.key)) return;
      if (latest.current(event.key) === true) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

const FIELDS =
  'input, textarea, select, [contenteditable], [role=slider], [role=grid], [role=listbox], [role=menu]';

function needsKeys(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) return false;
  // Space activates the button or link that has the focus.
  if (key === ' ' && target.closest('button, a, summary, [role=button]') !== null) return true;
  return target.closest(FIELDS) !== null || target.closest('[role=dialog]') !== null;
}

function useFullScreen(
  element: RefObject<HTMLElement | null>,
): [isFull: boolean, toggle: () => Promise<void>, leave: () => Promise<void>] {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const changed = (): void => setFull(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', changed);
    return () => document.removeEventListener('fullscreenchange', changed);
  }, []);
  const toggle = async (): Promise<void> => {
    try {
      if (document.fullscreenElement !== null) await document.exitFullscreen();
      else await element.current?.requestFullscreen();
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
      toast(W.noFullScreen, { tone: 'warn' });
    }
  };
  const leave = async (): Promise<void> => {
    if (document.fullscreenElement !== null) await toggle();
  };
  return [isFull, toggle, leave];
}
