import './logs.css';
import { ScrollText } from 'lucide-react';
import { useView } from '../../notebook/context.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LOGS_WORDS } from '../../ui/words/logs.ts';
import { EnvironmentJobView } from '../environment/EnvironmentJobView.tsx';

/** What was logged for this notebook: the work on its environment, and the server's own words. */
export function LogsPanel() {
  const job = useView((view) => view.model.meta?.environment_job ?? null);
  const last = useView((view) => view.model.meta?.environment_job_history[0] ?? null);
  const shown = job ?? last;
  if (shown === null) {
    return <EmptyState size="s" icon={<ScrollText />} title={LOGS_WORDS.empty} />;
  }
  return (
    <div className="logs">
      <section className="panel-section">
        <h3>{LOGS_WORDS.environment}</h3>
        <EnvironmentJobView job={shown} />
      </section>
    </div>
  );
}
