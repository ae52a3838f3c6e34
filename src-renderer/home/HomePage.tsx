import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { AnswerOf } from '../live/rest.ts';
import { callRoute, RestError } from '../live/rest.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { Logo } from '../ui/Logo.tsx';
import { Notice } from '../ui/Notice.tsx';
import { WORDS } from '../ui/strings.ts';
import { forgetRecent, readRecents } from './recents.ts';

type Sessions = AnswerOf<'listSessions'>['sessions'];

/** The first page: a folder to open, what is open, what was open. */
export function HomePage({ openPath }: { openPath: (path: string) => void }) {
  const [path, setPath] = useState('');
  const [recents, setRecents] = useState(readRecents);
  const { sessions, problem } = useSessions();
  useEffect(() => {
    document.title = WORDS.appName;
  }, []);
  const open = new Set(sessions.map((session) => session.path));
  const others = recents.filter((one) => !open.has(one.path));
  return (
    <main className="home">
      <h1 className="home-title">
        <Logo size={26} /> {WORDS.appName}
      </h1>
      <form
        className="home-open"
        onSubmit={(event) => {
          event.preventDefault();
          if (path.trim() !== '') openPath(path.trim());
        }}
      >
        <label htmlFor="path">{WORDS.homePath}</label>
        <div className="home-row">
          <input
            id="path"
            className="field"
            value={path}
            placeholder={WORDS.homePathHint}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setPath(event.target.value)}
          />
          <button type="submit" className="btn btn-primary" disabled={path.trim() === ''}>
            {WORDS.homeOpen}
          </button>
        </div>
      </form>
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      {sessions.length === 0 ? null : (
        <section>
          <h2>{WORDS.homeSessions}</h2>
          <ul className="home-list">
            {sessions.map((session) => (
              <li key={session.session_id}>
                <a href={`#/notebook/${session.session_id}?path=${encodeURIComponent(session.path)}`}>
                  <span className="home-name">{session.name}</span>
                  <span className="home-path">{session.path}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      {others.length === 0 ? null : (
        <section>
          <h2>{WORDS.homeRecents}</h2>
          <ul className="home-list">
            {others.map((one) => (
              <li key={one.path}>
                <a href={`#/open?path=${encodeURIComponent(one.path)}`}>
                  <span className="home-name">{one.name}</span>
                  <span className="home-path">{one.path}</span>
                </a>
                <IconButton
                  label={WORDS.homeForget}
                  onClick={() => {
                    forgetRecent(one.path);
                    setRecents(readRecents());
                  }}
                >
                  <X />
                </IconButton>
              </li>
            ))}
          </ul>
        </section>
      )}
      {sessions.length === 0 && others.length === 0 && problem === null ? (
        <p className="home-empty">{WORDS.homeEmpty}</p>
      ) : null}
    </main>
  );
}

function useSessions(): { sessions: Sessions; problem: string | null } {
  const [sessions, setSessions] = useState<Sessions>([]);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    callRoute('listSessions', {}, { signal: stop.signal })
      .then((answer) => setSessions(answer.sessions))
      .catch((error: unknown) => {
        if (stop.signal.aborted) return;
        if (!(error instanceof RestError)) throw error;
        // A service keeps the list to itself (personal mode only): nothing to complain about.
        if (error.status !== 403) setProblem(error.message);
      });
    return () => stop.abort();
  }, []);
  return { sessions, problem };
}

/** Opens a folder and goes to its notebook; a refusal is said with its reason. */
export function OpenPage(props: { path: string; onOpen: (sessionId: string, path: string) => void }) {
  const { path, onOpen } = props;
  const [problem, setProblem] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt asks again
  useEffect(() => {
    const stop = new AbortController();
    setProblem(null);
    callRoute('openNotebook', { body: { path } }, { signal: stop.signal })
      .then((state) => onOpen(state.session_id, state.path))
      .catch((error: unknown) => {
        if (stop.signal.aborted) return;
        if (!(error instanceof RestError)) throw error;
        setProblem(error.message);
      });
    return () => stop.abort();
  }, [path, onOpen, attempt]);
  return (
    <main className="home">
      <h1 className="home-title">
        <Logo size={26} /> {problem === null ? WORDS.opening : WORDS.openFailed}
      </h1>
      <p className="home-path home-path-alone">{path}</p>
      {problem === null ? null : (
        <>
          <Notice tone="error">{problem}</Notice>
          <div className="home-row">
            <Button kind="primary" onClick={() => setAttempt(attempt + 1)}>
              {WORDS.tryAgain}
            </Button>
            <a className="btn btn-plain" href="#/">
              {WORDS.backHome}
            </a>
          </div>
        </>
      )}
    </main>
  );
}
