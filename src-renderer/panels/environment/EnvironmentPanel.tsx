/** The Environment panel: the notebook's Python, packages, R, variables, secrets and AI model. */

import './environment.css';
import type { Environment, EnvironmentJob } from '../../../src-shared/wire/environment.ts';
import { useSession, useView } from '../../notebook/context.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PathText } from '../../ui/PathText.tsx';
import { DIAGNOSIS_WORDS } from '../../words/diagnosis.ts';
import { durationText, WORDS } from '../../words/strings.ts';
import { WORKBENCH, whenText } from '../../words/workbench.ts';
import { AiSection } from './AiSection.tsx';
import { EnvironmentJobView } from './EnvironmentJobView.tsx';
import { JobAction } from './JobAction.tsx';
import { JobHistory } from './JobHistory.tsx';
import { PackagesSection } from './PackagesSection.tsx';
import { RSection } from './RSection.tsx';
import { RunningSection } from './RunningSection.tsx';
import { SecretManagerSection } from './SecretManagerSection.tsx';
import { VariablesSection } from './VariablesSection.tsx';

/** The notebook's Python, whether it matches its lock file, and the jobs that change it. */
export function EnvironmentPanel() {
  const session = useSession();
  const environment = useView((view) => view.model.meta?.environment ?? null);
  const job = useView((view) => view.model.meta?.environment_job ?? null);
  const history = useView((view) => view.model.meta?.environment_job_history ?? NO_JOBS);
  const untrusted = useView((view) => view.model.meta?.untrusted !== undefined);
  if (environment === null) return null;
  const running = job?.status === 'running';
  const last = running ? job : (job ?? history[0] ?? null);
  const earlier = history.filter((one) => one.id !== last?.id);
  return (
    <>
      <EnvironmentState environment={environment} running={running} untrusted={untrusted} />
      <dl className="facts">
        <dt>{WORKBENCH.python}</dt>
        <dd>{environment.python_version}</dd>
        <dt>{WORKBENCH.packages}</dt>
        <dd>
          {WORKBENCH.packagesOf(environment.resolved_package_count, environment.declared_package_count)}
        </dd>
        <dt className="wide-fact">{WORKBENCH.interpreter}</dt>
        <dd className="wide-fact">
          {environment.venv_python === null ? (
            WORKBENCH.lockMissing
          ) : (
            <PathText
              path={environment.venv_python}
              copyLabel={WORKBENCH.copyInterpreter}
              copiedLabel={WORKBENCH.interpreterCopied}
            />
          )}
        </dd>
        <dt>{WORKBENCH.lock}</dt>
        <dd>{environment.has_lockfile ? 'uv.lock' : WORKBENCH.lockMissing}</dd>
      </dl>
      <div className="panel-section">
        <Button onClick={() => session.showDiagnostics(true)}>{DIAGNOSIS_WORDS.open}</Button>
      </div>
      <PackagesSection />
      <RSection />
      <VariablesSection />
      <SecretManagerSection />
      <AiSection />
      <RunningSection />
      {last === null ? (
        <p className="panel-quiet">{WORDS.environmentNoLog}</p>
      ) : (
        <section className="panel-section">
          <div className="job-title">
            <h3>{running ? WORKBENCH.jobNow : WORKBENCH.jobLast}</h3>
            <JobAction job={last} />
          </div>
          <EnvironmentJobView job={last} />
        </section>
      )}
      <JobHistory jobs={earlier} />
    </>
  );
}

const NO_JOBS: readonly EnvironmentJob[] = [];

function EnvironmentState(props: { environment: Environment; running: boolean; untrusted: boolean }) {
  const { environment, running, untrusted } = props;
  const state = running ? 'pending' : environment.sync_state;
  const synced = environment.last_synced_at;
  const took = environment.last_sync_duration_ms;
  return (
    <div className="panel-section" data-environment-state={state}>
      {state === 'failed' || state === 'fallback' ? (
        <Notice tone={state === 'failed' ? 'error' : 'warn'}>{WORKBENCH.environmentState[state]}</Notice>
      ) : (
        <p className="panel-quiet">
          {untrusted ? WORKBENCH.environmentUntrusted : WORKBENCH.environmentState[state]}
        </p>
      )}
      {environment.interpreter_source === 'path' && state !== 'fallback' ? (
        <Notice tone="warn">{WORDS.environmentPath}</Notice>
      ) : null}
      {environment.sync_error === null ? null : <Notice tone="error">{environment.sync_error}</Notice>}
      {environment.sync_notice === null ? null : <Notice tone="info">{environment.sync_notice}</Notice>}
      {synced === null ? null : (
        <p className="panel-quiet">
          {took === null
            ? WORKBENCH.lastSyncAt(whenText(synced, Date.now()))
            : WORKBENCH.lastSync(whenText(synced, Date.now()), durationText(took))}
        </p>
      )}
    </div>
  );
}
