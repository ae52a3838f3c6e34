/** The message field of the assistant's panel, with the button that sends the message or stops the answer. */

import { ArrowUp, Square, X } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { MAX_MESSAGE } from '../../live/assistant/assistant.ts';
import { useAssistant } from '../../notebook/assistant/useAssistant.ts';
import { useSession, useView } from '../../notebook/context.ts';
import { isOpen } from '../../state/assistant/turns.ts';
import { cellName } from '../../state/cellName.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { ASSISTANT_WORDS as W } from '../../words/assistant.ts';

/** The message field, the cell that the message is about, and the button that sends or stops. */
export function Composer() {
  const { assistant } = useSession();
  const mode = useAssistant((state) => state.mode);
  const draft = useAssistant((state) => state.draft);
  const askCount = useAssistant((state) => state.asked);
  const running = useAssistant(({ turns }) => turns.find(isOpen)?.state ?? null);
  const isEditing = useAssistant(({ editingId }) => editingId !== null);
  const live = useView((view) => view.link.kind === 'live');
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  useEffect(() => {
    if (askCount === 0) return;
    const box = field.current;
    box?.focus();
    box?.setSelectionRange(box.value.length, box.value.length);
  }, [askCount]);
  const over = draft.trim().length - MAX_MESSAGE;
  const maySend = live && running === null && draft.trim() !== '' && over <= 0;
  const note = over > 0 ? W.tooLong(over) : live ? null : W.offline;
  return (
    <div className="assistant-composer">
      <About />
      {isEditing ? (
        <div className="assistant-note">
          {W.editing}
          <IconButton label={W.cancelEdit} onClick={() => assistant.cancelEdit()}>
            <X aria-hidden="true" />
          </IconButton>
        </div>
      ) : null}
      <div className="assistant-field">
        <textarea
          ref={field}
          rows={2}
          aria-label={W.message}
          aria-describedby={note === null ? `${id}-hint` : `${id}-note`}
          placeholder={W.placeholder[mode]}
          value={draft}
          onChange={(event) => assistant.setDraft(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && isEditing) {
              event.preventDefault();
              assistant.cancelEdit();
            }
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            if (maySend) assistant.send();
          }}
        />
        {running === null ? (
          <Button
            kind="primary"
            disabled={!maySend}
            onClick={() => assistant.send()}
            aria-label={W.send}
            title={W.send}
            icon={<ArrowUp aria-hidden="true" />}
          />
        ) : (
          <Button
            disabled={running === 'stopping' || !live}
            onClick={() => {
              assistant.stop();
              // The Stop button disappears when the answer is complete.
              field.current?.focus();
            }}
            icon={<Square aria-hidden="true" />}
          >
            {running === 'stopping' ? W.stopping : W.stop}
          </Button>
        )}
      </div>
      {note === null ? (
        <p className="assistant-hint" id={`${id}-hint`}>
          {W.modeHint[mode]} {W.keysHint}
        </p>
      ) : (
        <p className="assistant-hint assistant-wrong" id={`${id}-note`} role="status">
          {note}
        </p>
      )}
    </div>
  );
}

/** The cell that the message is about. */
function About() {
  const { assistant } = useSession();
  const aboutId = useAssistant((state) => state.aboutId);
  const name = useView(({ model }) =>
    aboutId === null || model.cells[aboutId] === undefined ? null : cellName(model, aboutId),
  );
  if (name === null) return null;
  return (
    <div className="assistant-note">
      <span className="chip chip-accent">
        <span className="chip-text">{W.about(name)}</span>
      </span>
      <IconButton label={W.notAbout(name)} onClick={() => assistant.setAbout(null)}>
        <X aria-hidden="true" />
      </IconButton>
    </div>
  );
}
