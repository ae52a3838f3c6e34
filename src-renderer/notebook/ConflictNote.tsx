/**
 * Note at a cell whose typed text was not saved, because another person or program changed the same cell or because the
 * text is too long.
 */

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { hasMarkers, merge3 } from '../../src-shared/notebook/merge3.ts';
import { loadedLiveHost } from '../editor/liveHost.ts';
import type { Draft } from '../state/drafts.ts';
import { Button } from '../ui/Button.tsx';
import { DiffView } from '../ui/DiffView.tsx';
import { Notice } from '../ui/Notice.tsx';
import { CARD_WORDS } from '../words/cellCard.ts';
import { WORDS } from '../words/strings.ts';
import { useCell, useSession } from './context.ts';

/**
 * The message about a draft that was not saved. When a command leads to it, it gets the focus and is read by screen
 * readers.
 */
function Note(props: { id: string; draft: Draft; words: string; actions: ReactNode; children?: ReactNode }) {
  const { id, draft, words, actions, children } = props;
  const note = useRef<HTMLDivElement>(null);
  const { led: arrival } = draft;
  useEffect(() => {
    if (arrival !== undefined) note.current?.focus();
  }, [arrival]);
  const wordsId = `conflict-${id}`;
  const unrun = draft.tooLong === true ? CARD_WORDS.notRunTooLong : CARD_WORDS.notRun;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is of fields
    <div
      className="cell-note"
      role="group"
      aria-labelledby={wordsId}
      tabIndex={-1}
      data-conflict={id}
      ref={note}
    >
      <Notice tone="warn" actions={actions}>
        <span id={wordsId}>{arrival?.unrun === true ? `${unrun} ${words}` : words}</span>
      </Notice>
      {children}
    </div>
  );
}

/** Resolves a draft and removes its note. The focus goes to the editor if the user was typing, else to the card. */
function useSettle(id: string): (how: 'mine' | 'theirs') => void {
  const session = useSession();
  return (how) => {
    if (how === 'mine') session.edits.keepMine(id);
    else session.edits.takeTheirs(id);
    const { focusedId, mode } = session.store.getState();
    if (focusedId === id && mode === 'edit') loadedLiveHost()?.focus();
  };
}

/** The text is longer than a cell may be. There is no conflict, but it must be shortened or discarded. */
export function TooLongNote({ id, draft }: { id: string; draft: Draft }) {
  const settle = useSettle(id);
  const back = <Button onClick={() => settle('theirs')}>{CARD_WORDS.backToSaved}</Button>;
  return <Note id={id} draft={draft} words={draft.reason ?? ''} actions={back} />;
}

/**
 * Two conflicting texts. The user can compare them and choose one, or put both into the cell and delete what is not
 * needed. Conflict markers are never written to the file.
 */
export function ConflictNote({ id, draft }: { id: string; draft: Draft }) {
  const session = useSession();
  const settle = useSettle(id);
  const { text: mine, base, reason } = draft;
  const theirs = useCell(id, (view) => view.model.cells[id]?.cell.source ?? '');
  const [both, setBoth] = useState(false);
  const [byHand, setByHand] = useState(false);
  const isMarked = hasMarkers(mine);
  const words = isMarked ? CARD_WORDS.markersLeft : byHand ? CARD_WORDS.markersGone : reason;
  const actions = (
    <>
      <Button aria-expanded={both} onClick={() => setBoth(!both)}>
        {both ? CARD_WORDS.hideBoth : CARD_WORDS.seeBoth}
      </Button>
      {isMarked || byHand ? null : (
        <Button
          onClick={() => {
            const merged = merge3({ base, mine, theirs });
            session.edits.mergeByHand(id, merged.kind === 'clean' ? merged.text : merged.marked);
            setByHand(true);
            session.focus(id, 'edit');
            loadedLiveHost()?.focus();
          }}
        >
          {CARD_WORDS.mergeByHand}
        </Button>
      )}
      <Button disabled={isMarked} onClick={() => settle('mine')}>
        {byHand ? CARD_WORDS.saveMerged : WORDS.keepMine}
      </Button>
      <Button onClick={() => settle('theirs')}>{WORDS.takeTheirs}</Button>
    </>
  );
  return (
    <Note id={id} draft={draft} words={words ?? WORDS.draftTheirs} actions={actions}>
      {both ? <DiffView before={theirs} after={mine} label={CARD_WORDS.diffLabel} whole /> : null}
    </Note>
  );
}
