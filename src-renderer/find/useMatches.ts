/** React hook for the matches of the current find and replace search, updated when the notebook changes. */

import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { NotebookSession } from '../live/notebookSession.ts';
import { findStore } from '../state/findStore.ts';
import { cellTexts } from './cellTexts.ts';
import { searchInThread } from './searchInThread.ts';
import { performSearch } from './searchTask.ts';
import type { Match, Pattern, SearchText } from './searchText.ts';
import { MAX_MATCHES, patternOf, placesOf } from './searchText.ts';

/** A notebook that changes all the time (for example, a console) is searched again at this interval, in ms. */
const AGAIN_MS = 150;

export interface Search {
  readonly pattern: Pattern;
  readonly matches: readonly Match[];
  /** `searching`: there is no result yet; `slow`, `failed`: with this expression there will be none. */
  readonly state: 'done' | 'searching' | 'slow' | 'failed';
}

const NONE: readonly Match[] = [];

/** The current search and its matches; updated when the notebook changes. */
export function useMatches(session: NotebookSession): Search {
  const query = useStore(findStore, (find) => find.query);
  const options = useStore(findStore, (find) => find.options);
  const pattern = useMemo(() => patternOf(query, options), [query, options]);
  const version = useVersion(session);
  const costly = pattern.kind === 'pattern' && pattern.costly;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` changes with the notebook's texts
  const atOnce = useMemo(() => {
    if (pattern.kind !== 'pattern' || pattern.costly) return NONE;
    const texts = [...cellTexts(session.store.getState())];
    return placesOf(texts, performSearch(findTask(texts, pattern.regexp)));
  }, [pattern, session, version]);
  const aside = useThreadSearch(session, pattern, version);
  if (!costly) return { pattern, matches: atOnce, state: 'done' };
  return aside?.pattern === pattern ? aside : { pattern, matches: NONE, state: 'searching' };
}

/**
 * The newest result of a regular expression search, which runs on a separate thread. A change of the notebook during a
 * search starts another search after it: if each change restarted the search, it might never finish.
 */
function useThreadSearch(session: NotebookSession, pattern: Pattern, version: number): Search | null {
  const [result, setResult] = useState<Search | null>(null);
  const again = useRef(() => {});
  useEffect(() => {
    if (pattern.kind !== 'pattern' || !pattern.costly) return;
    let state: 'free' | 'busy' | 'stale' | 'over' = 'free';
    let drop = (): void => undefined;
    const go = (): void => {
      state = 'busy';
      const texts = [...cellTexts(session.store.getState())];
      drop = searchInThread(findTask(texts, pattern.regexp), (outcome) => {
        const stale = state === 'stale';
        state = outcome.kind === 'done' ? 'free' : 'over'; // The expression would be no faster after the next change.
        const matches = outcome.kind === 'done' ? placesOf(texts, outcome.answer) : NONE;
        setResult({ pattern, matches, state: outcome.kind });
        if (stale && state === 'free') go();
      });
    };
    again.current = () => {
      if (state === 'free') go();
      else if (state === 'busy') state = 'stale';
    };
    go();
    return () => {
      drop();
      again.current = () => {};
    };
  }, [pattern, session]);
  const searched = useRef(version);
  useEffect(() => {
    if (searched.current === version) return;
    searched.current = version;
    again.current();
  }, [version]);
  return result;
}

function findTask(texts: readonly SearchText[], regexp: RegExp) {
  const most = MAX_MATCHES;
  return { kind: 'find', regexp, texts: texts.map(({ text }) => text), most, mostEach: most } as const;
}

/** Counts the notebook's changes; changes in quick succession count as one. */
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
