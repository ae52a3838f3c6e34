import type { CellModel, VariantRun } from '../state/notebookModel.ts';
import { StatusMark } from '../ui/StatusMark.tsx';
import { durationText } from '../words/strings.ts';
import { VARIANT_WORDS as W } from '../words/variants.ts';

/** Shows the progress of a cell that runs once per variant: the variants in the order in which they run. */
export function VariantRuns({ model }: { model: CellModel }) {
  const { cell, variantRuns } = model;
  const variants = cell.fan_out?.variants ?? [];
  if (cell.status !== 'running' || variants.length === 0) return null;
  return (
    <ol className="variant-runs" aria-label={W.progress}>
      {variants.map((name, at) => (
        <OneRun key={name} name={name} run={variantRuns[at]} isNext={at === variantRuns.length} />
      ))}
    </ol>
  );
}

function OneRun({ name, run, isNext }: { name: string; run: VariantRun | undefined; isNext: boolean }) {
  if (run === undefined) {
    return (
      <li aria-label={isNext ? W.runState.running(name) : W.runState.waiting(name)}>
        <StatusMark kind={isNext ? 'running' : 'idle'} />
        <span className="variant-run-name">{name}</span>
      </li>
    );
  }
  const took = durationText(run.duration_ms);
  return (
    <li
      aria-label={run.success ? W.runState.done(name, took) : W.runState.failed(name)}
      title={run.error ?? ''}
    >
      <StatusMark kind={run.success ? 'ready' : 'error'} />
      <span className="variant-run-name">{name}</span>
      {took}
    </li>
  );
}
