/** The part of the session's reducer for a folder that the user trusted, or that was replaced by another one. */

import type { Effect, Reducer } from '../state/events.ts';
import type { SessionState } from '../state/state.ts';
import { notebookStateFrame, toAll } from '../view/frames.ts';
import { reduction, unchanged } from './reductions.ts';

/**
 * The user trusts the folder: all clients get the change, and the environment is set up as for any opening.
 */
export const onFolderTrusted: Reducer<'folder_trusted'> = (state) => {
  if (state.trusted || state.closing) return unchanged(state);
  const next: SessionState = { ...state, trusted: true };
  const fetched: readonly Effect[] =
    next.file.secretManager === null ? [] : [{ type: 'fetch_secrets', ticket: null }];
  return reduction(next, [toAll(notebookStateFrame(next))], [{ type: 'start_environment' }, ...fetched]);
};

/** The trusted folder was replaced: from now on the notebook is untrusted. */
export const onFolderReplaced: Reducer<'folder_replaced'> = (state) => {
  if (!state.trusted || state.closing) return unchanged(state);
  const next: SessionState = { ...state, trusted: false };
  return reduction(next, [toAll(notebookStateFrame(next))], []);
};
