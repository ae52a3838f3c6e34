/** Explains a cell's status in the inspector: a sentence with the reason, and the button that resolves it. */

import { Play, RotateCw, Square } from 'lucide-react';
import type { Explanation } from '../../../src-shared/wire/routes/extensions.ts';
import { causeWords } from '../../notebook/causeWords.ts';
import { useCell, useCellParts, useSession, useView } from '../../notebook/context.ts';
import { splitError } from '../../outputs/traceback.ts';
import { causeOf } from '../../state/cause.ts';
import type { CellModel } from '../../state/notebookModel.ts';
import { isQueued, placeInQueue } from '../../state/runQueue.ts';
import { Button } from '../../ui/Button.tsx';
import { useNow } from '../../ui/useNow.ts';
import { CARD_WORDS } from '../../words/cellCard.ts';
import { COMPARE_WORDS } from '../../words/compare.ts';
import { INSPECTOR_WORDS } from '../../words/inspector.ts';
import { LOOP_WORDS } from '../../words/loop.ts';
import { clockText, durationText } from '../../words/strings.ts';
import { whenText } from '../../words/workbench.ts';
import { CodeChanges } from './CodeChanges.tsx';
import { RunInputs } from './RunInputs.tsx';
import { useExplanation } from './useExplanation.ts';

/** The reason for the cell's status in one sentence, and the button that resolves it. */
export function StatusExplanation(props: {
  id: string;
  model: CellModel;
  name: string;
  /** Null if there are no two results to compare. */
  onCompare: (() => void) | null;
}) {
  const { id, model, name, onCompare } = props;
  const { cell } = model;
  const session = useSession();
  const { value } = useExplanation(id, model);
  // An explanation of an earlier status is not shown for a later one.
  const undecided = useUndecided(id, model);
  // An explanation of the saved text is not shown for an unsaved one either.
  const isOfThis = value?.status === cell.status && cell.status !== 'running' && undecided === null;
  const explanation = isOfThis ? value : null;
  const isAgain = cell.status === 'idle' && explanation?.last_run != null;
  const tone = cell.status === 'ready' ? 'fresh' : cell.status;
  return (
    <>
      <section className="panel-section" data-why={cell.status}>
        <h3>
          {undecided !== null
            ? INSPECTOR_WORDS.whyWaits(name)
            : isAgain
              ? INSPECTOR_WORDS.whyAgain(name)
              : INSPECTOR_WORDS.why[cell.status](name)}
        </h3>
        <p className={`panel-quiet why why-${tone}`} data-verdict={explanation?.verdict}>
          <Sentence id={id} model={model} headline={undecided ?? explanation?.headline ?? null} />
        </p>
        {explanation?.last_run == null ? null : (
          <p className="panel-quiet">{lastRunText(cell.status, explanation.last_run)}</p>
        )}
        {explanation?.not_shared === undefined ? null : (
          <p className="panel-quiet">{INSPECTOR_WORDS.notShared(explanation.not_shared)}</p>
        )}
        <div className="why-actions">
          {undecided === null ? (
            <Action id={id} model={model} />
          ) : (
            <Button kind="primary" onClick={() => session.decide(id)}>
              {INSPECTOR_WORDS.goDecide}
            </Button>
          )}
          {onCompare === null ? null : <Button onClick={onCompare}>{COMPARE_WORDS.open}</Button>}
        </div>
      </section>
      <RunInputs cell={cell} inputs={explanation?.inputs ?? []} hasRun={explanation?.last_run != null} />
      <CodeChanges code={explanation?.code ?? []} />
    </>
  );
}

/** Why the displayed text is not saved; null if it is saved or the cell is running. */
function useUndecided(id: string, { cell }: CellModel): string | null {
  const draft = useCell(id, (view) => view.drafts[id]);
  if (draft?.state !== 'refused' || cell.status === 'running') return null;
  return draft.tooLong === true ? INSPECTOR_WORDS.waitsTooLong : INSPECTOR_WORDS.waitsForChoice;
}

/**
 * The text about the last successful run. A failed cell has run since then; a result from the cache means that nothing
 * ran.
 */
function lastRunText(
  status: CellModel['cell']['status'],
  { at, duration_ms, cache_hit }: NonNullable<Explanation['last_run']>,
): string {
  const when = whenText(Date.parse(at), Date.now());
  if (status === 'error') return INSPECTOR_WORDS.lastGoodAt(when);
  return cache_hit
    ? INSPECTOR_WORDS.lastHitAt(when)
    : INSPECTOR_WORDS.lastRunAt(when, durationText(duration_ms));
}

function Sentence({ id, model, headline }: { id: string; model: CellModel; headline: string | null }) {
  const { cell } = model;
  const session = useSession();
  const place = useView((view) => placeInQueue(view.model, id));
  const now = useNow(model.runningSince !== null, 1_000);
  if (place !== -1) return <>{INSPECTOR_WORDS.waiting(place + 1)}</>;
  if (headline !== null && cell.status !== 'error') return <>{headline}</>;
  switch (cell.status) {
    case 'running':
      return (
        <>
          {model.runningSince === null
            ? INSPECTOR_WORDS.runningNow
            : INSPECTOR_WORDS.runningFor(clockText(now - model.runningSince))}
          {model.loop === null
            ? ''
            : ` ${LOOP_WORDS.running(LOOP_WORDS.done(model.loop.finished, model.loop.maxIter, false))}`}
        </>
      );
    case 'error':
      return <>{INSPECTOR_WORDS.failed(reasonOf(cell.error ?? ''))}</>;
    case 'ready':
      return <>{cell.cache_hit ? INSPECTOR_WORDS.hit : INSPECTOR_WORDS.fresh}</>;
    default: {
      const cause = causeOf(session.store.getState().model, cell);
      return <>{cause === null ? INSPECTOR_WORDS.neverRun : causeWords(cause)}</>;
    }
  }
}

function Action({ id, model }: { id: string; model: CellModel }) {
  const session = useSession();
  const { active } = useCellParts(id, (view) => ({
    active: view.asked[id] === true || isQueued(view.model, id),
  }));
  const { status } = model.cell;
  if (status === 'running' || active) {
    return (
      <Button
        icon={<Square className="stop-icon" aria-hidden="true" />}
        onClick={() => session.runs.cancel(id)}
      >
        {model.stopping === null ? INSPECTOR_WORDS.stop : CARD_WORDS.stopNow[model.stopping]}
      </Button>
    );
  }
  if (status === 'ready') {
    return (
      <Button icon={<RotateCw aria-hidden="true" />} onClick={() => session.runs.rerun(id)}>
        {INSPECTOR_WORDS.rerun}
      </Button>
    );
  }
  return (
    <Button
      kind="primary"
      icon={<Play aria-hidden="true" fill="currentColor" />}
      onClick={() => session.runs.run(id)}
    >
      {INSPECTOR_WORDS.run}
    </Button>
  );
}

/** The longest error text shown here, in characters; the cell shows all of it. */
const REASON = 300;

/** The line of an error text that names the cause. */
function reasonOf(error: string): string {
  const { summary } = splitError(error);
  return summary.length <= REASON ? summary : `${summary.slice(0, REASON)}…`;
}
