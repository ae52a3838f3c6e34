import { useSession, useView } from '../../notebook/context.ts';
import { ASSISTANT_WORDS as W } from '../../words/assistant.ts';

/**
 * Suggested messages to the assistant, shown until the first message is sent. A click puts one into the field; nothing
 * is sent.
 */
export function SuggestedQuestions() {
  const { assistant } = useSession();
  const isEmpty = useView(({ model }) =>
    model.order.every((id) => (model.cells[id]?.cell.source ?? '').trim() === ''),
  );
  return (
    <div className="assistant-ideas">
      <h3>{isEmpty ? W.ideasEmptyTitle : W.ideasTitle}</h3>
      <p>{W.ideasText}</p>
      <ul className="plain-list">
        {(isEmpty ? W.ideasEmpty : W.ideas).map(({ mode, text }) => (
          <li key={text}>
            <button
              type="button"
              className="assistant-idea"
              onClick={() => {
                assistant.setMode(mode);
                assistant.prepare(text, null);
              }}
            >
              {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
