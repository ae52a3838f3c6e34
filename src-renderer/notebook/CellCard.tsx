/** One cell in the column of cells: its name, status and cause, its source, its results. */

import { LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';
import { isQueued } from '../state/runQueue.ts';
import './cell.css';
import { memo, useEffect, useRef } from 'react';
import { CELL_LANGUAGES } from '../state/cellLanguages.ts';
import { cellTitle } from '../state/cellName.ts';
import { type NotebookView, shownSource } from '../state/notebookStore.ts';
import { isSelected } from '../state/selection.ts';
import { shownModel } from '../state/undecided.ts';
import { Notice } from '../ui/Notice.tsx';
import { useRestOffscreen } from '../ui/restOffscreen.ts';
import { CELL_WORDS } from '../words/cell.ts';
import { AddBetween } from './AddCell.tsx';
import { AskHere } from './assistant/AskHere.tsx';
import { CellActions, CellBar, CellGutter, Results } from './CardParts.tsx';
import { CascadeDialog } from './CascadeDialog.tsx';
import { CellSource } from './CellSource.tsx';
import { ConflictNote, TooLongNote } from './ConflictNote.tsx';
import { useCellParts, useSession } from './context.ts';
import { DeleteConfirmation } from './DeleteConfirmation.tsx';
import { Faults } from './Faults.tsx';
import { MarkdownCell } from './MarkdownCell.tsx';
import { OffscreenBody } from './OffscreenBody.tsx';
import { statusWords } from './statusWords.ts';
import { TestStrip } from './tests/TestStrip.tsx';
import { useHovered } from './useHovered.ts';
import { useOffscreenCell } from './useOffscreenCell.ts';
import { VariantBar } from './VariantBar.tsx';
import { VariantRuns } from './VariantRuns.tsx';
import { showsControls, WidgetBody } from './widget/WidgetBody.tsx';

/** How many cells at the start of a notebook are rendered in full immediately. */
const FULL_FROM_START = 12;
/** How long after a press a focus change still counts as caused by the pointer, in ms. */
const POINTER_MS = 1_000;

function isNamed(naming: NotebookView['naming'], id: string): boolean {
  return naming !== null && naming !== 'notebook' && naming.cellId === id;
}

/**
 * One cell: its name, status and cause, its source, its results. Rendered again only when something of this cell
 * changed.
 */
export const CellCard = memo(function CellCard({ id, index }: { id: string; index: number }) {
  const session = useSession();
  const parts = useCellParts(id, (view) => ({
    model: shownModel(view, id),
    // The text for the plain rendering far from the viewport. Null while the cell has the focus, so that typing does
    // not render the card.
    source: view.focusedId === id ? null : shownSource(view, id),
    refused: view.drafts[id]?.state === 'refused' ? view.drafts[id] : null,
    focused: view.focusedId === id,
    editing: view.focusedId === id && view.mode === 'edit',
    selected: isSelected(view, id),
    folded: view.folded[id] === true,
    prompt: view.model.prompt?.cell_id === id ? view.model.prompt : null,
    deleting: view.deletingId === id,
    naming: view.namingVariant === id || isNamed(view.naming, id),
    tested: view.tests[id] === true,
    active: view.asked[id] === true || isQueued(view.model, id),
  }));
  const { model, refused, focused, editing, prompt, deleting } = parts;
  const card = useRef<HTMLElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const asking = prompt !== null || deleting;
  const busy = asking || parts.active || parts.folded || parts.tested || refused !== null;
  const far = useOffscreenCell(place, {
    model,
    source: parts.source,
    fullFromStart: index < FULL_FROM_START,
    needed: busy || focused || parts.selected,
  });
  // An edited cell is in view, and a key press should not cause a measurement.
  useRestOffscreen(place, parts.editing || parts, far?.height ?? null);
  const [hovered, hover] = useHovered();
  const pressedAt = useRef(Number.NEGATIVE_INFINITY);
  const wasFocused = useRef(false);
  useEffect(() => {
    const element = card.current;
    const gotFocus = focused && !wasFocused.current;
    wasFocused.current = focused;
    if (!focused || element === null) return;
    // A cell under the pointer is in view already; scrolling between press and release would lose the click.
    if (performance.now() - pressedAt.current > POINTER_MS) element.scrollIntoView({ block: 'nearest' });
    if (editing) return;
    // When the text loses the focus, the card gets it, unless it went elsewhere, for example to the find bar.
    const elsewhere = gotFocus ? keepsFocus(document.activeElement, element) : !isFocusLost();
    if (!elsewhere) element.focus({ preventScroll: true });
  }, [focused, editing]);
  const answering = asking || parts.naming;
  const decided = refused === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once it is decided
  useEffect(() => {
    // An answered prompt, an entered name or a resolved conflict disappears and loses the focus.
    if (!answering && focused && !editing && isFocusLost()) card.current?.focus({ preventScroll: true });
  }, [answering, decided, focused, editing]);
  if (model === undefined) return null;
  const { cell } = model;
  const name = cellTitle(cell) ?? `cell ${index + 1}`;
  const { runs, hasControls } = LANGUAGES[cell.language];
  const isText = !runs;
  const classes = ['cell', focused ? 'focus' : '', isText ? 'cell-text' : '', editing ? 'editing' : ''];
  if (parts.selected) classes.push('selected');
  const isTouched = hovered || focused;
  const label = isText
    ? `${CELL_LANGUAGES.markdown.name}, cell ${index + 1}`
    : `${name}, ${statusWords(cell)}`;
  return (
    // The list item contains the cell and the add button below it, because a list may contain only items.
    // biome-ignore lint/a11y/useSemanticElements: a ul would want an li around each, with looks of their own
    <div ref={place} role="listitem" className={isTouched ? 'place place-touched' : 'place'}>
      {/* biome-ignore lint/a11y/useSemanticElements: a section keeps its own heading structure */}
      <section
        ref={card}
        className={classes.filter((one) => one !== '').join(' ')}
        role="group"
        aria-label={parts.selected ? `${label}, ${CELL_WORDS.selected}` : label}
        aria-current={focused ? 'true' : undefined}
        tabIndex={focused ? 0 : -1}
        data-cell-id={id}
        data-status={cell.status}
        {...hover}
        onContextMenu={(event) => {
          // Leave the browser's own menu for selected text, a link, a figure, or text that is being edited.
          if (isForBrowser(event.target)) event.stopPropagation();
        }}
        onMouseDown={(event) => {
          // Ignore focus in a menu or dialog of this cell, which is rendered elsewhere: taking the focus from it would
          // close it.
          if (event.target instanceof Node && !event.currentTarget.contains(event.target)) return;
          pressedAt.current = performance.now();
          // A press in a selection of several cells must not clear it, because it may start a drag or open the menu.
          if (event.button !== 0 && parts.selected) return;
          if (event.shiftKey && !editing && event.button === 0) {
            event.preventDefault();
            session.extendTo(id);
          } else if (!focused && !isDragHandle(event.target)) session.focus(id, 'command');
        }}
      >
        {far !== null ? (
          <OffscreenBody name={name} language={cell.language} far={far} />
        ) : (
          <>
            {cell.variant_group === null ? null : <VariantBar cellId={id} />}
            <CellGutter
              id={id}
              name={name}
              runs={!isText}
              running={cell.status === 'running' || parts.active}
              touched={isTouched}
            />
            {isText ? (
              <>
                <AskHere id={id} name={name} />
                <MarkdownCell id={id} name={name} editing={editing} />
              </>
            ) : (
              <>
                <CellBar id={id} model={model} name={name} touched={isTouched} />
                <VariantRuns model={model} />
                <AskHere id={id} name={name} />
                {hasControls ? <WidgetBody id={id} model={model} editing={editing} /> : null}
                {hasControls && !editing && showsControls(cell) ? null : (
                  <CellSource id={id} model={model} name={name} editing={editing} touched={isTouched} />
                )}
              </>
            )}
            {isText && isTouched ? (
              <div className="text-actions">
                <CellActions id={id} name={name} isText />
              </div>
            ) : null}
            {refused === null ? null : refused.tooLong === true ? (
              <TooLongNote id={id} draft={refused} />
            ) : (
              <ConflictNote id={id} draft={refused} />
            )}
            {cell.file_problem === undefined ? null : (
              <div className="cell-note">
                <Notice tone="error">{cell.file_problem}</Notice>
              </div>
            )}
            <Faults cell={cell} name={name} />
            {deleting ? <DeleteConfirmation id={id} /> : null}
            {prompt === null ? null : <CascadeDialog prompt={prompt} />}
            {isText ? null : <Results id={id} model={model} folded={parts.folded} />}
            {isText ? null : <TestStrip id={id} model={model} name={name} />}
            <AddBetween afterId={id} />
          </>
        )}
      </section>
    </div>
  );
});

function isForBrowser(target: EventTarget): boolean {
  if (window.getSelection()?.isCollapsed === false) return true;
  return target instanceof Element && target.closest('a, img, input, [data-editor]') !== null;
}

function isDragHandle(target: EventTarget): boolean {
  return target instanceof Element && target.closest('.drag-handle') !== null;
}

/** Whether the element that had the focus was removed. */
function isFocusLost(): boolean {
  return document.activeElement === document.body || document.activeElement === null;
}

/** Whether the focus is in the cell, or in a list by which the arrow keys go from cell to cell (outline, graph). */
function keepsFocus(active: Element | null, card: HTMLElement): boolean {
  return card.contains(active) || (active?.closest('[data-leads-cells]') ?? null) !== null;
}
