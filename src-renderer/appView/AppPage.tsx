import { LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';
import './app.css';
import { useEffect, useRef } from 'react';
import { parseAnnotations } from '../../src-shared/notebook/annotations.ts';
import type { Cell } from '../../src-shared/wire/cell.ts';
import { useSession, useView, useViewSame } from '../notebook/context.ts';
import { OpenNotebook } from '../notebook/OpenNotebook.tsx';
import { CellPlaces } from '../outputs/cellPlaces.ts';
import type { NotebookView } from '../state/notebookStore.ts';
import { WIDGET_WORDS } from '../words/widget.ts';
import { AppCell } from './AppCell.tsx';
import { useGoToPart } from './useGoToPart.ts';
import { useResizeMessages } from './useResizeMessages.ts';

const W = WIDGET_WORDS.app;

/**
 * A notebook as its readers see it: controls, text and displays, without the code. The page connects as a viewer,
 * which can only change controls. When embedded, it shows nothing else and reports its height to the page around it.
 */
export function AppPage(props: {
  sessionId: string;
  path: string | null;
  embed: boolean;
  onSessionId: (sessionId: string, path: string | null) => void;
  editHash: (sessionId: string, path: string | null) => string;
}) {
  const { embed, editHash, ...notebook } = props;
  return (
    <OpenNotebook {...notebook} justOpened={false} access="viewer">
      <AppView embed={embed} editHash={editHash} />
    </OpenNotebook>
  );
}

function AppView(props: { embed: boolean; editHash: (sessionId: string, path: string | null) => string }) {
  const { embed, editHash } = props;
  const root = useRef<HTMLDivElement>(null);
  const sessionId = useView((view) => view.sessionId);
  const path = useView((view) => view.path);
  const name = useView((view) => view.model.meta?.name ?? null);
  const problem = useView((view) => view.problem);
  const shown = useViewSame(shownCells, sameIds);
  const goToCell = useGoToPart(root);
  useResizeMessages(root, embed ? sessionId : null);
  useEffect(() => {
    if (name !== null && !embed) document.title = `${name} · ${W.page}`;
  }, [name, embed]);
  useEffect(() => {
    document.documentElement.classList.toggle('embedded', embed);
    return () => document.documentElement.classList.remove('embedded');
  }, [embed]);
  return (
    <div className={embed ? 'app-view app-embed' : 'app-view'} ref={root}>
      {embed ? null : (
        <header className="app-head">
          <h1>{name ?? ''}</h1>
          <a className="app-edit" href={editHash(sessionId, path)} title={W.editHint}>
            {W.edit}
          </a>
        </header>
      )}
      <main className="app-cells" aria-busy={name === null}>
        <LinkNote />
        {problem === null ? null : <p className="app-note">{problem}</p>}
        {name === null && problem === null ? (
          <p className="app-note" role="status">
            {W.loading}
          </p>
        ) : null}
        {name !== null && shown.length === 0 ? (
          <div className="app-note">
            <strong>{W.empty}</strong>
            <p>{W.emptyText}</p>
          </div>
        ) : null}
        <CellPlaces value={goToCell}>
          {shown.map((id) => (
            <AppCell key={id} id={id} />
          ))}
        </CellPlaces>
      </main>
    </div>
  );
}

function LinkNote() {
  const session = useSession();
  const kind = useView((view) => view.link.kind);
  const wasLive = useRef(false);
  if (kind === 'live') wasLive.current = true;
  if (kind === 'live' || !wasLive.current) return null;
  return (
    <p className="app-note" role="status">
      {kind === 'closed' ? W.gone : W.lost}{' '}
      <button type="button" className="app-again" onClick={() => session.retryNow()}>
        ↻
      </button>
    </p>
  );
}

/** The cells an app view has: those with controls, text or something on display, less those that hide themselves. */
function shownCells({ model }: NotebookView): readonly string[] {
  return model.order.filter((id) => {
    const cell = model.cells[id]?.cell;
    return cell !== undefined && isShown(cell) && !parseAnnotations(cell.source, cell.language).appHide;
  });
}

function isShown(cell: Cell): boolean {
  if (!cell.variant_active) return false;
  const { runs, hasControls } = LANGUAGES[cell.language];
  if (!runs) return cell.source.trim() !== '';
  if (hasControls) return (cell.widget?.descriptors.length ?? 0) > 0;
  return cell.display_outputs.length > 0 || cell.error !== null;
}

function sameIds(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, at) => id === b[at]);
}
