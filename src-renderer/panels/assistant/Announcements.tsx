import { useAssistant } from '../../notebook/assistant/useAssistant.ts';
import { useView } from '../../notebook/context.ts';
import { isOpen } from '../../state/assistant/turns.ts';
import { stepWords, ASSISTANT_WORDS as W } from '../../words/assistant.ts';

/**
 * Announces the conversation to screen readers: a question immediately, steps and the end of an answer at the next
 * pause. The text of an answer is not announced, since it would be read again at every word.
 */
export function Announcements() {
  const last = useAssistant(({ turns }) => turns.at(-1));
  const live = useView((view) => view.link.kind === 'live');
  if (last === undefined) return null;
  const step = last.pieces.findLast((piece) => piece.kind === 'step');
  const calm = isOpen(last)
    ? step?.kind === 'step'
      ? stepWords(step)
      : W.thinking
    : last.state === 'done' && last.pieces.length > 0
      ? W.answerReady
      : '';
  return (
    <>
      <span className="visually-hidden" role="status">
        {live ? calm : W.offline}
      </span>
      <span className="visually-hidden" role="alert">
        {last.question === null ? '' : W.asks(last.question.request.summary)}
      </span>
    </>
  );
}
