/** Dialog that compares the notebook at an earlier time with now, and restores it. */

import './history.css';
import { useState } from 'react';
import type { CellThenView } from '../../../src-shared/wire/routes/history.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { useTask } from '../../live/useTask.ts';
import { useSession, useView } from '../../notebook/context.ts';
import { cellName } from '../../state/cellName.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DiffView } from '../../ui/DiffView.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { HISTORY_WORDS as W } from '../../words/history.ts';
import { whenText } from '../../words/workbench.ts';

/** The notebook at an earlier time compared with now, and a button that restores it. */
export function StateDialog({ at, onClose }: { at: string | null; onClose: () => void }) {
  const when = at === null ? '' : whenText(Date.parse(at), Date.now());
  return (
    <Dialog open={at !== null} onClose={onClose} size="l" title={W.moment(when)} description={W.momentHint}>
      {at === null ? null : <StateThen key={at} at={at} onClose={onClose} />}
    </Dialog>
  );
}

function StateThen({ at, onClose }: { at: string; onClose: () => void }) {
  const sessionId = useView((view) => view.sessionId);
  const call = { params: { sid: sessionId }, query: { at } };
  const { value, problem } = useAnswer('notebookThen', call, { subject: `${sessionId} ${at}`, key: '' });
  if (problem !== null) return <Notice tone="error">{problem}</Notice>;
  if (value === null) return <Spinner label={W.loading} />;
  if (value.cells.length === 0) return <p>{W.momentSame}</p>;
  return <Differences cells={value.cells} onClose={onClose} />;
}

function Differences({ cells, onClose }: { cells: readonly CellThenView[]; onClose: () => void }) {
  const session = useSession();
  const model = useView((view) => view.model);
  const [chosenId, choose] = useState(cells[0]?.cell_id ?? '');
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const { busy, problem, run } = useTask();
  const nameOf = ({ cell_id, title }: CellThenView): string =>
    model.cells[cell_id] === undefined ? W.deletedCell(title) : cellName(model, cell_id);
  const included = cells.filter(({ cell_id }) => !leftOut.has(cell_id));
  const include = (id: string, on: boolean): void => {
    const next = new Set(leftOut);
    if (on) next.delete(id);
    else next.add(id);
    setLeftOut(next);
  };
  const restore = async (): Promise<void> => {
    const selectedCells = included.map(({ cell_id: cellId, past }) => ({ cellId, past }));
    const isChanged = await session.shape.restoreState(selectedCells);
    onClose();
    // A refusal is shown by the page.
    if (isChanged) session.say(W.stateRestored, { undo: true });
  };
  const selectedCell = cells.find(({ cell_id }) => cell_id === chosenId) ?? cells[0];
  return (
    <>
      <div className="history">
        <ul className="history-versions" aria-label={W.thenCells}>
          {cells.map((cell) => (
            <li key={cell.cell_id} className="history-cell">
              <input
                type="checkbox"
                aria-label={W.include(nameOf(cell))}
                checked={!leftOut.has(cell.cell_id)}
                onChange={(event) => include(cell.cell_id, event.target.checked)}
              />
              <button
                type="button"
                className="history-version"
                aria-pressed={cell === selectedCell}
                onClick={() => choose(cell.cell_id)}
              >
                {nameOf(cell)}
                <small>{W.thenKind[kindOf(cell)]}</small>
              </button>
            </li>
          ))}
        </ul>
        {selectedCell === undefined ? null : <OneCell cell={selectedCell} />}
      </div>
      <div className="history-actions">
        {problem === null ? null : <Notice tone="error">{problem}</Notice>}
        <Button kind="primary" disabled={busy || included.length === 0} onClick={() => run(restore)}>
          {W.restoreState(included.length)}
        </Button>
      </div>
    </>
  );
}

function OneCell({ cell }: { cell: CellThenView }) {
  const { past, now } = cell;
  const kind = kindOf(cell);
  return (
    <div className="history-text" aria-live="polite">
      {kind === 'changed' ? null : <p>{kind === 'added' ? W.addedSince : W.deletedSince}</p>}
      <DiffView
        before={past ?? now ?? ''}
        after={now ?? past ?? ''}
        label={kind === 'changed' ? W.difference : W.wholeText}
        whole
      />
    </div>
  );
}

function kindOf({ past, now }: CellThenView): 'changed' | 'added' | 'deleted' {
  if (past === null) return 'added';
  return now === null ? 'deleted' : 'changed';
}
