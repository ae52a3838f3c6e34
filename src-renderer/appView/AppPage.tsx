/** The page of an app view: a notebook as its readers see it, with controls, text and displays but without code. */

import './app.css';
import { type ReactNode, useEffect, useRef } from 'react';
import type { AppKind } from '../../src-shared/wire/appLayout.ts';
import { appLayoutOf } from '../live/appLayout.ts';
import { useSession, useView, useViewSame } from '../notebook/context.ts';
import { OpenNotebook } from '../notebook/OpenNotebook.tsx';
import { CellPlaces } from '../outputs/cellPlaces.ts';
import { type AppPlace, appHash } from '../state/appHash.ts';
import { setPageTheme } from '../theme/theme.ts';
import { Notice } from '../ui/Notice.tsx';
import { APP_WORDS } from '../words/appLayout.ts';
import { WIDGET_WORDS } from '../words/widget.ts';
import { AppBody } from './AppBody.tsx';
import { appPartsOf, sameParts } from './arrange/appParts.ts';
import { EditTools } from './edit/EditTools.tsx';
import { ExcludedCells } from './edit/ExcludedCells.tsx';
import { ResultsNote } from './ResultsNote.tsx';
import { useGoToPart } from './useGoToPart.ts';
import { useResizeMessages } from './useResizeMessages.ts';

const W = WIDGET_WORDS.app;

type Addresses = {
  /** Writes the slide or tab that is shown into the page's URL, without a page change. */
  onPlace: (hash: string) => void;
  editHash: (sessionId: string, path: string | null) => string;
};

/**
 * A notebook as its readers see it: controls, text and displays in the layout that notebook.toml gives them. The page
 * connects as a viewer, which can only change controls; to edit the layout it connects as an editor. When embedded, it
 * shows nothing else and reports its height to the page around it.
 */
export function AppPage(
  props: {
    sessionId: string;
    path: string | null;
    onSessionId: (sessionId: string, path: string | null) => void;
  } & AppPlace &
    Addresses,
) {
  const { sessionId, path, onSessionId, ...view } = props;
  const notebook = { sessionId, path, onSessionId };
  return (
    <OpenNotebook {...notebook} justOpened={false} access={view.edit ? 'editor' : 'viewer'}>
      <AppView {...view} />
    </OpenNotebook>
  );
}

function AppView(props: AppPlace & Addresses) {
  const { embed, edit, slide, tab, onPlace, editHash } = props;
  const root = useRef<HTMLDivElement>(null);
  const session = useSession();
  const sessionId = useView((view) => view.sessionId);
  const path = useView((view) => view.path);
  const name = useView((view) => view.model.meta?.name ?? null);
  const layout = useView(appLayoutOf);
  const problem = useView((view) => view.problem);
  const { shown, left } = useViewSame(appPartsOf, sameParts);
  const goToCell = useGoToPart(root);
  const title = layout.title ?? name;
  const kind = layout.layout ?? 'page';
  const isShow = kind === 'slides' && !edit && shown.length > 0;
  const look = isShow || kind !== 'slides' ? kind : edit && shown.length > 0 ? 'slide-editor' : 'page';
  useResizeMessages(root, embed ? sessionId : null);
  useEffect(() => {
    if (title !== null && !embed) document.title = `${title} · ${W.page}`;
  }, [title, embed]);
  useEffect(() => {
    document.documentElement.classList.toggle('embedded', embed);
    return () => document.documentElement.classList.remove('embedded');
  }, [embed]);
  useEffect(() => {
    setPageTheme(layout.theme === 'light' || layout.theme === 'dark' ? layout.theme : null);
  }, [layout.theme]);
  useEffect(() => () => setPageTheme(null), []);
  const go = (place: Partial<AppPlace>): void => {
    const now = session.store.getState();
    onPlace(appHash(now.sessionId, now.path, { embed, edit, ...place }));
  };
  return (
    <div className={`app-view app-as-${look}${embed ? ' app-embed' : ''}`} ref={root}>
      {embed ? null : (
        <header className="app-head">
          <h1>{title ?? ''}</h1>
          <nav className="app-links">
            {edit ? (
              <a className="app-edit app-done" href={appHash(sessionId, path)} title={APP_WORDS.doneHint}>
                {APP_WORDS.done}
              </a>
            ) : (
              <a
                className="app-edit"
                href={appHash(sessionId, path, { edit: true })}
                title={APP_WORDS.editHint}
              >
                {APP_WORDS.edit}
              </a>
            )}
            <a className="app-edit" href={editHash(sessionId, path)} title={W.editHint}>
              {W.edit}
            </a>
          </nav>
        </header>
      )}
      {edit && name !== null ? <EditTools /> : null}
      <main className="app-main" aria-busy={name === null}>
        <div className="app-notes">
          <LinkNote />
          {edit ? <LayoutProblems problems={layout.problems ?? []} /> : null}
          <ResultsNote ids={shown} embed={embed} />
          {problem === null ? null : <p className="app-note">{problem}</p>}
          {name === null && problem === null ? (
            <p className="app-note" role="status">
              {W.loading}
            </p>
          ) : null}
          {name !== null && shown.length === 0 ? <EmptyApp kind={kind} edit={edit} /> : null}
        </div>
        {name === null || shown.length === 0 ? null : (
          <CellPlaces value={goToCell}>
            <AppBody
              kind={kind}
              ids={shown}
              editing={edit}
              slide={slide}
              tab={tab}
              onSlide={(number) => go({ slide: number })}
              onTab={(one) => go({ tab: one })}
            />
          </CellPlaces>
        )}
        {edit && name !== null ? <ExcludedCells left={left} /> : null}
      </main>
    </div>
  );
}

function EmptyApp({ kind, edit }: { kind: AppKind; edit: boolean }): ReactNode {
  return (
    <div className="app-note app-empty">
      <strong>{kind === 'page' ? W.empty : APP_WORDS.empty[kind]}</strong>
      <p>{edit ? APP_WORDS.emptyEdit : W.emptyText}</p>
    </div>
  );
}

function LayoutProblems({ problems }: { problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <Notice tone="warn">
      {APP_WORDS.problems}
      <ul>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </Notice>
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
