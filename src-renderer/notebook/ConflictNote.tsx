import { useState } from 'react';
import { hasMarkers, merge3 } from '../../src-shared/notebook/merge3.ts';
import { liveHostNow } from '../editor/liveHost.ts';
import { Button } from '../ui/Button.tsx';
import { DiffView } from '../ui/DiffView.tsx';
import { Notice } from '../ui/Notice.tsx';
import { WORDS } from '../ui/strings.ts';
import { CARD_WORDS } from '../ui/words/cellCard.ts';
import { useCell, useSession } from './context.ts';

/** The text is longer than a cell may be: nobody else's stands against it, it is made shorter or given up. */
export function TooLongNote({ id, reason }: { id: string; reason: string | null }) {
  const session = useSession();
  const back = <Button onClick={() => session.edits.takeTheirs(id)}>{CARD_WORDS.backToSaved}</Button>;
  return (
    <div className="cell-note" data-conflict={id}>
      <Notice tone="warn" actions={back}>
        {reason}
      </Notice>
    </div>
  );
}

/**
 * Two texts stand against each other: both can be seen, and the person says which one stays, or puts both into the
 * cell and takes out what is not wanted. Markers never reach the file.
 */
export function ConflictNote({ id, mine, reason }: { id: string; mine: string; reason: string | null }) {
  const session = useSession();
  const theirs = useCell(id, (view) => view.model.cells[id]?.cell.source ?? '');
  const base = useCell(id, (view) => view.drafts[id]?.base ?? '');
  const [both, setBoth] = useState(false);
  const [byHand, setByHand] = useState(false);
  const isMarked = hasMarkers(mine);
  const words = isMarked ? CARD_WORDS.markersLeft : byHand ? CARD_WORDS.markersGone : reason;
  return (
    <div className="cell-note" data-conflict={id}>
      <Notice
        tone="warn"
        actions={
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
                  liveHostNow()?.focus();
                }}
              >
                {CARD_WORDS.mergeByHand}
              </Button>
            )}
            <Button disabled={isMarked} onClick={() => session.edits.keepMine(id)}>
              {byHand ? CARD_WORDS.saveMerged : WORDS.keepMine}
            </Button>
            <Button onClick={() => session.edits.takeTheirs(id)}>{WORDS.takeTheirs}</Button>
          </>
        }
      >
        {words ?? WORDS.draftTheirs}
      </Notice>
      {both ? <DiffView before={theirs} after={mine} label={CARD_WORDS.diffLabel} whole /> : null}
    </div>
  );
}
