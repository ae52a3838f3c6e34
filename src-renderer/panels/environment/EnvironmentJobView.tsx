/** Shows one environment job (a change of packages by uv or renv): what it does, its progress and its output. */

import { useRef } from 'react';
import type { EnvironmentJob } from '../../../src-shared/wire/environment.ts';
import { ConsoleView } from '../../outputs/console/ConsoleView.tsx';
import { type ConsoleText, emptyConsole, replaceConsole } from '../../state/consoleText.ts';
import { Notice } from '../../ui/Notice.tsx';
import { useNow } from '../../ui/useNow.ts';
import { R_WORDS } from '../../words/r.ts';
import { durationText, WORDS } from '../../words/strings.ts';

/** The output of a job as console text. It is sent in full each time, so the console must know when it was replaced. */
function useAsConsole(text: string): ConsoleText {
  const last = useRef(emptyConsole);
  last.current = replaceConsole(last.current, text);
  return last.current;
}

/**
 * One environment job: what it does, its progress, and its output.
 * @param props.titled whether the command is shown as the title, too
 */
export function EnvironmentJobView({ job, titled = true }: { job: EnvironmentJob; titled?: boolean }) {
  const running = job.status === 'running';
  const isOfR = job.action === 'r_init' || job.action === 'r_add';
  const now = useNow(running, 1_000);
  return (
    <div className="job">
      {titled ? (
        <div className="job-head">
          <code>{job.command}</code>
          <span role={running ? 'status' : undefined}>
            {job.phase === null
              ? ''
              : `${isOfR && job.phase === 'uv_running' ? R_WORDS.working : WORDS.phase[job.phase]} · `}
            <span aria-hidden="true">
              {durationText(job.duration_ms ?? Math.max(0, now - job.started_at))}
            </span>
          </span>
        </div>
      ) : null}
      {running ? <div className="job-bar" aria-hidden="true" /> : null}
      {job.error === null ? null : <Notice tone="error">{job.error}</Notice>}
      <ConsoleView console={useAsConsole(job.stdout)} stream="stdout" />
      {/* uv prints its progress on stderr, so after a successful job that text is no error. */}
      <ConsoleView console={useAsConsole(job.stderr)} stream={job.error === null ? 'stdout' : 'stderr'} />
    </div>
  );
}
