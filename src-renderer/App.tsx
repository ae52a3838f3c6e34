import { useMemo } from 'react';
import { HomePage, OpenPage } from './home/HomePage.tsx';
import { readRecents, rememberRecent } from './home/recents.ts';
import { WorkbenchPage } from './panels/WorkbenchPage.tsx';
import { notebookHash, openHash, parseRoute, replaceHash, rewriteHash, useHash } from './router.ts';
import { WORDS } from './ui/strings.ts';
import { Toasts } from './ui/Toast.tsx';
import { Tooltips } from './ui/Tooltips.tsx';

const goToNotebook = (sessionId: string, path: string): void => replaceHash(notebookHash(sessionId, path));
const correctAddress = (sessionId: string, path: string | null): void =>
  rewriteHash(notebookHash(sessionId, path));
const goOpen = (path: string): void => {
  window.location.hash = openHash(path);
};

/** The page the address names, and what lies above every page. */
export function App() {
  return (
    <>
      <Page />
      <Toasts />
      <Tooltips />
    </>
  );
}

function Page() {
  const hash = useHash();
  const route = useMemo(() => parseRoute(hash), [hash]);
  switch (route.kind) {
    case 'home':
      return <HomePage openPath={goOpen} />;
    case 'open':
      return <OpenPage path={route.path} onOpen={goToNotebook} />;
    case 'notebook':
      return (
        <WorkbenchPage
          key={route.sessionId}
          sessionId={route.sessionId}
          path={route.path}
          onSessionId={correctAddress}
          onOpened={rememberRecent}
          recents={readRecents}
        />
      );
    case 'missing':
      return (
        <main className="home">
          <p>{WORDS.notFound}</p>
          <a href="#/">{WORDS.backHome}</a>
        </main>
      );
  }
}
