import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { NotebookSession } from '../live/notebookSession.ts';
import { findStore } from '../state/findStore.ts';
import { cellTexts } from './cellTexts.ts';
import type { Match, Pattern } from './searchText.ts';
import { findMatches, patternOf } from './searchText.ts';

/** A notebook that changes all the time (a console) is searched again this often, in ms. */
const AGAIN_MS = 150;

/** What is being looked for, and where it is; again when the notebook changes. */
export function useMatches(session: NotebookSession): { pattern: Pattern; matches: readonly Match[] } {
  const query = useStore(findStore, (find) => find.query);
  const options = useStore(findStore, (find) => find.options);
  const pattern = useMemo(() => patternOf(query, options), [query, options]);
  const version = useVersion(session);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` says that the notebook is another
  const matches = useMemo(
    () =>
      pattern.kind === 'pattern' ? findMatches(cellTexts(session.store.getState()), pattern.regexp) : [],
    [pattern, session, version],
  );
  return { pattern, matches };
}

/** Counts the notebook's changes, several at once. */
function useVersion(session: NotebookSession): number {
  const [version, setVersion] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const stop = session.store.subscribe((after, before) => {
      const same =
        after.model.cells === before.model.cells &&
        after.model.order === before.model.order &&
        after.drafts === before.drafts &&
        after.folded === before.folded;
      if (same || timer !== null) return;
      timer = setTimeout(() => {
        timer = null;
        setVersion((one) => one + 1);
      }, AGAIN_MS);
    });
    return () => {
      stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [session]);
  return version;
}
