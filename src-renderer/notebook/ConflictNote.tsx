import { useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { DiffView } from '../ui/DiffView.tsx';
import { Notice } from '../ui/Notice.tsx';
import { WORDS } from '../ui/strings.ts';
import { CARD_WORDS } from '../ui/words/cellCard.ts';
import { useCell, useSession } from './context.ts';

/** Two texts stand against each other: both can be seen, and the person says which one stays. */
export function ConflictNote({ id, mine, reason }: { id: string; mine: string; reason: string | null }) {
  const session = useSession();
  const theirs = useCell(id, (view) => view.model.cells[id]?.cell.source ?? '');
  const [both, setBoth] = useState(false);
  return (
    <div className="cell-note" data-conflict={id}>
      <Notice
        tone="warn"
        actions={
          <>
            <Button aria-expanded={both} onClick={() => setBoth(!both)}>
              {both ? CARD_WORDS.hideBoth : CARD_WORDS.seeBoth}
            </Button>
            <Button onClick={() => session.edits.keepMine(id)}>{WORDS.keepMine}</Button>
            <Button onClick={() => session.edits.takeTheirs(id)}>{WORDS.takeTheirs}</Button>
          </>
        }
      >
        {reason ?? WORDS.draftTheirs}
      </Notice>
      {both ? <DiffView before={theirs} after={mine} label={CARD_WORDS.diffLabel} whole /> : null}
    </div>
  );
}
