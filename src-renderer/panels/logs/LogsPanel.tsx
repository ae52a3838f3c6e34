import './logs.css';
import { useView } from '../../notebook/context.ts';
import { LOGS_WORDS } from '../../words/logs.ts';
import { EnvironmentJobView } from '../environment/EnvironmentJobView.tsx';
import { ServerLog } from './ServerLog.tsx';

/** The Logs panel: the logs of the server and of the notebook's environment. */
export function LogsPanel() {
  const job = useView((view) => view.model.meta?.environment_job ?? null);
  const last = useView((view) => view.model.meta?.environment_job_history[0] ?? null);
  const visibleJob = job ?? last;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by key
    <section className="logs" data-own-arrows tabIndex={0} aria-label={LOGS_WORDS.label}>
      <ServerLog />
      {visibleJob === null ? null : (
        <section className="panel-section">
          <h3>{LOGS_WORDS.environment}</h3>
          <EnvironmentJobView job={visibleJob} />
        </section>
      )}
    </section>
  );
}
