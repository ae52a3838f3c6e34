import { useEffect, useState } from 'react';
import { createKeyReader } from '../commands/keys.ts';
import { COMMANDS } from '../commands/registry.ts';
import { loadMonaco } from '../editor/loadMonaco.ts';
import { NotebookSession } from '../live/notebookSession.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { WORDS } from '../ui/strings.ts';
import { AddAtEnd } from './AddCell.tsx';
import { CellCard } from './CellCard.tsx';
import { SessionContext, useSession, useView, useViewParts } from './context.ts';
import { NotebookFooter } from './NotebookFooter.tsx';
import { NotebookHeader } from './NotebookHeader.tsx';

/** The page of one open notebook; owns its session from mount to unmount. */
export function NotebookPage(props: {
  sessionId: string;
  path: string | null;
  onSessionId: (sessionId: string, path: string | null) => void;
  onOpened: (path: string, name: string) => void;
}) {
  const { sessionId, path, onSessionId, onOpened } = props;
  const [session, setSession] = useState<NotebookSession | null>(null);
  useEffect(() => {
    const opened = new NotebookSession({ sessionId, path, onSessionId });
    setSession(opened);
    return () => opened.close();
  }, [sessionId, path, onSessionId]);
  if (session === null) return null;
  return (
    <SessionContext value={session}>
      <Workbench onOpened={onOpened} />
    </SessionContext>
  );
}

function Workbench({ onOpened }: { onOpened: (path: string, name: string) => void }) {
  const { name, path } = useViewParts((view) => ({ name: view.model.meta?.name ?? null, path: view.path }));
  useCommandKeys();
  useUnsavedWarning();
  useEffect(() => {
    if (name === null) return;
    document.title = `${name} · ${WORDS.appName}`;
    if (path !== null) onOpened(path, name);
  }, [name, path, onOpened]);
  useEffect(() => {
    if (name === null) return;
    // The editor comes once the cells have been painted.
    const handle = requestIdleCallback(
      () => loadMonaco().catch((error: unknown) => console.error('the editor did not load', error)),
      { timeout: 2_000 },
    );
    return () => cancelIdleCallback(handle);
  }, [name]);
  return (
    <div className="page">
      <NotebookHeader />
      <Banners />
      <main className="scroll" data-scroll-root>
        <Column />
      </main>
      <NotebookFooter />
    </div>
  );
}

/** Cells drawn at once on opening; more follow this many at a time while the page is already usable. */
const FIRST_CELLS = 30;
const MORE_CELLS = 50;

/**
 * How many cells are in the page: few at first, all within moments, below what is already there so that nothing
 * moves. A cell that is asked for brings everything above it along.
 */
function useCellsShown(total: number, needed: number): number {
  const [shown, setShown] = useState(FIRST_CELLS);
  const now = Math.max(shown, needed + 1);
  useEffect(() => {
    if (now >= total) return;
    const handle = requestIdleCallback(() => setShown(now + MORE_CELLS), { timeout: 60 });
    return () => cancelIdleCallback(handle);
  }, [now, total]);
  return Math.min(now, total);
}

function Column() {
  const loaded = useView((view) => view.model.meta !== null);
  const order = useView((view) => view.model.order);
  const problem = useView((view) => view.problem);
  const wanted = useView((view) => (view.focusedId === null ? -1 : view.model.order.indexOf(view.focusedId)));
  const shown = useCellsShown(order.length, wanted);
  if (problem !== null && !loaded) return null;
  if (!loaded) return <Loading />;
  return (
    <div className="col">
      {order.length === 0 ? (
        <div className="empty">
          <h1>{WORDS.emptyTitle}</h1>
          <p>{WORDS.emptyText}</p>
        </div>
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: cells are sections; a ul would want li around each
        <div className="cells" role="list" aria-label={WORDS.cells} aria-busy={shown < order.length}>
          {order.slice(0, shown).map((id, index) => (
            <CellCard key={id} id={id} index={index} />
          ))}
        </div>
      )}
      <AddAtEnd />
    </div>
  );
}

function Loading() {
  return (
    <div className="col" aria-busy="true">
      <span className="visually-hidden" role="status">
        {WORDS.loading}
      </span>
      {[64, 108, 84].map((height) => (
        <div key={height} className="cell cell-ahead" style={{ height }} />
      ))}
    </div>
  );
}

/** What stands between the person and their notebook, each with what to do about it. */
function Banners() {
  const session = useSession();
  const { problem, notice, closed, refusal, dagError } = useViewParts((view) => ({
    problem: view.problem,
    notice: view.notice,
    closed: view.model.closed,
    refusal: view.model.refusal,
    dagError: view.model.dagError,
  }));
  const dismiss = <Button onClick={() => session.dismissNotice()}>{WORDS.dismiss}</Button>;
  return (
    <div className="banners">
      {problem === null ? null : (
        <Notice
          tone="error"
          actions={
            <a className="btn btn-plain" href="#/">
              {WORDS.backHome}
            </a>
          }
        >
          {problem}
        </Notice>
      )}
      {closed === null ? null : (
        <Notice
          tone="warn"
          actions={
            closed.reason === 'deleted' ? undefined : (
              <Button kind="primary" onClick={() => void session.reopen()}>
                {WORDS.reopen}
              </Button>
            )
          }
        >
          {WORDS.closedReason[closed.reason]}
        </Notice>
      )}
      {dagError === null ? null : <Notice tone="error">{dagError}</Notice>}
      {notice === null ? null : (
        <Notice tone="error" actions={dismiss}>
          {notice}
        </Notice>
      )}
      {refusal === null ? null : (
        <Notice tone="error" actions={dismiss}>
          {refusal.error}
        </Notice>
      )}
    </div>
  );
}

/** Runs the command table on key presses that nothing nearer has taken. */
function useCommandKeys(): void {
  const session = useSession();
  useEffect(() => {
    const isMac = /Mac/.test(navigator.platform);
    const reader = createKeyReader(COMMANDS, isMac);
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || !(event.target instanceof Element)) return;
      const view = session.store.getState();
      const inEditor = event.target.closest('[data-editor]') !== null;
      if (!inEditor && belongsToControl(event.target, event.key)) return;
      const command = reader.read(event, inEditor ? 'edit' : 'command', Date.now());
      const context = { session, view };
      if (command === null || command.when?.(context) === false) return;
      event.preventDefault();
      command.run(context);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [session]);
}

/** Text fields take every key, buttons take Enter and Space, scrolling boxes the arrows. */
function belongsToControl(target: Element, key: string): boolean {
  if (target.closest('input, select, textarea, iframe') !== null) return true;
  if ((key === 'Enter' || key === ' ') && target.closest('button, a') !== null) return true;
  return key.startsWith('Arrow') && target.closest('.console-box, .env-panel') !== null;
}

/** Leaving with edits the server does not have asks first. */
function useUnsavedWarning(): void {
  const session = useSession();
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      session.edits.saveAll();
      const { drafts } = session.store.getState();
      if (Object.values(drafts).some((draft) => draft.state !== 'sent')) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [session]);
}
