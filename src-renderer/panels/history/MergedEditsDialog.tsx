/** Dialog about an external change that was merged into a cell while it was edited. */

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

/** The changes that another program made to a cell while it was edited, and buttons to keep only one of the texts. */
export function MergedEditsDialog() {
  const session = useSession();
  const merged = useView((view) => view.cameIn);
  const name = useView((view) => (view.cameIn === null ? '' : cellName(view.model, view.cameIn.cellId)));
  const now = useView((view) => (view.cameIn === null ? '' : shownSource(view, view.cameIn.cellId)));
  const close = (): void => session.showCameIn(null);
  const take = (text: string): void => {
    if (merged === null) return;
    // Text that was typed since the merge is preserved where possible. All changes together are one undo step.
    const since = merge3({ base: merged.text, mine: now, theirs: text });
    const chosenText = since.kind === 'clean' ? since.text : text;
    void session.shape.writeSources(new Map([[merged.cellId, chosenText]]), 'outside').then(close);
  };
  return (
    <Dialog open={merged !== null} onClose={close} size="l" title={EDITING_WORDS.cameInto(name)}>
      {merged === null ? null : (
        <>
          <p>{EDITING_WORDS.cameIn}</p>
          <DiffView before={merged.mine} after={merged.text} label={EDITING_WORDS.cameInDiff} whole />
          <div className="history-actions">
            <Button kind="primary" onClick={close}>
              {EDITING_WORDS.keepBoth}
            </Button>
            <Button onClick={() => take(merged.mine)}>{WORDS.keepMine}</Button>
            {merged.theirs === null ? null : (
              <Button onClick={() => take(merged.theirs ?? '')}>{WORDS.takeTheirs}</Button>
            )}
          </div>
        </>
      )}
    </Dialog>
  );
}
