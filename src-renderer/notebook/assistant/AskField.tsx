/**
 * The field in which a question to the assistant about one cell is typed, with the list of cells that are sent along.
 */

import { ArrowUp, Sparkles, Square, X } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { useStore } from 'zustand';
import { MAX_QUESTION } from '../../live/assistant/inlineAsk.ts';
import { shownSource } from '../../state/notebookStore.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { IS_MAC } from '../../ui/chord.ts';
import { ASK_WORDS as W } from '../../words/ask.ts';
import { useCell, useSession, useView } from '../context.ts';
import { ContextList } from './ContextList.tsx';

export const MOD = IS_MAC ? '⌘' : 'Ctrl';

/** The field for the question, and the cells that would be sent with it. */
export function AskField({ id, onClose }: { id: string; onClose: () => void }) {
  const { ask } = useSession();
  const draft = useStore(ask.store, (state) => state.draft);
  const opened = useStore(ask.store, (state) => state.opened);
  const phase = useStore(ask.store, (state) => state.phase);
  const history = useStore(ask.store, (state) => state.history);
  const live = useView((view) => view.link.kind === 'live');
  const isEmpty = useCell(id, (view) => shownSource(view, id).trim() === '');
  const field = useRef<HTMLInputElement>(null);
  const hintId = useId();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time it is opened
  useEffect(() => field.current?.focus(), [opened]);
  const isBusy = phase === 'saving' || phase === 'arriving';
  const isLong = draft.trim().length > MAX_QUESTION;
  const again = phase === 'answered' || phase === 'failed';
  const placeholder = again ? W.placeholderAgain : isEmpty ? W.placeholderEmpty : W.placeholder;
  const request = {
    ...({ mode: 'ask', aboutId: id, message: ask.messageOf(id, draft.trim()), history, isBusy } as const),
  };
  return (
    <>
      <div className="inline-ask-line">
        <Sparkles aria-hidden="true" className="inline-ask-icon" />
        <input
          ref={field}
          className="inline-ask-field"
          type="text"
          aria-label={W.field}
          aria-describedby={hintId}
          placeholder={placeholder}
          value={draft}
          autoComplete="off"
          onChange={(event) => ask.setDraft(event.target.value)}
          onKeyDown={(event) => {
            const isPlain = !event.ctrlKey && !event.metaKey && !event.nativeEvent.isComposing;
            if (event.key !== 'Enter' || !isPlain) return;
            event.preventDefault();
            if (live && draft.trim() !== '') void ask.send();
          }}
        />
        {isBusy ? (
          <Button
            icon={<Square aria-hidden="true" />}
            onClick={() => {
              ask.stop();
              // The Stop button disappears with the request.
              field.current?.focus();
            }}
          >
            {W.stop}
          </Button>
        ) : (
          <Button
            kind="primary"
            aria-label={W.send}
            title={W.send}
            disabled={!live || draft.trim() === '' || isLong}
            onClick={() => {
              void ask.send();
              field.current?.focus();
            }}
            icon={<ArrowUp aria-hidden="true" />}
          />
        )}
        <IconButton label={W.close} keys="Escape" onClick={onClose}>
          <X aria-hidden="true" />
        </IconButton>
      </div>
      <p className={isLong ? 'inline-ask-hint inline-ask-wrong' : 'inline-ask-hint'} id={hintId}>
        {isLong ? W.tooLong : live ? W.keys(MOD) : W.offline}
      </p>
      <ContextList open={false} request={request} />
    </>
  );
}
