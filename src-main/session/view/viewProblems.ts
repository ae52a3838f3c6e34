import type { NotebookBody } from '../../../src-shared/wire/notebookState.ts';
import type { SessionState } from '../state/state.ts';
import { recheckNotice } from './recheckNotice.ts';

/** The problems of a notebook as a whole; empty if there are none. */
export function viewProblems(state: SessionState): Pick<NotebookBody, 'folder_problem' | 'recheck_notice'> {
  const recheck = recheckNotice(state);
  return {
    ...(state.folderProblem === null ? {} : { folder_problem: state.folderProblem }),
    ...(recheck === null ? {} : { recheck_notice: recheck }),
  };
}
