/** Dialog that takes the notebook back to its state before a message to the assistant. */

import { useState } from 'react';
import type { UndoMark } from '../../../src-shared/wire/undo.ts';
import { isByAgent, netChanges, type Rewind, rewindOf } from '../../live/assistant/checkpoints.ts';
import type { Change, Entry } from '../../live/history.ts';
import { contentOf } from '../../live/undo.ts';
import { useSession } from '../../notebook/context.ts';
import { cellName } from '../../state/cellName.ts';
import type { NotebookModel } from '../../state/notebookModel.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DiffView } from '../../ui/DiffView.tsx';
import { toast } from '../../ui/toastStore.ts';
import { CHANGES_WORDS as W } from '../../words/changes.ts';
import { EDITING_WORDS } from '../../words/editing.ts';

/**
 * Shows which cells rewinding would change and which actions it would revert; nothing changes before it is confirmed.
 */
export function RewindDialog({ mark, onClose }: { mark: UndoMark; onClose: () => void }) {
  const session = useSession();
  // The notebook as it was when the dialog opened; rewinding itself checks for changes since then.
  const [view] = useState(() => session.store.getState());
  const [rewind] = useState(() => {
    const since = session.undo.since(mark);
    return since === null ? null : rewindOf(since, contentOf(view));
  });
  const isNothing = rewind !== null && rewind.changes.length === 0 && rewind.left.length === 0;
  const confirm = (): void => {
    if (rewind === null) return;
    onClose();
    void session.undo.revert(rewind.changes, 'rewind').then((leftCount) => {
      if (leftCount > 0) toast(W.left(leftCount), { tone: 'warn' });
      else session.say(W.rewound, { undo: true });
    });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="l"
      title={W.rewindTitle}
      footer={
        <>
          <Button onClick={onClose}>{W.cancel}</Button>
          <Button kind="primary" disabled={rewind === null || rewind.changes.length === 0} onClick={confirm}>
            {W.rewindConfirm}
          </Button>
        </>
      }
    >
      {rewind === null ? (
        <p>{W.rewindGone}</p>
      ) : isNothing ? (
        <p>{W.rewindNothing}</p>
      ) : (
        <Plan rewind={rewind} model={view.model} />
      )}
    </Dialog>
  );
}

function Plan({ rewind, model }: { rewind: Rewind; model: NotebookModel }) {
  const nameOf = (cellId: string): string =>
    model.cells[cellId] === undefined ? W.goneCell : cellName(model, cellId);
  const own = rewind.since.filter((entry) => !isByAgent(entry));
  const agents = rewind.since.filter(isByAgent);
  return (
    <div className="rewind">
      <p>{W.rewindText}</p>
      <Entries title={W.rewindOwn} entries={own} nameOf={nameOf} />
      <Entries title={W.rewindAgents} entries={agents} nameOf={nameOf} />
      <h3>{W.rewindCells}</h3>
      <ul className="plain-list rewind-list" aria-label={W.rewindCells}>
        {rewind.changes.map((change) => (
          <li key={JSON.stringify(change)}>
            {becomes(change, nameOf)}
            {change.kind === 'source' ? (
              <DiffView before={change.before} after={change.after} label={W.diff(nameOf(change.cellId))} />
            ) : null}
          </li>
        ))}
      </ul>
      {rewind.left.length === 0 ? null : (
        <>
          <h3>{W.rewindLeft}</h3>
          <ul className="plain-list rewind-list" aria-label={W.rewindLeft}>
            {rewind.left.map((change) => (
              <li key={JSON.stringify(change)}>{subjectOf(change, nameOf)}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** Undo entries by kind of action, with the cells they changed; several of one kind share a line. */
function Entries(props: { title: string; entries: readonly Entry[]; nameOf: (cellId: string) => string }) {
  const { title, entries, nameOf } = props;
  if (entries.length === 0) return null;
  const lines = entries.map(({ deed, changes }) => {
    const subjects = [...new Set(netChanges([{ changes }]).map((change) => subjectOf(change, nameOf)))];
    return `${EDITING_WORDS.deed[deed]}: ${subjects.join(', ')}`;
  });
  return (
    <>
      <h3>{title}</h3>
      <ul className="rewind-list" aria-label={title}>
        {[...new Set(lines)].map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  );
}

function subjectOf(change: Change, nameOf: (cellId: string) => string): string {
  if ('cellId' in change) return nameOf(change.cellId);
  return change.kind === 'order' ? W.becomes.order : W.becomes.other;
}

function becomes(change: Change, nameOf: (cellId: string) => string): string {
  if (!('cellId' in change)) return subjectOf(change, nameOf);
  const kind = change.kind === 'source' ? 'edited' : change.kind;
  return W.becomes[kind](nameOf(change.cellId));
}
