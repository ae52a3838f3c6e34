/** The facts of a cell in the inspector: status, duration, names it defines, cells it reads from and that read it. */

import { Fragment, useEffect, useRef, useState } from 'react';
import { useSession, useView } from '../../notebook/context.ts';
import { statusWords } from '../../notebook/statusWords.ts';
import { cellName } from '../../state/cellName.ts';
import { loopOfCell } from '../../state/loop.ts';
import type { CellModel } from '../../state/notebookModel.ts';
import { unboundNames } from '../../state/unbound.ts';
import { INSPECTOR_WORDS } from '../../words/inspector.ts';
import { LOOP_WORDS } from '../../words/loop.ts';
import { durationText, WORDS } from '../../words/strings.ts';

/** The details of a cell: status, duration, names it defines, cells it reads from and cells that read it. */
export function CellFacts({ model }: { model: CellModel }) {
  const { cell, durationMs } = model;
  const loop = loopOfCell(cell);
  const unbound = useView((view) => unboundNames(view.model, cell).map(INSPECTOR_WORDS.unbound).join(' '));
  const took = durationMs ?? cell.last_duration_ms ?? null;
  const isChanged = cell.status === 'idle' && cell.stopped_ms === undefined && cell.causality !== undefined;
  return (
    <section className="panel-section">
      <h3>{INSPECTOR_WORDS.facts}</h3>
      <dl className="facts">
        <dt>{INSPECTOR_WORDS.status}</dt>
        <dd>{isChanged ? INSPECTOR_WORDS.notRunSince : statusWords(cell)}</dd>
        {/* During a run, the clock above shows its duration. */}
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
          <CellLinks ids={cell.upstream_ids} label={INSPECTOR_WORDS.reads} />
          {unbound === '' ? null : <div className="tone-stale">{unbound}</div>}
        </dd>
        <dt>{INSPECTOR_WORDS.readBy}</dt>
        <dd>
          <CellLinks ids={cell.downstream_ids} label={INSPECTOR_WORDS.readBy} />
        </dd>
      </dl>
    </section>
  );
}

/** The most links shown at first; a button shows the rest. */
const FEW = 6;

/** Names of cells, each a link to the cell. */
export function CellLinks({ ids, label }: { ids: readonly string[]; label: string }) {
  const session = useSession();
  const [all, setAll] = useState(false);
  // One more link takes no more room than the button.
  const visibleIds = all || ids.length <= FEW + 1 ? ids : ids.slice(0, FEW);
  const first = useRef<HTMLButtonElement>(null);
  const names = useView((view) => visibleIds.map((id) => cellName(view.model, id)).join('\n')).split('\n');
  useEffect(() => {
    if (all) first.current?.focus();
  }, [all]);
  if (ids.length === 0) return <>{INSPECTOR_WORDS.none}</>;
  return (
    <>
      {visibleIds.map((id, at) => (
        <Fragment key={id}>
          {at > 0 ? ', ' : ''}
          <button
            ref={at === FEW ? first : undefined}
            type="button"
            className="cell-link"
            onClick={() => session.focus(id)}
          >
            {names[at]}
          </button>
        </Fragment>
      ))}
      {visibleIds.length === ids.length ? null : (
        <>
          {' '}
          <button
            type="button"
            className="cell-link"
            aria-label={INSPECTOR_WORDS.allOf(label, ids.length)}
            onClick={() => setAll(true)}
          >
            {WORDS.andMore(ids.length - FEW)}
          </button>
        </>
      )}
    </>
  );
}
