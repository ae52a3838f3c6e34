/** A card in the conversation that asks the user to allow a change which the assistant wants to make. */

import { useEffect, useId, useRef } from 'react';
import { useSession, useView } from '../../notebook/context.ts';
import type { Question, Turn } from '../../state/assistant/turns.ts';
import { Button } from '../../ui/Button.tsx';
import { isFocusLost } from '../../ui/lostFocus.ts';
import { useNow } from '../../ui/useNow.ts';
import { ASSISTANT_WORDS as W } from '../../words/assistant.ts';
import { PreviewView } from './PreviewView.tsx';

/** A change that the assistant makes only if the user allows it. */
export function QuestionCard({ turn, question }: { turn: Turn; question: Question }) {
  const { assistant } = useSession();
  const live = useView((view) => view.link.kind === 'live');
  const card = useRef<HTMLElement>(null);
  const id = useId();
  const { request, deadlineMs } = question;
  const now = useNow(true, 1_000);
  const remainingSeconds = Math.max(0, Math.ceil((deadlineMs - now) / 1_000));
  useCardFocus(card, request.request_id);
  const answer = (approved: boolean): void => assistant.answer(turn.id, approved);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <section
      ref={card}
      className="assistant-question"
      role="group"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-note`}
      tabIndex={-1}
      data-question={request.tool}
    >
      <h4 id={`${id}-title`}>
        <span className="visually-hidden">{W.question}: </span>
        {request.summary}?
      </h4>
      <PreviewView preview={request.preview} />
      <p className="assistant-question-note">
        <span className="assistant-quiet" id={`${id}-note`}>
          {remainingSeconds === 0 ? W.expired : W.noAnswer}
        </span>
        {remainingSeconds === 0 ? null : (
          <span className="assistant-quiet assistant-left" role="timer">
            {W.left(remainingSeconds)}
          </span>
        )}
      </p>
      <div className="assistant-question-foot">
        <Button disabled={!live || remainingSeconds === 0} onClick={() => answer(false)}>
          {W.decline}
        </Button>
        <Button kind="primary" disabled={!live || remainingSeconds === 0} onClick={() => answer(true)}>
          {W.allow}
        </Button>
      </div>
    </section>
  );
}

/**
 * Moves the focus to a new question if the empty message field of the panel has it, never from typed text or from a
 * cell. The card gets the focus, so that screen readers read its text and a key that is pressed just then triggers no
 * button. When the question is answered, the focus returns to the field.
 */
function useCardFocus(card: React.RefObject<HTMLElement | null>, requestId: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question is another card
  useEffect(() => {
    const box = card.current;
    const panel = box?.closest('.assistant') ?? null;
    const field = panel?.querySelector('textarea') ?? null;
    const { activeElement } = document;
    const isHere = panel?.contains(activeElement) === true || isFocusLost(null);
    if (box !== null && isHere && (field === null || field.value === '')) {
      box.scrollIntoView?.({ block: 'nearest' });
      box.focus({ preventScroll: true });
    }
    let hadFocus = false;
    const note = (): void => {
      hadFocus = box?.contains(document.activeElement) === true;
    };
    document.addEventListener('focusin', note);
    note();
    return () => {
      document.removeEventListener('focusin', note);
      if (hadFocus && isFocusLost(null)) field?.focus();
    };
  }, [requestId]);
}
