/**
 * The assistant's answer to a question at a cell: the proposed changes of its text, and the buttons that accept or
 * reject them.
 */

import { useMemo } from 'react';
import { useStore } from 'zustand';
import { MarkdownView } from '../../outputs/MarkdownView.tsx';
import { arrivingSegments, codeIn, hunksOf, reviewOf } from '../../state/assistant/proposal.ts';
import { shownSource } from '../../state/notebookStore.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { ASK_WORDS as W } from '../../words/ask.ts';
import { ASSISTANT_WORDS } from '../../words/assistant.ts';
import { useCell, useSession } from '../context.ts';
import { MOD } from './AskField.tsx';
import { HunkList } from './HunkList.tsx';

interface Props {
  readonly id: string;
  /** Runs an action; if it closes the question, restores the focus. */
  readonly runAndRefocus: (action: () => boolean) => void;
  readonly onClose: () => void;
}

/** The question, and the changes that the answer would make. */
export function AskAnswer(props: Props) {
  const { ask } = useSession();
  const phase = useStore(ask.store, (state) => state.phase);
  const question = useStore(ask.store, (state) => state.question);
  const failure = useStore(ask.store, (state) => state.failure);
  return (
    <div className="inline-ask-answer" aria-busy={phase === 'saving' || phase === 'arriving'}>
      {phase === 'writing' ? null : <p className="inline-ask-question">{question}</p>}
      {phase === 'saving' ? <WaitingNote>{W.saving}</WaitingNote> : null}
      {phase === 'arriving' ? <StreamingAnswer id={props.id} /> : null}
      {phase === 'answered' ? <FinishedAnswer {...props} /> : null}
      {failure === null ? null : (
        <Notice
          tone="error"
          actions={<Button onClick={() => void ask.send()}>{ASSISTANT_WORDS.tryAgain}</Button>}
        >
          {failure.message} {ASSISTANT_WORDS.advice[failure.code]}
        </Notice>
      )}
    </div>
  );
}

function WaitingNote({ children }: { children: string }) {
  return (
    <p className="inline-ask-hint" role="status">
      <Spinner label={null} /> {children}
    </p>
  );
}

function useCellText(id: string): string {
  return useCell(id, (view) => shownSource(view, id));
}

function useLanguage(id: string) {
  return useCell(id, ({ model }) => model.cells[id]?.cell.language ?? 'python');
}

/** The changes while they arrive; they cannot be accepted yet. */
function StreamingAnswer({ id }: { id: string }) {
  const { ask } = useSession();
  const answer = useStore(ask.store, (state) => state.answer);
  const text = useCellText(id);
  const language = useLanguage(id);
  // Without the last line, which is incomplete and would look like a change.
  const lines = answer.slice(0, answer.lastIndexOf('\n') + 1);
  const segments = useMemo(() => arrivingSegments(text, lines, language), [text, lines, language]);
  const { prose, code } = useMemo(() => codeIn(lines, language), [lines, language]);
  return (
    <>
      {segments.length > 0 ? <HunkList segments={segments} label={W.arrivingChanges} /> : null}
      {prose === '' || code !== null ? null : <MarkdownView text={prose} />}
      <WaitingNote>{answer === '' ? W.asking : W.arriving}</WaitingNote>
    </>
  );
}

function FinishedAnswer({ id, runAndRefocus, onClose }: Props) {
  const { ask } = useSession();
  const base = useStore(ask.store, (state) => state.base);
  const answer = useStore(ask.store, (state) => state.answer);
  const decided = useStore(ask.store, (state) => state.decided);
  const current = useCellText(id);
  const language = useLanguage(id);
  const review = useMemo(
    () => reviewOf({ base, current, answer, language }),
    [base, current, answer, language],
  );
  const { kind, segments, overlaps, prose } = review;
  const hunks = hunksOf(segments);
  const someDecided = hunks.some(({ key }) => decided[key] !== undefined);
  return (
    <>
      <span className="visually-hidden" role="status">
        {kind === 'changes' ? W.ready(hunks.length, MOD) : ''}
      </span>
      {kind === 'changes' ? (
        <HunkList
          segments={segments}
          label={W.changes}
          deciding={{ decided, decide: (hunk, yes) => runAndRefocus(() => ask.decide(hunk, yes)) }}
        />
      ) : (
        <Notice tone={kind === 'cut' ? 'warn' : 'info'}>{W[kind]}</Notice>
      )}
      {overlaps ? <Notice tone="warn">{W.overlaps}</Notice> : null}
      {prose === '' ? null : (
        <div className="inline-ask-prose">
          <MarkdownView text={prose} />
        </div>
      )}
      <div className="inline-ask-acts">
        {kind === 'changes' ? (
          <>
            <span className="inline-ask-hint grow">{W.count(hunks.length)}</span>
            <Button onClick={() => runAndRefocus(() => ask.finish(false))}>
              {someDecided ? W.rejectRest : hunks.length === 1 ? W.reject : W.rejectAll}
            </Button>
            <Button
              kind="primary"
              disabled={hunks.every(({ isHidden }) => isHidden)}
              onClick={() => runAndRefocus(() => ask.finish(true))}
            >
              {someDecided ? W.acceptRest : hunks.length === 1 ? W.accept : W.acceptAll}
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>{W.close}</Button>
        )}
      </div>
    </>
  );
}
