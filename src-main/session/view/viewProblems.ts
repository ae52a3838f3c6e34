/** Collects the notices about a notebook as a whole that its windows show. */

import type { NotebookBody } from '../../../src-shared/wire/notebookState.ts';
import { damagedNotice } from '../state/damaged.ts';
import type { SessionState } from '../state/state.ts';
import { recheckNotice } from './recheckNotice.ts';

/** The problems of a notebook as a whole; empty if there are none. */
export function viewProblems(
  state: SessionState,
): Pick<NotebookBody, 'folder_problem' | 'recheck_notice' | 'damaged_notice'> {
  const recheck = recheckNotice(state);
  const damaged = damagedNotice(state.damaged, state.trusted);
  return {
    ...(state.folderProblem === null ? {} : { folder_problem: state.folderProblem }),
    ...(recheck === null ? {} : { recheck_notice: recheck }),
    ...(damaged === null ? {} : { damaged_notice: damaged }),
  };
}
