/**
 * Reorders cells by their drag handle, with the pointer or with keys. There is one drop line, computed from the boxes
 * of the cells. A thousand cells register nothing for it and are not rendered while one is dragged.
 */

import './dragging.css';
import type { DragEndEvent, DragMoveEvent, KeyboardCoordinateGetter } from '@dnd-kit/core';
import {
  DndContext,
  DragOverlay,
  KeyboardSensor,
  PointerSensor,
  useDraggable,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { GripVertical } from 'lucide-react';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { NotebookSession } from '../live/notebookSession.ts';
import { cellName } from '../state/cellName.ts';
import { selectedIds } from '../state/selection.ts';
import { CELL_WORDS as W } from '../words/cell.ts';
import { useSession } from './context.ts';
import type { Box, Gap } from './dropPlace.ts';
import { gapAt, gapOf } from './dropPlace.ts';

interface Drag {
  readonly ids: readonly string[];
  readonly name: string;
  readonly gap: Gap | null;
}

/** Makes the cells inside it movable. */
export function ReorderableCells({ children }: { children: ReactNode }) {
  const session = useSession();
  const [drag, setDrag] = useState<Drag | null>(null);
  const latest = useRef<Drag | null>(null);
  const show = (next: Drag | null): void => {
    latest.current = next;
    setDrag(next);
  };
  const keys = useMemo(() => keyboardGetter(() => latest.current), []);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: keys }),
  );
  const words = (): string => W.dragging(latest.current?.ids.length ?? 1, latest.current?.name ?? '');
  const place = (): [number, number] => {
    const total = session.store.getState().model.order.length;
    return [(latest.current?.gap?.index ?? 0) + 1, total];
  };
  const gapUnder = (event: DragMoveEvent | DragEndEvent): Gap | null => {
    const now = latest.current;
    const box = event.active.rect.current.translated;
    if (now === null || box === null) return null;
    const byKeys = event.activatorEvent instanceof KeyboardEvent;
    return gapAt(boxesBut(now.ids), byKeys ? box.top : (pointerY(event) ?? box.top));
  };
  const move = (event: DragMoveEvent): void => {
    const now = latest.current;
    const gap = gapUnder(event);
    if (now === null || gap === null) return;
    if (gap.index !== now.gap?.index || gap.y !== now.gap.y) show({ ...now, gap });
  };
  const end = (event: DragEndEvent): void => {
    const now = latest.current;
    // Computed again at the drop, because a card may have grown since the pointer last moved.
    const byKeys = event.activatorEvent instanceof KeyboardEvent;
    const gap = now?.gap == null || byKeys ? now?.gap : gapUnder(event);
    show(null);
    if (now !== null && gap) void session.shape.placeCells(now.ids, gap.beforeId);
    session.focusCard(String(event.active.id));
  };
  return (
    <DndContext
      sensors={sensors}
      autoScroll={{ threshold: { x: 0, y: 0.15 }, acceleration: 12 }}
      accessibility={{
        screenReaderInstructions: { draggable: W.dragHint },
        announcements: {
          onDragStart: () => W.dragStarted(words()),
          onDragMove: () => W.dragOver(words(), ...place()),
          onDragOver: () => undefined,
          onDragEnd: () => W.dragDropped(words(), ...place()),
          onDragCancel: () => W.dragCancelled(words()),
        },
      }}
      onDragStart={({ active }) => show(dragOf(session, String(active.id)))}
      onDragMove={move}
      onDragEnd={end}
      onDragCancel={() => show(null)}
    >
      {children}
      {drag?.gap ? <DropLine y={drag.gap.y} /> : null}
      <DragOverlay dropAnimation={null}>
        {drag === null ? null : <div className="drag-ghost">{W.dragging(drag.ids.length, drag.name)}</div>}
      </DragOverlay>
    </DndContext>
  );
}

/** The handle of one cell. The cell's menu and Alt with an arrow key do the same. */
export function DragHandle({ id, name }: { id: string; name: string }) {
  const { attributes, listeners, setNodeRef, isDragging } = useDraggable({ id });
  return (
    <button
      {...attributes}
      {...listeners}
      ref={setNodeRef}
      type="button"
      className={isDragging ? 'drag-handle dragging' : 'drag-handle'}
      aria-label={W.drag(name)}
      title={W.dragHint}
      data-own-arrows
    >
      <GripVertical aria-hidden="true" />
    </button>
  );
}

function DropLine({ y }: { y: number }) {
  const cells = document.querySelector('.cells');
  if (cells === null) return null;
  const box = cells.getBoundingClientRect();
  return <div className="drop-line" style={{ top: y, left: box.left, width: box.width }} data-drop-line />;
}

function dragOf(session: NotebookSession, id: string): Drag {
  const view = session.store.getState();
  const selected = selectedIds(view);
  const ids = selected.includes(id) ? selected : [id];
  return { ids, name: cellName(view.model, id), gap: null };
}

/** The boxes of the cells that are not dragged, in window coordinates. */
function boxesBut(ids: readonly string[]): readonly Box[] {
  const moving = new Set(ids);
  const boxes: Box[] = [];
  for (const card of document.querySelectorAll('.cells [data-cell-id]')) {
    const id = card.getAttribute('data-cell-id') ?? '';
    if (moving.has(id)) continue;
    const { top, bottom } = card.getBoundingClientRect();
    boxes.push({ id, top, bottom });
  }
  return boxes;
}

function pointerY({ activatorEvent, delta }: DragMoveEvent | DragEndEvent): number | null {
  return activatorEvent instanceof PointerEvent ? activatorEvent.clientY + delta.y : null;
}

/** An arrow key goes to the next gap, Home and End to the first and the last one; the page scrolls along. */
function keyboardGetter(drag: () => Drag | null): KeyboardCoordinateGetter {
  return (event, { currentCoordinates }) => {
    const now = drag();
    const by = { ArrowDown: 1, ArrowUp: -1, Home: -1e9, End: 1e9 }[event.code];
    if (now === null || by === undefined) return undefined;
    event.preventDefault();
    const boxes = boxesBut(now.ids);
    const from = now.gap?.index ?? gapAt(boxes, currentCoordinates.y)?.index ?? 0;
    const gap = gapOf(boxes, from + by);
    const root = document.querySelector('[data-scroll-root]')?.getBoundingClientRect();
    if (root !== undefined && (gap.y < root.top + 40 || gap.y > root.bottom - 40)) {
      document.querySelector('[data-scroll-root]')?.scrollBy({ top: gap.y - (root.top + root.height / 2) });
      return { x: currentCoordinates.x, y: gapOf(boxesBut(now.ids), from + by).y };
    }
    return { x: currentCoordinates.x, y: gap.y };
  };
}
