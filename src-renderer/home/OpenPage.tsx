/** Page that opens a folder and goes to its notebook, or shows why that failed. */

import './home.css';
import { FolderX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { callRoute } from '../live/rest.ts';
import { useTask } from '../live/useTask.ts';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { HOME_WORDS } from '../words/home.ts';
import { WORDS } from '../words/strings.ts';

/** Opens a folder and goes to its notebook; if that fails, shows the reason. */
export function OpenPage(props: { path: string; onOpen: (sessionId: string, path: string) => void }) {
  const { path, onOpen } = props;
  const { problem, run } = useTask();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt asks again
  useEffect(() => {
    document.title = WORDS.appName;
    run(async (signal) => {
      const state = await callRoute('openNotebook', { body: { path } }, { signal });
      onOpen(state.session_id, state.path);
    });
  }, [path, onOpen, run, attempt]);
  if (problem === null) {
    return (
      <main className="alone" aria-busy="true">
        <EmptyState icon={<Spinner label={null} size={24} />} title={HOME_WORDS.opening}>
          <p className="alone-path">
            <bdi>{path}</bdi>
          </p>
          <p role="status">{HOME_WORDS.openingText}</p>
        </EmptyState>
      </main>
    );
  }
  return (
    <main className="alone">
      <EmptyState
        icon={<FolderX />}
        title={HOME_WORDS.openFailed}
        actions={
          <>
            <Button kind="primary" onClick={() => setAttempt(attempt + 1)}>
              {WORDS.tryAgain}
            </Button>
            <a className="btn btn-plain" href="#/">
              {WORDS.backHome}
            </a>
          </>
        }
      >
        <p className="alone-path">
          <bdi>{path}</bdi>
        </p>
        <p role="alert" className="alone-why">
          {problem}
        </p>
      </EmptyState>
    </main>
  );
}
