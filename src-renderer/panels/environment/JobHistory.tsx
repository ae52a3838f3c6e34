/** Lists the earlier environment jobs, each with its changes and a button that reverts it. */

import './jobHistory.css';
import { useState } from 'react';
import type { EnvironmentJob } from '../../../src-shared/wire/environment.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { useView } from '../../notebook/context.ts';
import { PACKAGE_WORDS } from '../../words/packages.ts';
import { durationText } from '../../words/strings.ts';
import { WORKBENCH, whenText } from '../../words/workbench.ts';
import { Changes } from './Changes.tsx';
import { EnvironmentJobView } from './EnvironmentJobView.tsx';
import { JobAction } from './JobAction.tsx';

/** The jobs before the last one, newest first: what each changed and printed, and a button that reverts it. */
export function JobHistory({ jobs }: { jobs: readonly EnvironmentJob[] }) {
  if (jobs.length === 0) return null;
  return (
    <section className="panel-section" aria-label={WORKBENCH.jobsBefore}>
      <h3>{WORKBENCH.jobsBefore}</h3>
      <ul className="plain-list">
        {jobs.map((job) => (
          <EarlierJob key={job.id} job={job} />
        ))}
      </ul>
    </section>
  );
}

function EarlierJob({ job }: { job: EnvironmentJob }) {
  const [open, setOpen] = useState(false);
  const failed = job.status === 'failed';
  const endedAt = job.finished_at ?? job.started_at;
  return (
    <li className="earlier-job" data-job={job.id}>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <code>{job.command}</code>
          <span className={failed ? 'tone-error' : 'tone-quiet'}>
            {failed ? WORKBENCH.jobFailed : WORKBENCH.jobDone} · {whenText(endedAt, Date.now())}
            {job.duration_ms === null ? '' : ` · ${durationText(job.duration_ms)}`}
          </span>
        </summary>
        {open ? (
          <>
            {job.lockfile_changed ? <JobChanges jobId={job.id} /> : null}
            <EnvironmentJobView job={job} titled={false} />
          </>
        ) : null}
      </details>
      <JobAction job={job} />
    </li>
  );
}

function JobChanges({ jobId }: { jobId: string }) {
  const sid = useView((view) => view.sessionId);
  const params = { sid, job_id: jobId };
  const { value, problem } = useAnswer('environmentJobChanges', { params }, { subject: jobId, key: '' });
  if (problem !== null) return <p className="panel-quiet">{problem}</p>;
  if (value === null) return null;
  return value.changes.length === 0 ? (
    <p className="panel-quiet">{PACKAGE_WORDS.noChange}</p>
  ) : (
    <Changes changes={value.changes} past />
  );
}
