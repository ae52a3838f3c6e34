/** The editor of an app view's slides: all slides, one below the other, beside a list that orders them. */

import './slideEditor.css';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useRef } from 'react';
import { IconButton } from '../../ui/Button.tsx';
import { APP_WORDS as W } from '../../words/appLayout.ts';
import { AppPart } from '../AppPart.tsx';
import { SlideOrder } from './SlideOrder.tsx';
import { type SlideMoves, useMoveSlide } from './useMoveSlide.ts';

/**
 * All slides of an app, one below the other, where cells are grouped into slides, beside a list that orders the slides.
 */
export function EditSlides({ ids }: { ids: readonly string[] }) {
  const moves = useMoveSlide(ids);
  const list = useRef<HTMLOListElement>(null);
  const goTo = (at: number): void => {
    const slide = list.current?.children[at];
    if (!(slide instanceof HTMLElement)) return;
    slide.scrollIntoView({ block: 'start' });
    slide.focus({ preventScroll: true });
  };
  return (
    <div className="app-slide-editor">
      <SlideOrder moves={moves} onGo={goTo} />
      <ol className="app-cells app-slide-list" ref={list}>
        {moves.slides.map((cells, at) => (
          <EditedSlide key={cells[0]} cells={cells} at={at} moves={moves} />
        ))}
      </ol>
      <p className="visually-hidden" role="status">
        {moves.said}
      </p>
    </div>
  );
}

function EditedSlide({ cells, at, moves }: { cells: readonly string[]; at: number; moves: SlideMoves }) {
  const { slides, move, onKey } = moves;
  return (
    <li
      className="app-slide-edited"
      aria-label={W.slide(at + 1, slides.length)}
      tabIndex={-1}
      onKeyDown={(event) => onKey(event, at)}
    >
      <div className="app-slide-head">
        <span className="app-slide-number" aria-hidden="true">
          {at + 1}
        </span>
        <IconButton
          label={W.slideUp(at + 1)}
          keys="Alt+ArrowUp"
          disabled={at === 0}
          onClick={() => move(at, at - 1)}
        >
          <ChevronUp aria-hidden="true" />
        </IconButton>
        <IconButton
          label={W.slideDown(at + 1)}
          keys="Alt+ArrowDown"
          disabled={at === slides.length - 1}
          onClick={() => move(at, at + 1)}
        >
          <ChevronDown aria-hidden="true" />
        </IconButton>
      </div>
      {cells.map((id) => (
        <AppPart key={id} id={id} kind="slides" editing />
      ))}
    </li>
  );
}
