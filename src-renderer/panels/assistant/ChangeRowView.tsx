/**
 * The changes of an agent (the assistant or a program over MCP) to one cell, before and after, with buttons to accept
 * or revert them.
 */

import { CircleCheck, Undo2 } from 'lucide-react';
import { useCallback } from 'react';
import type { ChangeRow, RowState } from '../../live/assistant/checkpoints.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { useSession, useView } from '../../notebook/context.ts';
import { cellName } from '../../state/cellName.ts';
import { shownSource } from '../../state/notebookStore.ts';
import { Button } from '../../ui/Button.tsx';
import { DiffView } from '../../ui/DiffView.tsx';
import { CHANGES_WORDS as W } from '../../words/changes.ts';
import { listText } from '../../words/strings.ts';

/** The state of a row as shown; an accepted row needs no review. */
export type ShownState = RowState | 'accepted';

interface Props {
  readonly row: ChangeRow;
  readonly state: ShownState;
  readonly onAccept: () => void;
  readonly onRevert: () => void;
}

/** The changes of an agent to one cell, before and after. */
export function ChangeRowView({ row, state, onAccept, onRevert }: Props) {
  const session = useSession();
  const { cellId, kind } = row;
  const name = useRowName(row);
  const isHere = useView(({ model }) => cellId !== null && model.cells[cellId] !== undefined);
  return (
    <li className="change-row" data-change={row.key} data-state={state}>
      <div className="change-head">
        {isHere && cellId !== null ? (
          <button
            type="button"
            className="change-name"
            title={W.go(name)}
            onClick={() => session.focus(cellId, 'command')}
          >
            {name}
          </button>
        ) : (
          <span className="change-name">{name}</span>
        )}
        <span className={`chip change-${kind}`}>{W.kind[kind]}</span>
        <span className="grow" />
        {state === 'there' || state === 'accepted' ? (
          <>
            {state === 'accepted' ? <span className="assistant-quiet">{W.state.accepted}</span> : null}
            <Button aria-label={W.revertRow(name)} icon={<Undo2 aria-hidden="true" />} onClick={onRevert}>
              {W.revert}
            </Button>
            {state === 'accepted' ? null : (
              <Button
                aria-label={W.acceptRow(name)}
                icon={<CircleCheck aria-hidden="true" />}
                onClick={onAccept}
              >
                {W.accept}
              </Button>
            )}
          </>
        ) : state === 'reverted' ? (
          <span className="assistant-quiet">{W.state.reverted}</span>
        ) : null}
      </div>
      {state === 'changed' ? <p className="assistant-quiet">{W.state.changed}</p> : null}
      {state === 'there' || state === 'changed' ? <RowDiff row={row} name={name} /> : null}
    </li>
  );
}

function useRowName({ cellId, changes: [change], moved }: ChangeRow): string {
  const session = useSession();
  return useView(({ model }) => {
    if (cellId !== null) return model.cells[cellId] === undefined ? W.goneCell : cellName(model, cellId);
    if (change?.kind === 'variant') {
      return W.settings.variant(change.group, change.before.active, change.after.active);
    }
    if (change?.kind === 'connection') return W.settings.connection(change.name);
    if (change?.kind === 'name' || change?.kind === 'mounts') return W.settings[change.kind];
    const { cells } = session.store.getState().model;
    return W.moved(listText(moved.map((id) => (cells[id] === undefined ? W.goneCell : cellName(model, id)))));
  });
}

function RowDiff({ row, name }: { row: ChangeRow; name: string }) {
  const { cellId, kind, before, after } = row;
  const label = W.diff(name);
  const now = useView(
    useCallback(
      (view) => (kind === 'added' && cellId !== null ? shownSource(view, cellId) : ''),
      [kind, cellId],
    ),
  );
  if (cellId === null) return null;
  if (kind === 'deleted') return <DeletedText cellId={cellId} label={label} />;
  if (kind === 'added') {
    return now === '' ? (
      <p className="assistant-quiet">{W.emptyCell}</p>
    ) : (
      <DiffView before="" after={now} label={label} whole />
    );
  }
  return <DiffView before={before ?? ''} after={after ?? ''} label={label} />;
}

/** The last text of a deleted cell, from the cell's history. */
function DeletedText({ cellId, label }: { cellId: string; label: string }) {
  const sid = useView((view) => view.sessionId);
  const query = { of: 'source' } as const;
  const ask = { subject: `${sid} ${cellId}`, key: '' };
  const { value: history } = useAnswer('cellHistory', { params: { sid, cell_id: cellId }, query }, ask);
  const version = history?.versions[0]?.version;
  const call = version === undefined ? null : { params: { sid, cell_id: cellId, version }, query };
  const { value } = useAnswer('cellVersion', call, { subject: `${sid} ${cellId}`, key: version ?? '' });
  return value === null ? null : <DiffView before={value.source} after="" label={label} whole />;
}
