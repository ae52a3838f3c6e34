/** The box at a cell in which the assistant is asked about it and its answer is shown. */

import './inlineAsk.css';
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { loadedLiveHost } from '../../editor/liveHost.ts';
import { ASK_WORDS as W } from '../../words/ask.ts';
import { useSession } from '../context.ts';
import { AskAnswer } from './AskAnswer.tsx';
import { AskField } from './AskField.tsx';
import { AskSetup } from './AskSetup.tsx';

/** The question box of this cell, if it is open here. */
export function AskHere({ id, name }: { id: string; name: string }) {
  const { ask } = useSession();
  const isHere = useStore(ask.store, ({ cellId }) => cellId === id);
  return isHere ? <AskBox id={id} name={name} /> : null;
}

function AskBox({ id, name }: { id: string; name: string }) {
  const session = useSession();
  const { ask } = session;
  const box = useRef<HTMLDivElement>(null);
  const question = useStore(ask.store, (state) => state.question);
  useEffect(() => {
    // Closes the question when the cell is deleted.
    return session.store.subscribe(({ model }) => {
      if (model.cells[id] === undefined && ask.store.getState().cellId === id) ask.close();
    });
  }, [session, ask, id]);
  /** Closes the question and returns the focus to where it was opened. */
  const leave = (): void => {
    const { focusedId, mode } = session.store.getState();
    const card = box.current?.closest<HTMLElement>('[data-cell-id]');
    if (focusedId === id && mode === 'edit') {
      // Until the editor has loaded, a plain text area is in its place.
      const plain = card?.querySelector<HTMLElement>('textarea[data-editor]');
      if (plain == null) loadedLiveHost()?.focus();
      else plain.focus();
    } else {
      session.focus(id, 'command');
      card?.focus({ preventScroll: true });
    }
  };
  const close = (): void => {
    leave();
    ask.close();
  };
  /** Runs an action that returns whether it closed the question; if it did, restores the focus. */
  const runAndRefocus = (action: () => boolean): void => {
    const hadFocus = box.current?.contains(document.activeElement) ?? false;
    if (action() && hadFocus) leave();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its own look and legend
    <div
      ref={box}
      className="inline-ask"
      role="group"
      aria-label={W.box(name)}
      data-ask={id}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Escape') close();
        else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
          runAndRefocus(() => ask.finish(true));
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <AskField id={id} onClose={close} />
      <AskSetup />
      {question === '' ? null : <AskAnswer id={id} runAndRefocus={runAndRefocus} onClose={close} />}
    </div>
  );
}
