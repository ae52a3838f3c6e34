import { autoRunOf } from '../../live/autoRun.ts';
import { useView } from '../../notebook/context.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { RUNS_WORDS as W } from '../../words/runs.ts';
import { useAutoRunSetting } from './useAutoRunSetting.ts';

/** Shows in the inspector whether a cell runs automatically in a notebook with automatic runs, and why it did not. */
export function AutoRunOfCell({ id }: { id: string }) {
  const { mode, except } = useView(autoRunOf);
  const isReady = useView((view) => view.model.cells[id]?.cell.status === 'ready');
  const reason = useView(
    (view) => view.model.autoReport?.skipped.find(({ cell_id }) => cell_id === id)?.message ?? null,
  );
  const { problem, set } = useAutoRunSetting();
  if (mode !== 'live') return null;
  const isOut = except.includes(id);
  return (
    <section className="panel-section" aria-label={W.auto}>
      <h3>{W.auto}</h3>
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      <Switch
        label={W.autoCell}
        checked={!isOut}
        onChange={(on) => set({ except: on ? except.filter((one) => one !== id) : [...except, id] })}
      />
      {reason === null || isOut || isReady ? null : (
        <p className="tone-stale" data-auto-skipped>
          {W.autoCellOff} {reason}
        </p>
      )}
    </section>
  );
}
