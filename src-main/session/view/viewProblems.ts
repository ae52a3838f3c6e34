import type { NotebookBody } from '../../../src-shared/wire/notebookState.ts';
import type { SessionState } from '../state/state.ts';
import { recheckNotice } from './recheckNotice.ts';

/** What a person has to know of a notebook as a whole; nothing while all is well. */
export function viewProblems(state: SessionState): Pick<NotebookBody, 'folder_problem' | 'recheck_notice'> {
  const recheck = recheckNotice(state);
  return {
    ...(state.folderProblem === null ? {} : { folder_problem: state.folderProblem }),
    ...(recheck === null ? {} : { recheck_notice: recheck }),
  };
}
