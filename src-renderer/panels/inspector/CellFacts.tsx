import { Fragment } from 'react';
import { useSession, useView } from '../../notebook/context.ts';
import { cellName } from '../../state/cellName.ts';
import { loopOfCell } from '../../state/loop.ts';
import type { CellModel } from '../../state/notebookModel.ts';
import { durationText, WORDS } from '../../ui/strings.ts';
import { INSPECTOR_WORDS } from '../../ui/words/inspector.ts';
import { LOOP_WORDS } from '../../ui/words/loop.ts';

/** The plain facts: state, how long, what it gives, whom it reads, who reads it. */
export function CellFacts({ id, model }: { id: string; model: CellModel }) {
  const { cell, durationMs } = model;
  const loop = loopOfCell(cell);
  const took = durationMs ?? cell.last_duration_ms ?? null;
  return (
    <section className="panel-section">
      <h3>{INSPECTOR_WORDS.facts}</h3>
      <dl className="facts">
        <dt>{INSPECTOR_WORDS.status}</dt>
        <dd>{WORDS.status[cell.status]}</dd>
        {/* Of a run that is on, the clock above tells. */}
        {took === null || cell.status === 'running' ? null : (
          <>
            <dt>{INSPECTOR_WORDS.took}</dt>
            <dd>
              {durationText(took)}
              {cell.cache_hit ? `, ${INSPECTOR_WORDS.tookCached}` : ''}
            </dd>
          </>
        )}
        {loop === null ? null : (
          <>
            <dt>{LOOP_WORDS.loop}</dt>
            <dd>{LOOP_WORDS.facts(loop.carry, loop.maxIter, loop.untilExpr)}</dd>
          </>
        )}
        <dt>{INSPECTOR_WORDS.defines}</dt>
        <dd title={cell.defines.join(', ')}>
          {cell.defines.length === 0 ? INSPECTOR_WORDS.none : cell.defines.join(', ')}
        </dd>
        <dt>{INSPECTOR_WORDS.reads}</dt>
        <dd>
          <CellLinks ids={cell.upstream_ids} of={id} />
        </dd>
        <dt>{INSPECTOR_WORDS.readBy}</dt>
        <dd>
          <CellLinks ids={cell.downstream_ids} of={id} />
        </dd>
      </dl>
    </section>
  );
}

/** Shown of many; the graph has all of them. */
const FEW = 6;

export function CellLinks({ ids }: { ids: readonly string[]; of: string }) {
  const session = useSession();
  const names = useView((view) =>
    ids
      .slice(0, FEW)
      .map((id) => cellName(view.model, id))
      .join('\n'),
  ).split('\n');
  if (ids.length === 0) return <>{INSPECTOR_WORDS.none}</>;
  return (
    <>
      {ids.slice(0, FEW).map((id, at) => (
        <Fragment key={id}>
          {at > 0 ? ', ' : ''}
          <button type="button" className="cell-link" onClick={() => session.focus(id)}>
            {names[at]}
          </button>
        </Fragment>
      ))}
      {ids.length > FEW ? ` ${WORDS.andMore(ids.length - FEW)}` : ''}
    </>
  );
}
