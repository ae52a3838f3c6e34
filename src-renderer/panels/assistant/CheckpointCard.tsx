/**
 * The card of one checkpoint (a job of the assistant, or a burst of changes by an agent) with its changes, to accept or
 * revert.
 */

import { History, Undo2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { UndoMark } from '../../../src-shared/wire/undo.ts';
import {
  type ChangeRow,
  type Checkpoint,
  revertingChanges,
  rowsOf,
  stateOf,
} from '../../live/assistant/checkpoints.ts';
import { contentOf } from '../../live/undo.ts';
import { useAssistant } from '../../notebook/assistant/useAssistant.ts';
import { useSession, useViewSame } from '../../notebook/context.ts';
import { agoText } from '../../ui/ago.ts';
import { Button } from '../../ui/Button.tsx';
import { toast } from '../../ui/toastStore.ts';
import { useNow } from '../../ui/useNow.ts';
import { CHANGES_WORDS as W } from '../../words/changes.ts';
import type { ShownState } from './ChangeRowView.tsx';
import { ChangeRowView } from './ChangeRowView.tsx';
import { RewindDialog } from './RewindDialog.tsx';

/**
 * The key of an accepted change. It contains the text, so that a later change of the same cell has to be reviewed
 * again.
 */
function acceptKey(checkpoint: Checkpoint, row: ChangeRow): string {
  return JSON.stringify([checkpoint.id, row.key, row.kind, row.after]);
}

/** One job of the assistant, or one burst of changes by an agent. */
export function CheckpointCard({ checkpoint, isNewest }: { checkpoint: Checkpoint; isNewest: boolean }) {
  const session = useSession();
  const { assistant, undo } = session;
  const accepted = useAssistant((state) => state.accepted);
  const message = useAssistant(
    ({ turns }) =>
      turns.find(({ undoId }) => undoId !== null && undoId === checkpoint.entries[0]?.id)?.message ?? null,
  );
  const rows = useMemo(() => rowsOf(checkpoint), [checkpoint]);
  const states = useViewSame<readonly ShownState[]>(
    (view) => {
      const ground = contentOf(view);
      return rows.map((row) => {
        const state = stateOf(row, ground);
        return state === 'there' && accepted.includes(acceptKey(checkpoint, row)) ? 'accepted' : state;
      });
    },
    (a, b) => a.length === b.length && a.every((state, at) => state === b[at]),
  );
  const [rewinds, setRewinds] = useState<UndoMark | null>(null);
  const by = checkpoint.by === null ? W.assistant : W.agent(checkpoint.by);
  const open = rows.filter((_, at) => states[at] === 'there');
  const inPlace = rows.filter((_, at) => states[at] === 'there' || states[at] === 'accepted');
  const revertAll = async (): Promise<void> => {
    const [only] = checkpoint.entries;
    const isWhole = states.every((state) => state === 'there' || state === 'accepted');
    if (checkpoint.entries.length === 1 && only !== undefined && isWhole) await undo.undoEntry(only.id);
    else report(await undo.revert(revertingChanges(inPlace), 'revert'), inPlace.length);
  };
  const revert = async (row: ChangeRow): Promise<void> =>
    report(await undo.revert(revertingChanges([row]), 'revert'), 1);
  const report = (leftCount: number, count: number): void => {
    if (leftCount > 0) toast(W.left(leftCount), { tone: 'warn' });
    else session.say(W.reverted(count), { undo: true });
  };
  return (
    <details className="checkpoint" open={isNewest || open.length > 0} data-checkpoint={checkpoint.id}>
      <summary>
        <span className="checkpoint-by">{by}</span>
        <span className="assistant-quiet">
          {W.count(rows.length)}
          {open.length > 0 && open.length < rows.length ? `, ${W.open(open.length)}` : ''}
        </span>
        <span className="grow" />
        {checkpoint.atMs === null ? null : <When atMs={checkpoint.atMs} />}
      </summary>
      {message === null ? null : <p className="checkpoint-message">{message}</p>}
      <ul className="plain-list" aria-label={W.checkpoint(by, rows.length)}>
        {rows.map((row, at) => (
          <ChangeRowView
            key={row.key}
            row={row}
            state={states[at] ?? 'changed'}
            onAccept={() => assistant.accept([acceptKey(checkpoint, row)])}
            onRevert={() => void revert(row)}
          />
        ))}
      </ul>
      <div className="checkpoint-acts">
        <Button
          icon={<History aria-hidden="true" />}
          onClick={() => setRewinds(undo.markBefore(checkpoint.id))}
        >
          {W.rewindHere}
        </Button>
        <span className="grow" />
        {inPlace.length === 0 ? null : (
          <Button icon={<Undo2 aria-hidden="true" />} onClick={() => void revertAll()}>
            {W.revertAll}
          </Button>
        )}
        {open.length === 0 || rows.length === 1 ? null : (
          <Button
            kind="primary"
            onClick={() => assistant.accept(open.map((row) => acceptKey(checkpoint, row)))}
          >
            {W.acceptAll}
          </Button>
        )}
      </div>
      {rewinds === null ? null : <RewindDialog mark={rewinds} onClose={() => setRewinds(null)} />}
    </details>
  );
}

function When({ atMs }: { atMs: number }) {
  const now = useNow(true, 60_000);
  return <span className="assistant-quiet">{agoText(atMs, now)}</span>;
}

/** The number of changes that were neither accepted nor reverted, over all checkpoints. */
export function useOpenChanges(checkpoints: readonly Checkpoint[]): number {
  const accepted = useAssistant((state) => state.accepted);
  const { store } = useSession();
  const rows = useMemo(
    () =>
      checkpoints.flatMap((checkpoint) =>
        rowsOf(checkpoint).filter((row) => !accepted.includes(acceptKey(checkpoint, row))),
      ),
    [checkpoints, accepted],
  );
  return useStore(store, (view) => {
    const ground = contentOf(view);
    return rows.filter((row) => stateOf(row, ground) === 'there').length;
  });
}
