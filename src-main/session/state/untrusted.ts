/** Refuses runs in an untrusted or read-only folder, with the message that the window shows. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import type { NotebookBody } from '../../../src-shared/wire/notebookState.ts';
import type { SessionState } from './state.ts';

/** The text of the banner and of every refusal. */
export const UNTRUSTED =
  'Nothing runs in this folder until you trust it. You can view and edit it. Its cells and packages would run with your permissions.';

/** Why nothing may run here, or null. Check this before acting in the user's name. */
export function whyUntrusted(state: SessionState): AppError | null {
  if (state.readOnly !== null) return new AppError('read_only', state.readOnly);
  return state.trusted ? null : new AppError('NOTEBOOK_UNTRUSTED', UNTRUSTED);
}

/** The trust fields on the wire: why nothing runs, and which packages need approval. */
export function viewTrust(
  state: SessionState,
): Pick<NotebookBody, 'folder_problem' | 'untrusted' | 'package_sources' | 'waiting_packages'> {
  if (state.readOnly !== null) return { folder_problem: state.readOnly };
  const { sources, waiting } = state.environment.wanted ?? { sources: [], waiting: [] };
  const packages = waiting.length === 0 ? {} : { waiting_packages: [...waiting] };
  return state.trusted ? packages : { untrusted: UNTRUSTED, package_sources: [...sources], ...packages };
}
