/** What a window knows about a notebook's session when it opens the notebook. */
export interface SessionStart {
  readonly sessionId: string;
  /** Absolute folder of the notebook; learned from the server when null. */
  readonly path: string | null;
  /** The cell that has the focus from the start. */
  readonly cellId?: string | null;
  /** True if this page opened the session a moment ago: then it connects without checking that it exists. */
  readonly justOpened: boolean;
  /** A viewer reads and moves controls; an editor, the default, can do everything. */
  readonly role?: 'editor' | 'viewer';
  /** Called when the notebook continues under another session id. */
  readonly onSessionId: (sessionId: string, path: string | null) => void;
}
