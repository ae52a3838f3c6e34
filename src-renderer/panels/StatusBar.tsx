/** The status bar at the bottom of the window: connection, environment, counts of cells by status, saved or not. */

import './statusBar.css';
import { Bot, LoaderCircle, Package, Square, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { vimStatus } from '../editor/vimKeys.ts';
import { useSession, useView, useViewParts } from '../notebook/context.ts';
import { cellName } from '../state/cellName.ts';
import { perModel } from '../state/perModel.ts';
import { shownTally, undecidedCells } from '../state/undecided.ts';
import { onThemeChange, preferences } from '../theme/theme.ts';
import { ASSISTANT_WORDS } from '../words/assistant.ts';
import { LANGUAGE_WORDS } from '../words/language.ts';
import { WORDS } from '../words/strings.ts';
import { TEST_WORDS } from '../words/tests.ts';
import { WORKBENCH } from '../words/workbench.ts';
import { environmentWords } from './environment/environmentWords.ts';
import { LinkBadge } from './LinkBadge.tsx';
import { RunStatus } from './runs/RunStatus.tsx';
import { layoutActions } from './useLayout.ts';

/** The connection, the environment, how many cells are in which state, and whether what was typed is saved. */
export function StatusBar() {
  return (
    <footer className="status-bar" data-region="status">
      <LinkBadge />
      <EnvironmentStatus />
      <LanguageStatus />
      <VimStatus />
      <span className="grow" />
      <AgentActivity />
      <SuggestionStatus />
      <TestProgress />
      <RunStatus />
      <Counts />
      <Saved />
    </footer>
  );
}

/** What Vim mode shows (mode, pending keys); the editor fills this element. */
function VimStatus() {
  const isOn = useSyncExternalStore(onThemeChange, () => preferences().vimKeys);
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (isOn) place.current?.append(vimStatus);
  }, [isOn]);
  return isOn ? <span className="status-item" ref={place} /> : null;
}

function EnvironmentStatus() {
  const environment = useView((view) => view.model.meta?.environment ?? null);
  const running = useView((view) => view.model.meta?.environment_job?.status === 'running');
  if (environment === null) return null;
  const state = running ? 'pending' : environment.sync_state;
  const words = environmentWords(environment, running);
  return (
    <button
      type="button"
      className={`status-item status-env env-${state}`}
      aria-label={`${WORDS.environment}: ${words}`}
      title={WORDS.environment}
      data-environment={state}
      onClick={() => layoutActions().showPanel('environment')}
    >
      {state === 'pending' ? <LoaderCircle className="spin" aria-hidden="true" /> : null}
      {state === 'failed' || state === 'fallback' ? <TriangleAlert aria-hidden="true" /> : null}
      {state === 'ready' ? <Package aria-hidden="true" /> : null}
      <span>{words}</span>
    </button>
  );
}

/** Shown only while the Python language services are starting or unavailable. */
function LanguageStatus() {
  const { language } = useSession();
  const now = useSyncExternalStore(language.watch, language.now);
  if (now === null || now.state === 'ready') return null;
  const isOff = now.state === 'off';
  return (
    <span role="status" data-language={now.state} title={now.words ?? ''}>
      {isOff ? LANGUAGE_WORDS.off : LANGUAGE_WORDS.starting}
    </span>
  );
}

/** How long an agent's message is shown. */
const NOTE_MS = 30_000;

/** The latest action of an agent, shown for a while: an informational line without buttons. */
function AgentActivity() {
  const note = useView((view) => view.model.agentNote);
  const [past, setPast] = useState<number | null>(null);
  const seq = note?.seq ?? null;
  useEffect(() => {
    if (seq === null) return;
    const timer = setTimeout(() => setPast(seq), NOTE_MS);
    return () => clearTimeout(timer);
  }, [seq]);
  const noteText = note === null || note.seq === past ? '' : note.text;
  return (
    <span role="status" className="status-agent" data-agent-note title={noteText}>
      {noteText === '' ? null : <Bot aria-hidden="true" />}
      {noteText}
    </span>
  );
}

/**
 * Shown while suggestions at the caret are paused because of an error. Not announced to screen readers, because they
 * appear without a request.
 */
function SuggestionStatus() {
  const { suggestions } = useSession();
  const paused = useStore(suggestions.store, (state) => state.paused);
  if (paused === null) return null;
  return (
    <span data-suggestions="paused" title={paused}>
      {ASSISTANT_WORDS.suggestionsPaused}
    </span>
  );
}

/** Shown while the tests of all cells run: the cell that is tested now, and a button to stop. */
function TestProgress() {
  const session = useSession();
  const queue = useView((view) => view.testQueue);
  const name = useView((view) => (view.testQueue === null ? '' : cellName(view.model, view.testQueue.now)));
  if (queue === null) return null;
  const { total, left: remainingTests } = queue;
  return (
    <>
      <span role="status" data-testing>
        {TEST_WORDS.allRunning(total - remainingTests.length, total, name)}
      </span>
      <button
        type="button"
        className="status-item"
        aria-label={TEST_WORDS.stopAll}
        title={TEST_WORDS.stopAll}
        onClick={() => void session.allTests.stop()}
      >
        <Square aria-hidden="true" />
        <span>{TEST_WORDS.stop}</span>
      </button>
    </>
  );
}

function Counts() {
  const { running, stale, failed, total } = useViewParts(shownTally);
  const queued = useView((view) => view.model.queue.length);
  const words = [
    running > 0 ? WORDS.countRunning(running) : '',
    queued > 0 ? WORKBENCH.queued(queued) : '',
    stale > 0 ? WORDS.countStale(stale) : '',
    failed > 0 ? WORDS.countFailed(failed) : '',
  ].filter((word) => word !== '');
  return (
    <>
      <span role="status" data-counts aria-label={WORKBENCH.counts}>
        {words.join(' · ')}
      </span>
      <span className="status-cells">{WORDS.countCells(total)}</span>
    </>
  );
}

/** Whether all typed text is saved. If a cell needs a decision first: its name and a button that goes there. */
function Saved() {
  const session = useSession();
  const { first, more, tooLong, name } = useViewParts((view) => {
    const [id, ...others] = undecidedCells(view);
    return {
      first: id ?? null,
      more: others.length,
      tooLong: id !== undefined && view.drafts[id]?.tooLong === true,
      name: id === undefined ? '' : cellName(view.model, id),
    };
  });
  if (first === null) return <SavedWords />;
  return (
    <span className="status-undecided" role="status" data-saved={false}>
      <button
        type="button"
        className="status-item status-unsaved"
        title={WORKBENCH.goToUndecided}
        onClick={() => session.decide(first)}
      >
        <TriangleAlert aria-hidden="true" />
        <span>{WORKBENCH.undecided(name, { more, tooLong })}</span>
      </button>
    </span>
  );
}

function SavedWords() {
  const { drafts, live, refused } = useViewParts((view) => ({
    drafts: Object.keys(view.drafts).length + view.orphanTexts.length,
    live: view.link.kind === 'live',
    refused: anyUnsaved(view.model),
  }));
  const isUnsaved = refused || (drafts > 0 && !live);
  return (
    <span role="status" data-saved={drafts === 0 && !refused} className={isUnsaved ? 'status-unsaved' : ''}>
      {isUnsaved ? WORDS.unsaved : drafts === 0 ? WORDS.saved : WORDS.saving}
    </span>
  );
}

const anyUnsaved = perModel((model) => Object.values(model.cells).some(({ cell }) => cell.unsaved === true));
