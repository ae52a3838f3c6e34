/** Lists all changes by agents (the assistant or programs over MCP), newest first, to accept or revert. */

import './changes.css';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { checkpointsOf } from '../../live/assistant/checkpoints.ts';
import { useSession } from '../../notebook/context.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { CHANGES_WORDS as W } from '../../words/changes.ts';
import { CheckpointCard } from './CheckpointCard.tsx';

/** All changes by agents, newest first, to accept or revert. */
export function ChangesView() {
  const { undo } = useSession();
  const history = useStore(undo.store);
  const checkpoints = useMemo(() => [...checkpointsOf(history)].reverse(), [history]);
  return (
    <section
      className="changes"
      aria-label={W.changes}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled by key
      tabIndex={0}
    >
      {checkpoints.length === 0 ? (
        <EmptyState size="s" title={W.noneTitle}>
          {W.noneText}
        </EmptyState>
      ) : (
        checkpoints.map((checkpoint, at) => (
          <CheckpointCard key={checkpoint.id} checkpoint={checkpoint} isNewest={at === 0} />
        ))
      )}
    </section>
  );
}
