/** Sorts the notebooks that the first page knows into its lists (open, recent, on this computer). */

import type { AnswerOf } from '../live/rest.ts';
import type { Recent } from './recents.ts';

/** One notebook in a list of the first page. */
export interface NotebookPlace {
  readonly path: string;
  readonly name: string;
  readonly kind: 'session' | 'recent' | 'found';
  /** The session in which it is open; null if it is closed. */
  readonly sessionId: string | null;
  /** When it was opened or, if it was never opened here, changed; in milliseconds since 1970. */
  readonly atMs: number | null;
  readonly pinned: boolean;
  /** Whether the server no longer finds a notebook there. */
  readonly missing: boolean;
}

export interface HomeFacts {
  readonly sessions: AnswerOf<'listSessions'>['sessions'];
  readonly recents: readonly Recent[];
  /** Paths that still have a notebook; null before the server has responded. */
  readonly valid: ReadonlySet<string> | null;
  readonly found: AnswerOf<'discoverNotebooks'>['notebooks'];
}

interface Places {
  readonly sessions: readonly NotebookPlace[];
  readonly recents: readonly NotebookPlace[];
  readonly found: readonly NotebookPlace[];
}

/**
 * Sorts the known notebooks into the lists of the page. A notebook appears only in the first list that it belongs to.
 */
export function placesOf({ sessions, recents, valid, found: foundFolders }: HomeFacts): Places {
  const seenPaths = new Set<string>();
  const isNew = (place: NotebookPlace): boolean => {
    if (seenPaths.has(place.path)) return false;
    seenPaths.add(place.path);
    return true;
  };
  const openedAt = new Map(recents.map((one) => [one.path, one]));
  return {
    sessions: sessions
      .map((session) => ({
        path: session.path,
        name: session.name,
        kind: 'session' as const,
        sessionId: session.session_id,
        atMs: openedAt.get(session.path)?.openedAtMs ?? null,
        pinned: openedAt.get(session.path)?.pinned ?? false,
        missing: false,
      }))
      // The server lists sessions in the order in which they were opened; the newest comes first here.
      .reverse()
      .sort((a, b) => (b.atMs ?? 0) - (a.atMs ?? 0))
      .filter(isNew),
    recents: recents
      .map((one) => ({
        path: one.path,
        name: one.name,
        kind: 'recent' as const,
        sessionId: null,
        atMs: one.openedAtMs,
        pinned: one.pinned,
        missing: valid !== null && !valid.has(one.path),
      }))
      .filter(isNew),
    found: foundFolders
      .map((one) => ({
        path: one.path,
        name: one.name ?? lastPart(one.path),
        kind: 'found' as const,
        sessionId: null,
        atMs: one.updated_at === null ? null : msOf(one.updated_at),
        pinned: false,
        missing: false,
      }))
      .filter(isNew),
  };
}

/** The last part of a path with slashes or backslashes. */
export function lastPart(path: string): string {
  return (
    path
      .split(/[/\\]/)
      .filter((part) => part !== '')
      .at(-1) ?? path
  );
}

function msOf(time: string): number | null {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? null : ms;
}

/** Whether a notebook matches the search: every word is in its name or its path. */
export function matches(place: NotebookPlace, text: string): boolean {
  const where = `${place.name}\n${place.path}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => where.includes(word));
}
