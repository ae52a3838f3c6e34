/**
 * The root component of the window: shows the page that the URL's fragment names (first page, notebook, app view,
 * Artifacts), with the dialogs and messages that lie over every page.
 */

import { lazy, Suspense, useEffect, useMemo } from 'react';
import { HomePage } from './home/HomePage.tsx';
import { OpenPage } from './home/OpenPage.tsx';
import { readRecents, rememberRecent } from './home/recents.ts';
import { SettingsDialog } from './home/SettingsDialog.tsx';
import { WorkbenchPage } from './panels/WorkbenchPage.tsx';
import { notebookHash, openHash, parseRoute, replaceHash, rewriteHash, useHash } from './router.ts';
import { appHash } from './state/appHash.ts';
import { openSettings } from './state/settingsDialog.ts';
import { shellBridge } from './state/shellBridge.ts';
import { EmptyState } from './ui/EmptyState.tsx';
import { Toasts } from './ui/Toast.tsx';
import { Tooltips } from './ui/Tooltips.tsx';
import { WORDS } from './words/strings.ts';

/** Without the workbench around it, so in a separate chunk. */
const AppPage = lazy(async () => ({ default: (await import('./appView/AppPage.tsx')).AppPage }));
/** Rarely opened, so in a separate chunk. */
const ArtifactsPage = lazy(async () => ({
  default: (await import('./home/ArtifactsPage.tsx')).ArtifactsPage,
}));
/** Shows every primitive in every state, for developers of the window; loaded as a separate chunk. */
const Gallery = lazy(async () => ({ default: (await import('./gallery/GalleryPage.tsx')).GalleryPage }));

/** The session that this page opened last. A session id in the URL may be of a session that has ended since. */
let openedHere: string | null = null;

const goToNotebook = (sessionId: string, path: string): void => {
  openedHere = sessionId;
  replaceHash(notebookHash(sessionId, path));
};
const goToNew = (sessionId: string, path: string, cellId: string | null = null): void => {
  openedHere = sessionId;
  window.location.hash = notebookHash(sessionId, path, cellId);
};
const correctAddress = (sessionId: string, path: string | null): void =>
  rewriteHash(notebookHash(sessionId, path));
const correctApp = (sessionId: string, path: string | null): void => {
  const route = parseRoute(window.location.hash);
  rewriteHash(appHash(sessionId, path, route.kind === 'app' ? route : {}));
};
const goOpen = (path: string): void => {
  window.location.hash = openHash(path);
};
/** The notebook was opened: among the recent ones here and, in the desktop window, of the system. */
const remember = (path: string, name: string): void => {
  rememberRecent(path, name);
  shellBridge()?.remember({ path, name });
};

/** The page that the URL names, and the overlays above every page. */
export function App() {
  useEffect(() => shellBridge()?.onOpenPath(goOpen), []);
  return (
    <>
      <Page />
      <SettingsDialog />
      <Toasts />
      <Tooltips />
    </>
  );
}

function Page() {
  const hash = useHash();
  const route = useMemo(() => parseRoute(hash), [hash]);
  useEffect(() => {
    if (route.kind === 'settings') openSettings();
  }, [route]);
  switch (route.kind) {
    case 'home':
    case 'new':
    case 'settings':
      return <HomePage openPath={goOpen} goToNotebook={goToNew} asksNew={route.kind === 'new'} />;
    case 'open':
      return <OpenPage key={route.path} path={route.path} onOpen={goToNotebook} />;
    case 'notebook':
      return (
        <WorkbenchPage
          key={route.sessionId}
          sessionId={route.sessionId}
          path={route.path}
          cellId={route.cellId}
          justOpened={route.sessionId === openedHere}
          onSessionId={correctAddress}
          onOpened={remember}
          recents={readRecents}
        />
      );
    case 'app':
      return (
        <Suspense>
          <AppPage
            key={route.sessionId}
            {...route}
            onSessionId={correctApp}
            onPlace={rewriteHash}
            editHash={notebookHash}
          />
        </Suspense>
      );
    case 'artifacts':
      return (
        <Suspense>
          <ArtifactsPage />
        </Suspense>
      );
    case 'gallery':
      return (
        <Suspense>
          <Gallery />
        </Suspense>
      );
    case 'missing':
      return (
        <main className="alone">
          <EmptyState title={WORDS.notFound} actions={<a href="#/">{WORDS.backHome}</a>} />
        </main>
      );
  }
}
