import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { DiffView } from '../../ui/DiffView.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { CARD_WORDS } from '../../words/cellCard.ts';
import { WORDS } from '../../words/strings.ts';
import { TEST_WORDS as W } from '../../words/tests.ts';
import { useCell, useSession } from '../context.ts';

/** The tests were changed elsewhere in lines that were also edited here: shows both texts, and the user chooses one. */
export function TestConflict({ id }: { id: string }) {
  const session = useSession();
  const mine = useCell(id, (view) => {
    const draft = view.testDrafts[id];
    return draft?.refused === true ? draft.text : null;
  });
  const theirs = useCell(id, (view) => view.model.cells[id]?.cell.test_source ?? '');
  const [both, setBoth] = useState(false);
  if (mine === null) return null;
  return (
    <div className="cell-note">
      <Notice
        tone="warn"
        actions={
          <>
            <Button aria-expanded={both} onClick={() => setBoth(!both)}>
              {both ? CARD_WORDS.hideBoth : CARD_WORDS.seeBoth}
            </Button>
            <Button onClick={() => void session.tests.keepMine(id)}>{WORDS.keepMine}</Button>
            <Button onClick={() => session.tests.takeTheirs(id)}>{WORDS.takeTheirs}</Button>
          </>
        }
      >
        {W.changedElsewhere}
      </Notice>
      {both ? <DiffView before={theirs} after={mine} label={W.diffLabel} whole /> : null}
    </div>
  );
}
