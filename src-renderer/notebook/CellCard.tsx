import './cell.css';
import { ArrowDown, ArrowUp, Play, RotateCw, Square, Trash2 } from 'lucide-react';
import { memo, useEffect, useRef, useState } from 'react';
import { LANGUAGE_NAME } from '../editor/language.ts';
import type { CellModel } from '../state/notebookModel.ts';
import { worstDiagnostic } from '../state/notebookModel.ts';
import { shownSource } from '../state/notebookStore.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { useRestOffscreen } from '../ui/restOffscreen.ts';
import { StatusMark } from '../ui/StatusMark.tsx';
import { WORDS } from '../ui/strings.ts';
import { AddBetween } from './AddCell.tsx';
import { CascadeDialog } from './CascadeDialog.tsx';
import { CellChips } from './CellChips.tsx';
import { CellOutputs } from './CellOutputs.tsx';
import { CellSource } from './CellSource.tsx';
import { useCellParts, useSession } from './context.ts';
import { DeleteAsk } from './DeleteAsk.tsx';
import { MarkdownCell } from './MarkdownCell.tsx';

/** How long after a press the focus is still the pointer's doing. */
const POINTER_MS = 1_000;

/** One cell: name, state and cause; source; what it left. Drawn again only when something of this cell changed. */
export const CellCard = memo(function CellCard({ id, index }: { id: string; index: number }) {
  const session = useSession();
  const parts = useCellParts(id, (view) => ({
    model: view.model.cells[id],
    source: shownSource(view, id),
    draft: view.drafts[id],
    focused: view.focusedId === id,
    editing: view.focusedId === id && view.mode === 'edit',
    prompt: view.model.prompt?.cell_id === id ? view.model.prompt : null,
    deleting: view.deletingId === id,
    active: view.asked[id] === true || view.waiting.some((w) => w.kind === 'cell' && w.cellId === id),
  }));
  const { model, source, draft, focused, editing, prompt, deleting } = parts;
  const card = useRef<HTMLElement>(null);
  const place = useRef<HTMLDivElement>(null);
  // While it is edited it is in sight, and a key should not have it measured.
  useRestOffscreen(place, parts.editing || parts);
  const [hovered, setHovered] = useState(false);
  const pressedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const element = card.current;
    if (!focused || element === null) return;
    // A cell the pointer is on is in sight; moving it between press and release would lose the click.
    if (performance.now() - pressedAt.current > POINTER_MS) element.scrollIntoView({ block: 'nearest' });
    if (!editing && !element.contains(document.activeElement)) element.focus({ preventScroll: true });
  }, [focused, editing]);
  const asking = prompt !== null || deleting;
  useEffect(() => {
    // A question that was answered took the focus with it.
    const lost = document.activeElement === document.body || document.activeElement === null;
    if (!asking && focused && !editing && lost) card.current?.focus({ preventScroll: true });
  }, [asking, focused, editing]);
  if (model === undefined) return null;
  const { cell } = model;
  const name = cell.annotations.name ?? cell.defines[0] ?? `cell ${index + 1}`;
  const isText = cell.language === 'markdown';
  const diagnostic = worstDiagnostic(cell);
  const classes = ['cell', focused ? 'focus' : '', isText ? 'cell-text' : '', editing ? 'editing' : ''];
  return (
    <div ref={place} className={focused ? 'place place-focus' : 'place'}>
      {/* biome-ignore lint/a11y/useSemanticElements: a section keeps its own heading structure */}
      <section
        ref={card}
        className={classes.filter((one) => one !== '').join(' ')}
        role="listitem"
        aria-label={
          isText ? `${LANGUAGE_NAME.markdown}, cell ${index + 1}` : `${name}, ${WORDS.status[cell.status]}`
        }
        aria-current={focused ? 'true' : undefined}
        tabIndex={focused ? 0 : -1}
        data-cell-id={id}
        data-status={cell.status}
        onPointerEnter={() => setHovered(true)}
        onPointerLeave={() => setHovered(false)}
        onMouseDown={(event) => {
          // A menu or dialog of this cell is drawn elsewhere: taking the focus from it would close it.
          if (event.target instanceof Node && !event.currentTarget.contains(event.target)) return;
          pressedAt.current = performance.now();
          if (!focused) session.focus(id, 'command');
        }}
      >
        {isText ? (
          <MarkdownCell id={id} source={source} name={name} editing={editing} />
        ) : (
          <>
            <div className="gut">
              <RunButton id={id} running={cell.status === 'running' || parts.active} name={name} />
            </div>
            <div className="bar">
              <StatusMark kind={cell.status} />
              <span className="cell-name" title={name}>
                {name}
              </span>
              <span className="cell-language">{LANGUAGE_NAME[cell.language]}</span>
              <span className="grow" />
              <CellChips id={id} model={model} />
              {hovered || focused ? <CellActions id={id} /> : null}
            </div>
            <CellSource id={id} model={model} source={source} name={name} editing={editing} />
          </>
        )}
        {isText && (hovered || focused) ? (
          <div className="text-actions">
            <CellActions id={id} isText />
          </div>
        ) : null}
        {draft?.state === 'refused' ? <RefusedDraft id={id} reason={draft.reason} /> : null}
        {cell.file_problem === undefined ? null : (
          <div className="cell-note">
            <Notice tone="error">{cell.file_problem}</Notice>
          </div>
        )}
        {diagnostic === null ? null : (
          <div className={`diagnostic diagnostic-${diagnostic.severity}`}>
            {diagnostic.line === null ? '' : `line ${diagnostic.line}: `}
            {diagnostic.message}
          </div>
        )}
        {deleting ? <DeleteAsk id={id} /> : null}
        {prompt === null ? null : <CascadeDialog prompt={prompt} />}
        {isText ? null : <Results id={id} model={model} />}
      </section>
      <AddBetween afterId={id} />
    </div>
  );
});

function Results({ id, model }: { id: string; model: CellModel }) {
  // `idle` with results: they are those of an older source.
  const { status } = model.cell;
  const dimmed = status === 'running' || status === 'stale' || status === 'idle';
  return (
    <div className={dimmed ? 'results results-old' : 'results'} data-results={id}>
      <CellOutputs id={id} model={model} />
    </div>
  );
}

function RunButton({ id, running, name }: { id: string; running: boolean; name: string }) {
  const session = useSession();
  return running ? (
    <IconButton tone="danger" label={`${WORDS.stop}: ${name}`} onClick={() => session.runs.cancel(id)}>
      <Square />
    </IconButton>
  ) : (
    <IconButton tone="round" label={`${WORDS.run}: ${name}`} onClick={() => session.runs.run(id)}>
      <Play />
    </IconButton>
  );
}

function CellActions({ id, isText = false }: { id: string; isText?: boolean }) {
  const session = useSession();
  return (
    <span className="cell-actions">
      {isText ? null : (
        <IconButton label={WORDS.rerunCell} onClick={() => session.runs.rerun(id)}>
          <RotateCw />
        </IconButton>
      )}
      <IconButton label={WORDS.moveUp} onClick={() => void session.shape.moveCell(id, -1)}>
        <ArrowUp />
      </IconButton>
      <IconButton label={WORDS.moveDown} onClick={() => void session.shape.moveCell(id, 1)}>
        <ArrowDown />
      </IconButton>
      <IconButton label={WORDS.deleteCell} onClick={() => session.askDelete(id)}>
        <Trash2 />
      </IconButton>
    </span>
  );
}

function RefusedDraft({ id, reason }: { id: string; reason: string | null }) {
  const session = useSession();
  return (
    <div className="cell-note">
      <Notice
        tone="warn"
        actions={
          <>
            <Button onClick={() => session.edits.keepMine(id)}>{WORDS.keepMine}</Button>
            <Button onClick={() => session.edits.takeTheirs(id)}>{WORDS.takeTheirs}</Button>
          </>
        }
      >
        {reason ?? WORDS.draftTheirs}
      </Notice>
    </div>
  );
}
