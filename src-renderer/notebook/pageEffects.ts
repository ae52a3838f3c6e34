/**
 * Effects of the notebook page outside its elements: the window's title, preloading the editor, the warning on leaving.
 */

import { useEffect } from 'react';
import { loadMonaco } from '../editor/loadMonaco.ts';
import { WORDS } from '../words/strings.ts';
import { useSession, useView, useViewParts } from './context.ts';

/** Sets the window's title to the notebook's name and reports the opened notebook. */
export function useTitle(onOpened: (path: string, name: string) => void): void {
  const { name, path } = useViewParts((view) => ({ name: view.model.meta?.name ?? null, path: view.path }));
  useEffect(() => {
    if (name === null) return;
    document.title = `${name} · ${WORDS.appName}`;
    if (path !== null) onOpened(path, name);
  }, [name, path, onOpened]);
}

/** Loads the editor after the cells have been painted. */
export function usePreloadedEditor(): void {
  const loaded = useView((view) => view.model.meta !== null);
  useEffect(() => {
    if (!loaded) return;
    const handle = requestIdleCallback(
      () => loadMonaco().catch((error: unknown) => console.error('the editor did not load', error)),
      { timeout: 2_000 },
    );
    return () => cancelIdleCallback(handle);
  }, [loaded]);
}

/** Asks before the page is closed with edits that the server does not have. */
export function useUnsavedWarning(): void {
  const session = useSession();
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      session.edits.saveAll();
      const { drafts, orphanTexts } = session.store.getState();
      const isUnsaved =
        orphanTexts.some(({ state }) => state === 'placing') ||
        Object.values(drafts).some((draft) => draft.state === 'typed');
      // Call both, because each sends what can still be sent.
      const isLost = [session.tests.leaving(), session.keptDrafts.leaving()].includes(true);
      if (isLost || isUnsaved) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [session]);
}
