/** Dialog about a change from outside in a cell that is being edited. */

import './history.css';
import { merge3 } from '../../../src-shared/notebook/merge3.ts';
import { useSession, useView } from '../../notebook/context.ts';
import { cellName } from '../../state/cellName.ts';
import { shownSource } from '../../state/notebookStore.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DiffView } from '../../ui/DiffView.tsx';
import { EDITING_WORDS } from '../../words/editing.ts';
import { WORDS } from '../../words/strings.ts';

/** What an outside change brought into a cell that is typed in, and the ways to have one text alone. */
export function MergedEditsDialog() {
  const session = useSession();
  const came = useView((view) => view.cameIn);
  const name = useView((view) => (view.cameIn === null ? '' : cellName(view.model, view.cameIn.cellId)));
  const now = useView((view) => (view.cameIn === null ? '' : shownSource(view, view.cameIn.cellId)));
  const close = (): void => session.showCameIn(null);
  const take = (text: string): void => {
    if (came === null) return;
    // What was typed since stays where it can; all of it is one step to undo.
    const since = merge3({ base: came.text, mine: now, theirs: text });
    const chosenText = since.kind === 'clean' ? since.text : text;
    void session.shape.writeSources(new Map([[came.cellId, chosenText]]), 'outside').then(close);
  };
  return (
    <Dialog open={came !== null} onClose={close} size="l" title={EDITING_WORDS.cameInto(name)}>
      {came === null ? null : (
        <>
          <p>{EDITING_WORDS.cameIn}</p>
          <DiffView before={came.mine} after={came.text} label={EDITING_WORDS.cameInDiff} whole />
          <div className="history-actions">
            <Button kind="primary" onClick={close}>
              {EDITING_WORDS.keepBoth}
            </Button>
            <Button onClick={() => take(came.mine)}>{WORDS.keepMine}</Button>
            {came.theirs === null ? null : (
              <Button onClick={() => take(came.theirs ?? '')}>{WORDS.takeTheirs}</Button>
            )}
          </div>
        </>
      )}
    </Dialog>
  );
}
