import { type ReactNode, useEffect, useState } from 'react';
import { NotebookSession } from '../live/notebookSession.ts';
import { SessionContext } from './context.ts';

/** One open notebook: owns its session from mount to unmount and provides it to its children. */
export function OpenNotebook(props: {
  sessionId: string;
  path: string | null;
  cellId?: string | null;
  justOpened: boolean;
  access?: 'editor' | 'viewer';
  onSessionId: (sessionId: string, path: string | null) => void;
  children: ReactNode;
}) {
  const { sessionId, path, cellId = null, justOpened, onSessionId, access = 'editor', children } = props;
  const [session, setSession] = useState<NotebookSession | null>(null);
  useEffect(() => {
    const opened = new NotebookSession({ sessionId, path, cellId, justOpened, onSessionId, role: access });
    setSession(opened);
    return () => opened.close();
  }, [sessionId, path, cellId, justOpened, onSessionId, access]);
  return session === null ? null : <SessionContext value={session}>{children}</SessionContext>;
}
