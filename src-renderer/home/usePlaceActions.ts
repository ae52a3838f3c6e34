/** Hook for the actions of the notebook rows on the first page: open, close, pin, forget, delete and so on. */

import { useMemo, useRef } from 'react';
import { callRoute, RestError } from '../live/rest.ts';
import { notebookHash, openHash } from '../router.ts';
import { toast } from '../ui/Toast.tsx';
import { HOME_WORDS } from '../words/home.ts';
import type { NotebookPlace } from './notebookPlace.ts';
import type { PlaceActions } from './PlaceRow.tsx';
import { forgetRecent, pinRecent, readRecents } from './recents.ts';
import type { Home } from './useHome.ts';

/**
 * The actions of the rows. The object stays the same while the page is mounted, so that rows are not rendered again.
 */
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
        // There is no clipboard if the page is served neither over https nor from this machine.
        const copied = navigator.clipboard?.writeText(path) ?? Promise.reject(new Error('no clipboard'));
        copied.then(
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
