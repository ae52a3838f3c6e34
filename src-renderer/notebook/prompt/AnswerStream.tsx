import './prompt.css';
import type { AnswerProgress } from '../../state/notebookModel.ts';
import { PROMPT_WORDS } from '../../words/prompts.ts';

/** The response of a model while it arrives, as plain text, because incomplete Markdown may render wrongly. */
export function AnswerStream({ answer }: { answer: AnswerProgress }) {
  const { attempt, text, retriedFor, notices } = answer;
  return (
    <section className="output answer" aria-label={PROMPT_WORDS.answering} data-answer={attempt}>
      {notices.map((notice) => (
        <p className="answer-notice" role="status" key={notice}>
          {notice}
        </p>
      ))}
      {retriedFor === null ? null : (
        <p className="answer-notice" role="status">
          <strong>{PROMPT_WORDS.attempt(attempt)}</strong> {PROMPT_WORDS.retriedFor(retriedFor)}
        </p>
      )}
      {text === '' ? (
        <p className="answer-waiting">{PROMPT_WORDS.waiting}</p>
      ) : (
        <div className="answer-text" aria-busy="true">
          {text}
          <span className="answer-caret" aria-hidden="true" />
        </div>
      )}
    </section>
  );
}
