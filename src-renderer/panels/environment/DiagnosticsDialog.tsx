/** Dialog with the facts about the notebook's Python environment, to read, copy and repair. */

import { whyNoPackages } from '../../state/whyNoPackages.ts';
import './diagnostics.css';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { type Diagnosis, repair } from '../../live/packages.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { useTask } from '../../live/useTask.ts';
import { useSession, useView } from '../../notebook/context.ts';
import { copyText } from '../../outputs/copyText.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { DIAGNOSIS_WORDS as W } from '../../words/diagnosis.ts';

/** The facts about the environment in one dialog, to read, copy and repair. */
export function Diagnostics() {
  const open = useView((view) => view.diagnosing);
  return open ? <DiagnosticsDialog /> : null;
}

function DiagnosticsDialog() {
  const session = useSession();
  const sid = useView((view) => view.sessionId);
  // Reloaded whenever a job starts or ends.
  const job = useView((view) => view.model.meta?.environment_job ?? null);
  const blockReason = useView(whyNoPackages);
  const { value, problem, loading, again } = useAnswer(
    'diagnoseEnvironment',
    { params: { sid } },
    { subject: sid, key: `${job?.id} ${job?.status}` },
  );
  const repairing = useTask();
  const [copied, setCopied] = useState<boolean | null>(null);
  const close = (): void => session.showDiagnostics(false);
  const copy = async (): Promise<void> => {
    if (value !== null) setCopied(await copyText(value.text));
  };
  const running = job?.status === 'running';
  return (
    <Dialog
      open
      onClose={close}
      title={W.title}
      description={W.hint}
      size="l"
      footer={
        <>
          <span className="grow" role="status">
            {copied === null ? '' : copied ? W.copied : W.notCopied}
          </span>
          <Button onClick={again}>{W.again}</Button>
          <Button onClick={() => void copy()} disabled={value === null}>
            {W.copy}
          </Button>
          <Button
            kind="primary"
            disabled={blockReason !== null || repairing.busy}
            icon={running ? <Spinner label={null} /> : undefined}
            {...(blockReason === null ? {} : { title: blockReason })}
            onClick={() => repairing.run(() => repair(sid))}
          >
            {running ? W.repairing : W.repair}
          </Button>
        </>
      }
    >
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      {repairing.problem === null ? null : <Notice tone="error">{repairing.problem}</Notice>}
      {value === null ? loading ? <Spinner label={W.looking} /> : null : <Sections diagnosis={value} />}
      <p className="panel-quiet">{W.repairHint}</p>
    </Dialog>
  );
}

function Sections({ diagnosis }: { diagnosis: Diagnosis }) {
  const wrong = diagnosis.sections.flatMap(({ rows }) => rows).filter(({ problem }) => problem).length;
  return (
    <>
      <p className={wrong === 0 ? 'panel-quiet' : 'diagnosis-wrong'}>{W.wrong(wrong)}</p>
      {/* Can have the focus, because a long text without controls is scrolled by keys. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <section className="diagnosis" aria-label={W.title} tabIndex={0}>
        {diagnosis.sections.map(({ title, rows }) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <dl>
              {rows.map(({ name, value, problem }) => (
                <div key={name} data-problem={problem}>
                  <dt>
                    {problem ? <TriangleAlert aria-label={W.lookHere} role="img" /> : null}
                    {name}
                  </dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </section>
    </>
  );
}
