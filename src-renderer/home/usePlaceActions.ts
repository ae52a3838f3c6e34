/** Actions of notebook rows on the first page. */

import { useMemo, useRef } from 'react';
import { callRoute, RestError } from '../live/rest.ts';
import { notebookHash, openHash } from '../router.ts';
import { toast } from '../ui/Toast.tsx';
import { HOME_WORDS } from '../words/home.ts';
import type { NotebookPlace } from './notebookPlace.ts';
import type { PlaceActions } from './PlaceRow.tsx';
import { forgetRecent, pinRecent, readRecents } from './recents.ts';
import type { Home } from './useHome.ts';

/** What the rows of the lists do; the same object for as long as the page lives, so that rows are drawn once. */
export function usePlaceActions(home: Home, remove: (place: NotebookPlace) => void): PlaceActions {
  const latest = useRef({ home, remove });
  latest.current = { home, remove };
  return useMemo(
    () => ({
      hrefOf: ({ sessionId, path }) => (sessionId === null ? openHash(path) : notebookHash(sessionId, path)),
      pin: ({ path, pinned }) => {
        pinRecent(path, !pinned);
        latest.current.home.setRecents(readRecents());
      },
      forget: ({ path }) => {
        const before = readRecents();
        forgetRecent(path);
        latest.current.home.setRecents(readRecents());
        toast(HOME_WORDS.cleared(1), {
          action: { label: HOME_WORDS.undo, run: () => latest.current.home.setRecents(before) },
        });
      },
      copyPath: ({ path }) => {
        // No clipboard at all where the page is not served over https or from this machine.
        const written = navigator.clipboard?.writeText(path) ?? Promise.reject(new Error('no clipboard'));
        written.then(
          () => toast(HOME_WORDS.copied),
          () => toast(HOME_WORDS.copyFailed, { tone: 'error' }),
        );
      },
      close: (place) => {
        if (place.sessionId === null) return;
        callRoute('closeNotebook', { params: { sid: place.sessionId } }).then(
          () => {
            toast(HOME_WORDS.closed(place.name));
            latest.current.home.reload();
          },
          (error: unknown) => {
            if (!(error instanceof RestError)) throw error;
            toast(error.message, { tone: 'error' });
          },
        );
      },
      remove: (place) => latest.current.remove(place),
    }),
    [],
  );
}
