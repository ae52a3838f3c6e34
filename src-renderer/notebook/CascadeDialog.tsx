/** Dialog shown before a run that needs other cells to run too: lists them with estimated times and offers a choice. */

import './cellQuestion.css';
import { useEffect, useRef, useState } from 'react';
import { cellName } from '../state/cellName.ts';
import type { CascadePrompt } from '../state/notebookModel.ts';
import { setRunsAbove } from '../state/runAbove.ts';
import { targetsOf } from '../state/runQueue.ts';
import { Button } from '../ui/Button.tsx';
import { Switch } from '../ui/Switch.tsx';
import { durationText, WORDS } from '../words/strings.ts';
import { useSession, useView } from './context.ts';

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Lists the other cells that have to run before a cell can, with their estimated times, and offers to run them all,
 * some of them, or only the requested cell.
 */
export function CascadeDialog({ prompt }: { prompt: CascadePrompt }) {
  const session = useSession();
  const targets = targetsOf(prompt);
  const title = useView((view) => WORDS.cascadeTitle(targets.map((id) => cellName(view.model, id))));
  const path = useView((view) => view.path);
  const [always, setAlways] = useState(false);
  const first = useRef<HTMLDivElement>(null);
  useEffect(() => first.current?.querySelector('button')?.focus(), []);
  const steps = (prompt.steps ?? []).filter((step) => !step.skip);
  const [unwanted, setUnwanted] = useState<ReadonlySet<string>>(NOTHING);
  // The prompt may have been replaced by one about other cells.
  const leftOut = new Set(steps.flatMap(({ cell_id }) => (unwanted.has(cell_id) ? [cell_id] : [])));
  const selectedSteps = steps.filter(({ cell_id }) => !leftOut.has(cell_id));
  const cost = selectedSteps.reduce((sum, step) => sum + step.estimated_ms, 0);
  const choose = (id: string, on: boolean): void => {
    const next = new Set(leftOut);
    if (on) next.delete(id);
    else next.add(id);
    setUnwanted(next);
  };
  return (
    <div
      className="cell-question"
      role="dialog"
      data-run-keys
      aria-label={title}
      ref={first}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        session.runs.dismissPrompt();
      }}
    >
      <div className="cell-question-title">{title}</div>
      <ol className="cell-question-steps">
        {steps.map((step) => (
          <li key={step.cell_id}>
            <StepChoice
              id={step.cell_id}
              chosen={!leftOut.has(step.cell_id)}
              onChoose={targets.length === 1 && step.reason === 'target' ? null : choose}
            />
            <span className="cell-question-reason">
              {step.reason === 'target' && targets.length > 1
                ? WORDS.cascadeAsked
                : WORDS.cascadeReason[step.reason]}
            </span>
            <span className="cell-question-cost">
              {step.estimated_ms > 0 ? durationText(step.estimated_ms) : WORDS.neverTimed}
            </span>
          </li>
        ))}
      </ol>
      {leftOut.size === 0 ? null : (
        <p className="cell-question-note" role="status">
          {steps.some((step) => leftOut.has(step.cell_id) && step.reason === 'missing')
            ? WORDS.cascadeLeftOutMissing
            : WORDS.cascadeLeftOut}
        </p>
      )}
      <div className="cell-question-actions">
        <Button
          kind="primary"
          disabled={selectedSteps.length === 0}
          onClick={() => {
            if (always && path !== null) setRunsAbove(path, true);
            session.runs.confirmCascade(leftOut);
          }}
        >
          {leftOut.size === 0 ? WORDS.cascadeRun(steps.length) : WORDS.cascadeRunSome(selectedSteps.length)}
        </Button>
        <Button title={WORDS.cascadeForceHint} onClick={() => session.runs.runForced(prompt.cell_id)}>
          {WORDS.cascadeForce(targets.length)}
        </Button>
        <Button onClick={() => session.runs.dismissPrompt()}>{WORDS.cancel}</Button>
        {cost > 0 ? (
          <span className="cell-question-total">{WORDS.cascadeTotal(durationText(cost))}</span>
        ) : null}
      </div>
      <div className="cell-question-always">
        <Switch label={WORDS.cascadeAlways} checked={always} onChange={setAlways} />
      </div>
    </div>
  );
}

/** The name of a cell with a checkbox to leave it out; without a checkbox (`onChoose` null) if it must run. */
function StepChoice(props: {
  id: string;
  chosen: boolean;
  onChoose: ((id: string, on: boolean) => void) | null;
}) {
  const { id, chosen, onChoose } = props;
  const name = useView((view) => cellName(view.model, id));
  if (onChoose === null) return <span className="cell-question-name cell-question-fixed">{name}</span>;
  return (
    <label className="cell-question-name cell-question-choice">
      <input type="checkbox" checked={chosen} onChange={(event) => onChoose(id, event.target.checked)} />
      {name}
    </label>
  );
}
