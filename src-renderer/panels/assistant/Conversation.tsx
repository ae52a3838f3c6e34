/** The list of messages and answers in the assistant's panel. */

import { useLayoutEffect, useRef } from 'react';
import { ContextList } from '../../notebook/assistant/ContextList.tsx';
import { useAssistant } from '../../notebook/assistant/useAssistant.ts';
import { historyOf } from '../../state/assistant/turns.ts';
import { ASSISTANT_WORDS as W } from '../../words/assistant.ts';
import { SuggestedQuestions } from './SuggestedQuestions.tsx';
import { TurnView } from './TurnView.tsx';

/** How far from the end the list may be scrolled, in CSS px, and still follow new text. */
const NEAR_END = 48;

/** The turns, oldest first. The list follows new text until the user scrolls up. */
export function Conversation() {
  const turns = useAssistant((state) => state.turns);
  const mode = useAssistant((state) => state.mode);
  const aboutId = useAssistant((state) => state.aboutId);
  const box = useRef<HTMLElement>(null);
  const follows = useRef(true);
  const last = turns.at(-1)?.id;
  const lastSeen = useRef(last);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the turns are what makes it longer
  useLayoutEffect(() => {
    // Scroll to a message that was sent just now.
    if (lastSeen.current !== last) follows.current = true;
    lastSeen.current = last;
    // Before the first message, the list stays at its top.
    if (follows.current && last !== undefined && box.current !== null)
      box.current.scrollTop = box.current.scrollHeight;
  }, [turns, last]);
  return (
    <section
      ref={box}
      className="assistant-talk"
      aria-label={W.conversation}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by key
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < NEAR_END;
      }}
    >
      {turns.length === 0 ? <SuggestedQuestions /> : null}
      {turns.map((turn) => (
        <TurnView key={turn.id} turn={turn} isLast={turn.id === last} />
      ))}
      <ContextList
        key={turns.length === 0 ? 'first' : 'later'}
        open={turns.length === 0}
        request={{
          mode,
          aboutId,
          message: '',
          history: mode === 'ask' ? historyOf(turns) : [],
          isBusy: turns.at(-1)?.state === 'running',
        }}
      />
    </section>
  );
}
