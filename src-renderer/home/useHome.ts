/**
 * Hook that loads the data of the first page (sessions, recent and discovered notebooks, configuration) and keeps it
 * current.
 */

import { useCallback, useEffect, useRef, useState } from 'react';
import type { AnswerOf, CallOf } from '../live/rest.ts';
import { callRoute, RestError } from '../live/rest.ts';
import { HOME_WORDS } from '../words/home.ts';
import type { HomeFacts } from './notebookPlace.ts';
import { type Recent, readRecents, writeRecents } from './recents.ts';

export type Config = AnswerOf<'getConfig'>;

export interface Home {
  readonly facts: HomeFacts;
  /** The folder in which the server looks for notebooks; null if it looks in none, or has not responded. */
  readonly root: string | null;
  readonly config: Config | null;
  /** True until the first answer arrives. */
  readonly loading: boolean;
  /** True while the server does not respond; the request is repeated every few seconds. */
  readonly offline: boolean;
  /** Error messages of lists that the server refused. */
  readonly problems: readonly string[];
  readonly reload: () => void;
  readonly setRecents: (recents: readonly Recent[]) => void;
}

interface Answers {
  readonly sessions: HomeFacts['sessions'];
  readonly found: HomeFacts['found'];
  readonly valid: HomeFacts['valid'];
  readonly root: string | null;
  readonly config: Config | null;
  readonly offline: boolean;
  readonly problems: readonly string[];
}

/** Delay before the next request after the server did not respond, in ms. */
const RETRY_MS = 3_000;
/** The most paths per request (docs/spec/rest-notebooks.md, 3.3). */
const PATHS_PER_QUESTION = 100;
const NOTHING: Answers = {
  sessions: [],
  found: [],
  valid: null,
  root: null,
  config: null,
  offline: false,
  problems: [],
};

/** The data of the first page: loaded when the page opens, when the window gets the focus, and after every change. */
export function useHome(): Home {
  const [recents, showRecents] = useState(readRecents);
  const [answers, setAnswers] = useState<Answers | null>(null);
  const [round, setRound] = useState(0);
  const reload = useCallback(() => setRound((one) => one + 1), []);
  const paths = useRef(recents);
  paths.current = recents;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    askAll(
      paths.current.map((one) => one.path),
      stop.signal,
    ).then(
      (next) => {
        if (stop.signal.aborted) return;
        // While the server does not respond, the last lists stay visible.
        setAnswers((old) => (next.offline ? { ...(old ?? NOTHING), offline: true, problems: [] } : next));
        if (next.offline) timer = setTimeout(reload, RETRY_MS);
      },
      (error: unknown) => {
        if (!stop.signal.aborted) throw error;
      },
    );
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [round, reload]);
  useEffect(() => {
    const again = (): void => {
      if (document.visibilityState === 'hidden') return;
      showRecents(readRecents());
      reload();
    };
    window.addEventListener('focus', again);
    return () => window.removeEventListener('focus', again);
  }, [reload]);
  const setRecents = useCallback((next: readonly Recent[]) => {
    writeRecents(next);
    showRecents(readRecents());
  }, []);
  const { sessions, found: foundFolders, valid, root, config, offline, problems } = answers ?? NOTHING;
  return {
    facts: { sessions, found: foundFolders, valid, recents },
    root,
    config,
    loading: answers === null,
    offline,
    problems,
    reload,
    setRecents,
  };
}

async function askAll(paths: readonly string[], signal: AbortSignal): Promise<Answers> {
  const questions: (readonly string[])[] = [];
  for (let at = 0; at < paths.length; at += PATHS_PER_QUESTION) {
    questions.push(paths.slice(at, at + PATHS_PER_QUESTION));
  }
  const [sessions, discovered, config, ...checks] = await Promise.all([
    ask('listSessions', {}, signal),
    ask('discoverNotebooks', {}, signal),
    ask('getConfig', {}, signal),
    ...questions.map((some) => ask('validateRecents', { body: { paths: [...some] } }, signal)),
  ]);
  const refusals = [sessions, discovered, config, ...checks].filter((one) => one instanceof RestError);
  const checked = checks.flatMap((one) => (one instanceof RestError ? [] : [one]));
  return {
    sessions: sessions instanceof RestError ? [] : sessions.sessions,
    found: discovered instanceof RestError ? [] : discovered.notebooks,
    root: discovered instanceof RestError ? null : discovered.root,
    config: config instanceof RestError ? null : config,
    // A path counts as missing only if every check was answered.
    valid: checked.length === checks.length ? new Set(checked.flatMap((one) => one.valid)) : null,
    offline: refusals.some((one) => one.status === 0),
    problems: [
      ...problemOf(HOME_WORDS.sessions, sessions),
      ...problemOf(HOME_WORDS.discovered, discovered),
      ...problemOf(
        HOME_WORDS.recents,
        checks.find((one) => one instanceof RestError),
      ),
    ],
  };
}

/** Calls a route. A refusal is returned rather than thrown. */
async function ask<N extends 'listSessions' | 'discoverNotebooks' | 'getConfig' | 'validateRecents'>(
  name: N,
  call: CallOf<N>,
  signal: AbortSignal,
): Promise<AnswerOf<N> | RestError> {
  try {
    return await callRoute(name, call, { signal });
  } catch (error) {
    if (error instanceof RestError) return error;
    throw error;
  }
}

function problemOf(what: string, answer: unknown): readonly string[] {
  // In service mode the server refuses these lists (status 403), which is no problem to report.
  if (!(answer instanceof RestError) || answer.status === 403) return [];
  return [HOME_WORDS.listFailed(what, answer.message)];
}
