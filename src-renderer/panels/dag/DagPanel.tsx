/** The Graph panel, which loads the drawing of the notebook's graph when it is first opened. */

import { GitFork } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { factsOf } from '../../../src-shared/notebook/languages/languages.ts';
import { useView } from '../../notebook/context.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { DAG_WORDS } from '../../words/dag.ts';

/** The drawing and its layout code are loaded when the graph is first opened. */
const DagView = lazy(async () => ({ default: (await import('./DagView.tsx')).DagView }));

export function DagPanel() {
  const cells = useView(
    ({ model }) => model.order.filter((id) => factsOf(model.cells[id]?.cell)?.runs !== false).length,
  );
  const error = useView((view) => view.model.dagError);
  if (cells === 0 || error !== null) {
    return (
      <EmptyState size="s" icon={<GitFork />} title={error === null ? DAG_WORDS.empty : DAG_WORDS.none}>
        {error ?? DAG_WORDS.emptyText}
      </EmptyState>
    );
  }
  return (
    <Suspense
      fallback={
        <div className="panel-wait">
          <Spinner />
        </div>
      }
    >
      <DagView />
    </Suspense>
  );
}
