import './ask.css';
import { useEffect, useRef, useState } from 'react';
import { cellName } from '../state/cellName.ts';
import type { CascadePrompt } from '../state/notebookModel.ts';
import { setRunsAbove } from '../state/runAbove.ts';
import { targetsOf } from '../state/runQueue.ts';
import { Button } from '../ui/Button.tsx';
import { Switch } from '../ui/Switch.tsx';
import { durationText, WORDS } from '../words/strings.ts';
import { useSession, useView } from './context.ts';

/** What else has to run before a cell can, with its cost, and the three ways to answer. */
export function CascadeDialog({ prompt }: { prompt: CascadePrompt }) {
  const session = useSession();
  const targets = targetsOf(prompt);
  const title = useView((view) => WORDS.cascadeTitle(targets.map((id) => cellName(view.model, id))));
  const path = useView((view) => view.path);
  const [always, setAlways] = useState(false);
  const first = useRef<HTMLDivElement>(null);
  useEffect(() => first.current?.querySelector('button')?.focus(), []);
  const steps = (prompt.steps ?? []).filter((step) => !step.skip);
  return (
    <div
      className="ask"
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
      <div className="ask-title">{title}</div>
      <ol className="ask-steps">
        {steps.map((step) => (
          <li key={step.cell_id}>
            <StepName id={step.cell_id} />
            <span className="ask-reason">
              {step.reason === 'target' && targets.length > 1
                ? WORDS.cascadeAsked
                : WORDS.cascadeReason[step.reason]}
            </span>
            <span className="ask-cost">
              {step.estimated_ms > 0 ? durationText(step.estimated_ms) : WORDS.neverTimed}
            </span>
          </li>
        ))}
      </ol>
      <div className="ask-actions">
        <Button
          kind="primary"
          onClick={() => {
            if (always && path !== null) setRunsAbove(path, true);
            session.runs.confirmCascade();
          }}
        >
          {WORDS.cascadeRun(steps.length)}
        </Button>
        <Button title={WORDS.cascadeForceHint} onClick={() => session.runs.runForced(prompt.cell_id)}>
          {WORDS.cascadeForce(targets.length)}
        </Button>
        <Button onClick={() => session.runs.dismissPrompt()}>{WORDS.cancel}</Button>
        {prompt.estimated_duration_ms > 0 ? (
          <span className="ask-total">{WORDS.cascadeTotal(durationText(prompt.estimated_duration_ms))}</span>
        ) : null}
      </div>
      <div className="ask-always">
        <Switch label={WORDS.cascadeAlways} checked={always} onChange={setAlways} />
      </div>
    </div>
  );
}

/** As the window calls it: the server knows cells without a name by their id. */
function StepName({ id }: { id: string }) {
  return <span className="ask-name">{useView((view) => cellName(view.model, id))}</span>;
}
