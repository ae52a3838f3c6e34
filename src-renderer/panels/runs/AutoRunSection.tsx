/** The section of the Runs panel with the settings of automatic runs. */

import type { AutoRun, AutoRunMode } from '../../../src-shared/wire/autoRun.ts';
import { autoRunOf } from '../../live/autoRun.ts';
import { useView } from '../../notebook/context.ts';
import type { NotebookView } from '../../state/notebookStore.ts';
import { Notice } from '../../ui/Notice.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { RUNS_WORDS as W } from '../../words/runs.ts';
import { CellLinks } from '../inspector/CellFacts.tsx';
import { useAutoRunSetting } from './useAutoRunSetting.ts';

const MODES: readonly AutoRunMode[] = ['off', 'lazy', 'live'];
const DAY_SECONDS = 86_400;

/** The mode of automatic runs, their longest duration, and the cells that are excluded. */
export function AutoRunSection() {
  const { mode, limit_seconds } = useView(autoRunOf);
  const excludedIds = useView(leftOut).split('\n').filter(Boolean);
  const { problem, set } = useAutoRunSetting();
  return (
    <section className="panel-section" aria-label={W.auto}>
      <h3>{W.auto}</h3>
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      <Segmented
        label={W.auto}
        value={mode}
        options={MODES.map((value) => ({ value, label: W.autoMode[value] }))}
        onChange={(next) => set({ mode: next })}
      />
      <p className="panel-quiet">{W.autoHint[mode]}</p>
      {mode !== 'live' ? null : (
        <>
          <NumberField
            label={W.autoLimit}
            value={limit_seconds}
            min={0}
            max={DAY_SECONDS}
            read={(text) => (text.trim() === '' || Number.isNaN(Number(text)) ? null : Number(text))}
            onChange={(seconds, done) => {
              if (done && seconds !== limit_seconds) set({ limit_seconds: seconds });
            }}
          />
          <p className="panel-quiet">{W.autoLimitHint}</p>
          {excludedIds.length === 0 ? null : (
            <dl className="facts">
              <dt>{W.autoLeftOut}</dt>
              <dd>
                <CellLinks ids={excludedIds} label={W.autoLeftOut} />
              </dd>
            </dl>
          )}
        </>
      )}
    </section>
  );
}

/** The cells that the user excluded and those that the last automatic run skipped, one id per line. */
function leftOut({ model }: NotebookView): string {
  const auto: AutoRun | undefined = model.meta?.auto_run;
  const skipped = model.autoReport?.skipped.map(({ cell_id }) => cell_id) ?? [];
  const ids = new Set([...(auto?.except ?? []), ...skipped]);
  return model.order.filter((id) => ids.has(id)).join('\n');
}
