/** Determines which other people have the notebook open, and at which cell they are. */

import type { Presence } from './notebookModel.ts';

/** Another person or window that has this notebook open. */
interface Place {
  readonly key: string;
  /** The name they declared; null if none. */
  readonly name: string | null;
  readonly cellId: string | null;
}

/** The identity of clients that declare none (docs/spec/live-protocol.md, 8). */
const NO_IDENTITY = 'local';

/** Everyone except this window: sockets if the server lists them, else other identities. */
export function otherPlaces(presence: Presence | null): readonly Place[] {
  if (presence === null) return [];
  const nameOf = (principal: string): string | null => (principal === NO_IDENTITY ? null : principal);
  if (presence.others !== undefined) {
    return presence.others.map(({ principal, focused_cell_id }, at) => ({
      key: `${principal} ${at}`,
      name: nameOf(principal),
      cellId: focused_cell_id,
    }));
  }
  return presence.principals
    .filter(({ principal }) => principal !== presence.you)
    .map(({ principal, focused_cell_id }) => ({
      key: principal,
      name: nameOf(principal),
      cellId: focused_cell_id,
    }));
}

/** Other people at this cell. */
export function othersAt(presence: Presence | null, cellId: string): readonly Place[] {
  return otherPlaces(presence).filter((place) => place.cellId === cellId);
}
