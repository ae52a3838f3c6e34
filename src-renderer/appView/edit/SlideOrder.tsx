/** The list in which the slides of an app view are ordered, by pointer or keyboard; part of the slide editor. */

import {
  type Active,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  type Over,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { GripVertical } from 'lucide-react';
import { useId, useRef } from 'react';
import { reducedMotion } from '../../theme/theme.ts';
import { APP_WORDS as W } from '../../words/appLayout.ts';
import { CELL_WORDS } from '../../words/cell.ts';
import type { SlideMoves } from './useMoveSlide.ts';

/** The slides by number and name. A row is moved by pointer or keyboard; a click on it goes to its slide. */
export function SlideOrder({ moves, onGo }: { moves: SlideMoves; onGo: (at: number) => void }) {
  const { slides, names, move } = moves;
  const help = useId();
  const list = useRef<HTMLOListElement>(null);
  // While a row is over its own place just after it was picked up, the announcement explains how to move it.
  const overId = useRef<UniqueIdentifier | null>(null);
  const ids = slides.map(([id]) => id ?? '');
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const nameOf = ({ id }: Active): string => names[ids.indexOf(String(id))] ?? '';
  const placeOf = (active: Active, over: Over | null): [name: string, place: number, total: number] => [
    nameOf(active),
    ids.indexOf(String((over ?? active).id)) + 1,
    ids.length,
  ];
  const end = ({ active, over }: DragEndEvent): void => {
    const from = ids.indexOf(String(active.id));
    const to = over === null ? -1 : ids.indexOf(String(over.id));
    const grip = list.current?.children[from]?.querySelector<HTMLElement>('.app-slide-grip');
    if (from !== -1 && to !== -1 && from !== to) move(from, to, grip);
  };
  return (
    <nav className="app-slide-order" aria-label={W.slideOrder}>
      <p className="app-help" id={help}>
        {W.slideHelp}
      </p>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        onDragEnd={end}
        accessibility={{
          screenReaderInstructions: { draggable: CELL_WORDS.dragHint },
          announcements: {
            onDragStart: ({ active }) => {
              overId.current = active.id;
              return CELL_WORDS.dragStarted(nameOf(active));
            },
            onDragOver: ({ active, over }) => {
              if (over === null || over.id === overId.current) return undefined;
              overId.current = over.id;
              return CELL_WORDS.dragOver(...placeOf(active, over));
            },
            onDragEnd: ({ active, over }) => CELL_WORDS.dragDropped(...placeOf(active, over)),
            onDragCancel: ({ active }) => CELL_WORDS.dragCancelled(nameOf(active)),
          },
        }}
      >
        <SortableContext items={ids} strategy={verticalListSortingStrategy}>
          <ol ref={list}>
            {slides.map((cells, at) => (
              <Row
                key={cells[0]}
                id={cells[0] ?? ''}
                at={at}
                more={cells.length - 1}
                help={help}
                moves={moves}
                onGo={onGo}
              />
            ))}
          </ol>
        </SortableContext>
      </DndContext>
    </nav>
  );
}

function Row(props: {
  id: string;
  at: number;
  /** How many cells the slide has besides its first. */
  more: number;
  help: string;
  moves: SlideMoves;
  onGo: (at: number) => void;
}) {
  const { id, at, more, help, moves, onGo } = props;
  const name = moves.names[at] ?? '';
  const sortable = useSortable({ id });
  const { attributes, listeners = {}, transform, isDragging } = sortable;
  // The pointer can drag the row anywhere on it; keys work on its handle only.
  const { onPointerDown, ...keys } = listeners;
  const style = {
    transform: transform === null ? undefined : `translate3d(0, ${Math.round(transform.y)}px, 0)`,
    transition: reducedMotion() ? undefined : sortable.transition,
  };
  return (
    <li
      ref={sortable.setNodeRef}
      className={isDragging ? 'app-slide-row dragging' : 'app-slide-row'}
      style={style}
      onPointerDown={(event) => onPointerDown?.(event)}
      onKeyDown={(event) => moves.onKey(event, at)}
    >
      <button
        {...attributes}
        {...keys}
        ref={sortable.setActivatorNodeRef}
        type="button"
        className="app-slide-grip"
        aria-label={W.slideGrip(at + 1, name)}
        title={CELL_WORDS.dragHint}
      >
        <GripVertical aria-hidden="true" />
      </button>
      <button type="button" className="app-slide-go" aria-describedby={help} onClick={() => onGo(at)}>
        <span className="visually-hidden">{W.slideWord}</span>{' '}
        <span className="app-slide-number">{at + 1}</span> <span className="app-slide-name">{name}</span>{' '}
        {more > 0 ? (
          <span className="app-slide-more" title={W.slideMore(more)}>
            +{more}
          </span>
        ) : null}
      </button>
    </li>
  );
}
