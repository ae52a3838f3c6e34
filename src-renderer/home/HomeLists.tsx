/** The lists of notebooks on the first page (open, recent, on this computer) and the examples. */

import { BookOpen, CloudOff, SearchX } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { SearchField } from '../ui/Field.tsx';
import { Keys } from '../ui/Keys.tsx';
import { Notice } from '../ui/Notice.tsx';
import { toast } from '../ui/Toast.tsx';
import { useNow } from '../ui/useNow.ts';
import { HOME_WORDS } from '../words/home.ts';
import { WORDS } from '../words/strings.ts';
import { Examples } from './Examples.tsx';
import { matches, type NotebookPlace, placesOf } from './notebookPlace.ts';
import { PlaceList } from './PlaceList.tsx';
import type { PlaceActions } from './PlaceRow.tsx';
import { readRecents } from './recents.ts';
import type { Home } from './useHome.ts';

/** The lists of notebooks (open, recent, on this computer) and the examples. */
export function HomeLists(props: { home: Home; actions: PlaceActions; openPath: (path: string) => void }) {
  const { home, actions, openPath } = props;
  const { facts, offline, loading, problems, root } = home;
  const [text, setText] = useState('');
  const query = useDeferredValue(text.trim());
  const places = useMemo(() => placesOf(facts), [facts]);
  const now = useNow(true, 60_000);
  const keep = (all: readonly NotebookPlace[]): readonly NotebookPlace[] =>
    query === '' ? all : all.filter((place) => matches(place, query));
  const sessions = keep(places.sessions);
  const recents = keep(places.recents);
  const foundPlaces = keep(places.found);
  const count = sessions.length + recents.length + foundPlaces.length;
  const none = places.sessions.length + places.recents.length + places.found.length === 0;
  const list = { now, actions, whole: query !== '' };
  return (
    <main className="home-main" aria-busy={loading}>
      <div className="home-column">
        {none && query === '' ? null : (
          <SearchField
            label={HOME_WORDS.search}
            value={text}
            onChange={setText}
            found={query === '' ? undefined : HOME_WORDS.found(count)}
            after={<Keys chord="/" />}
          />
        )}
        {offline && !none ? (
          <Notice tone="error" actions={<Button onClick={home.reload}>{HOME_WORDS.tryNow}</Button>}>
            <b>{HOME_WORDS.offlineTitle}.</b> {HOME_WORDS.offlineText}
          </Notice>
        ) : null}
        {problems.map((problem) => (
          <Notice key={problem} tone="warn" actions={<Button onClick={home.reload}>{WORDS.tryAgain}</Button>}>
            {problem}
          </Notice>
        ))}
        <PlaceList title={HOME_WORDS.sessions} places={sessions} {...list} />
        <PlaceList
          title={HOME_WORDS.recents}
          places={recents}
          {...list}
          after={query === '' ? <ClearRecents home={home} /> : null}
        />
        <PlaceList
          title={root === null ? HOME_WORDS.discovered : HOME_WORDS.discoveredIn(root)}
          places={foundPlaces}
          {...list}
        />
        {query === '' ? (
          <Examples openPath={openPath} first={none} offline={offline}>
            {none && !loading && !offline ? (
              <div className="home-first">
                <EmptyState icon={<BookOpen />} title={HOME_WORDS.emptyTitle}>
                  {HOME_WORDS.emptyText}
                </EmptyState>
              </div>
            ) : null}
          </Examples>
        ) : null}
        {loading && none ? <LoadingRows /> : null}
        {offline && none ? (
          <EmptyState
            icon={<CloudOff />}
            title={HOME_WORDS.offlineTitle}
            actions={<Button onClick={home.reload}>{HOME_WORDS.tryNow}</Button>}
          >
            <p role="alert">{HOME_WORDS.offlineText}</p>
          </EmptyState>
        ) : null}
        {query !== '' && count === 0 ? (
          <EmptyState icon={<SearchX />} title={HOME_WORDS.nothingFound(query)}>
            {HOME_WORDS.nothingFoundText}
          </EmptyState>
        ) : null}
      </div>
    </main>
  );
}

function ClearRecents({ home }: { home: Home }) {
  const clear = (): void => {
    const before = readRecents();
    const pinned = before.filter((one) => one.pinned);
    home.setRecents(pinned);
    toast(HOME_WORDS.cleared(before.length - pinned.length), {
      action: { label: HOME_WORDS.undo, run: () => home.setRecents(before) },
    });
  };
  if (home.facts.recents.every((one) => one.pinned)) return null;
  return (
    <button type="button" className="home-text-btn" onClick={clear}>
      {HOME_WORDS.clearRecents}
    </button>
  );
}

function LoadingRows() {
  return (
    <div className="places-loading">
      <span className="visually-hidden" role="status">
        {HOME_WORDS.loading}
      </span>
      {[72, 56, 64].map((width) => (
        <span key={width} style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}
