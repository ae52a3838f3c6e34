/** The parts of an open notebook that the assistant uses, as interfaces. */

import type { Session } from '../session/api.ts';
import type { SessionViews } from '../session/views/sessionViews.ts';

type View<Name extends keyof SessionViews, Member extends keyof SessionViews[Name]> = {
  readonly [Key in Name]: Pick<SessionViews[Name], Member>;
};

/** The views of an open notebook that the assistant reads. */
export type AgentViews = View<'notebook', 'body' | 'linkedDag' | 'redactor' | 'hold'> &
  View<'cells', 'all' | 'one' | 'explain'> &
  View<'results', 'variables' | 'artifactFile'> &
  View<'settings', 'ai'> &
  View<'editor', 'undoRecord'> &
  Pick<SessionViews, 'environment'>;

/** The part of an open notebook's interface that the assistant uses. */
export interface AgentNotebook extends Pick<Session, 'id' | 'path' | 'dispatch' | 'announce' | 'lifetime'> {
  readonly views: AgentViews;
}
