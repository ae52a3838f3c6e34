import type { Session } from '../session/api.ts';

/** What the assistant needs of an open notebook. */
export type AgentNotebook = Pick<
  Session,
  | 'id'
  | 'path'
  | 'dispatch'
  | 'touch'
  | 'body'
  | 'linkedDag'
  | 'cells'
  | 'cell'
  | 'variables'
  | 'ai'
  | 'redactor'
  | 'undoRecord'
  | 'environment'
  | 'explain'
  | 'artifactFile'
  | 'hold'
  | 'announce'
  | 'ended'
>;
